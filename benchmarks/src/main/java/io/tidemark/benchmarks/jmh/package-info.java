/** Microbenchmarks of one step each on the way of a request; run them with {@code scripts/jmh}. */
package io.tidemark.benchmarks.jmh;
