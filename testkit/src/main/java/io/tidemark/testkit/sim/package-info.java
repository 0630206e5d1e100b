/**
 * Parts of a whole-cluster simulation: time, streams between hosts, and the trace of a run. One
 * seed drives everything; nothing here reads a clock or starts a thread.
 */
package io.tidemark.testkit.sim;
