/**
 * A Java client of one Mooncake-compatible master: calls as records, answers as records, over plain
 * sockets.
 *
 * <p>Tools, tests and benchmarks use it. It moves no object bytes; it speaks to the master only.
 */
package io.tidemark.client;
