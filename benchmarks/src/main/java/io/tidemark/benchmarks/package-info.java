/**
 * The load generator, and what makes a table of its results.
 *
 * <p>It loads any Mooncake-compatible master: a closed loop with one outstanding request a
 * connection, from few threads, with request bytes that are made once and then only patched, so
 * that on a small machine the generator takes little from the master under test.
 */
package io.tidemark.benchmarks;
