/**
 * Events: facts that the leader decided, with everything non-deterministic in them.
 *
 * <p>A log entry holds the encoded events of (a slice of) one batch. Applying the same events in
 * the same order gives the same state on leader, standby, restart and in the forensic tool. Records
 * are versioned; an unknown type or version is fatal, never skipped.
 */
package io.tidemark.api.event;
