/**
 * {@code tidemark bench}: an operator's load generator for any Mooncake-compatible master.
 *
 * <p>One thread drives all connections. Closed loop: each has one request outstanding. Open loop:
 * requests are due at a fixed rate, whatever the master does, and their latency counts from when
 * they were due.
 */
package io.tidemark.benchmarks.bench;
