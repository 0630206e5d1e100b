/**
 * Whole clusters in one thread, by seed: the production node, replication and master over simulated
 * logs, links and coordination store, under faults, with invariants after every step.
 *
 * <p>{@code -Dtidemark.sim.seed=N} runs one seed again and prints its trace.
 */
package io.tidemark.chaos.sim;
