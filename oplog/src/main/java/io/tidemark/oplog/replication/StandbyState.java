package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogEntry;

/** The state that a standby keeps by applying committed entries, in order. */
@FunctionalInterface
public interface StandbyState {

  /**
   * Applies the next entry.
   *
   * @throws DigestMismatchException if the entry holds a digest that is not the state's
   * @throws IllegalStateException if the entry does not fit the state; the node stops
   */
  void apply(LogEntry entry);
}
