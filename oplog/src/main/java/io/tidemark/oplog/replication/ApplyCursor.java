package io.tidemark.oplog.replication;

import io.tidemark.api.log.ReplicaLog;

/**
 * Applies a local log's entries to a standby's state, in slices, never beyond a limit that only
 * rises. Called by the node's loop.
 */
public final class ApplyCursor {
  private final ReplicaLog log;
  private final StandbyState state;
  private final int sliceEntries;
  private final ReplicationCounters counters;
  private long appliedIndex;
  private long limit;
  private boolean atBatchEnd = true;

  /**
   * @param appliedIndex last entry that {@code state} holds already
   */
  public ApplyCursor(
      ReplicaLog log,
      StandbyState state,
      long appliedIndex,
      int sliceEntries,
      ReplicationCounters counters) {
    this.log = log;
    this.state = state;
    this.appliedIndex = appliedIndex;
    this.limit = appliedIndex;
    this.sliceEntries = sliceEntries;
    this.counters = counters;
  }

  public long appliedIndex() {
    return appliedIndex;
  }

  /** Whether the state is what it was after a whole command: only there a snapshot may stand. */
  public boolean isAtBatchEnd() {
    return atBatchEnd;
  }

  /** Entries up to {@code index}, which the log has, may be applied. */
  public void allow(long index) {
    limit = Math.max(limit, index);
  }

  public boolean hasMore() {
    return appliedIndex < limit;
  }

  /**
   * Applies one slice.
   *
   * @throws DigestMismatchException as {@link StandbyState#apply}; the entry counts as not applied
   * @throws IllegalStateException as {@link StandbyState#apply}
   */
  public void runSlice() {
    if (!hasMore()) {
      return;
    }
    long last = Math.min(limit, appliedIndex + sliceEntries);
    log.readOn(
        appliedIndex + 1,
        entry -> {
          if (entry.header().index() > last) {
            return false;
          }
          state.apply(entry);
          appliedIndex = entry.header().index();
          atBatchEnd = entry.header().batchEnd();
          counters.add(ReplicationCounter.ENTRIES_APPLIED, 1);
          return appliedIndex < last;
        });
    if (appliedIndex < last) {
      throw new IllegalStateException(
          "the log gave out at entry " + appliedIndex + " on the way to " + last);
    }
  }
}
