package io.tidemark.core;

import io.tidemark.api.state.StateRecord;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.object.GroupTable;
import io.tidemark.core.object.SoftPinIndex;
import io.tidemark.core.object.WriteTable;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.core.segment.DiscardList;
import io.tidemark.core.segment.SegmentTable;
import io.tidemark.core.table.ObjectTable;

/**
 * Everything that events change: the whole of a term's state.
 *
 * <p>One instance belongs to one term; a demotion drops it whole (crash-only), there is no
 * rollback.
 */
public final class MasterState {
  private final ObjectTable objects = new ObjectTable();
  private final SegmentTable segments;
  private final DiscardList discards;
  private final WriteTable writes = new WriteTable();
  private final GroupTable groups = new GroupTable();
  private final SoftPinIndex softPins = new SoftPinIndex();
  private final CoreMetrics metrics;
  private long lastReplicaId;
  private long epoch;
  private long maxLeaseTtlMs;
  private long lastLogTimeMs;

  public MasterState(AllocatorKind allocatorKind, CoreMetrics metrics) {
    this.segments = new SegmentTable(allocatorKind);
    this.discards = new DiscardList(segments);
    this.metrics = metrics;
  }

  public ObjectTable objects() {
    return objects;
  }

  public SegmentTable segments() {
    return segments;
  }

  public DiscardList discards() {
    return discards;
  }

  public WriteTable writes() {
    return writes;
  }

  public GroupTable groups() {
    return groups;
  }

  public SoftPinIndex softPins() {
    return softPins;
  }

  /** Counters; soft state. */
  public CoreMetrics metrics() {
    return metrics;
  }

  /** Id that the next replica gets. */
  public long nextReplicaId() {
    return lastReplicaId + 1;
  }

  /** A replica id was used. */
  public void replicaIdUsed(long id) {
    lastReplicaId = Math.max(lastReplicaId, id);
  }

  /** Epoch of the last EpochStarted. */
  public long epoch() {
    return epoch;
  }

  /** Largest read-lease TTL that any term in the log may have granted (COR-24). */
  public long maxLeaseTtlMs() {
    return maxLeaseTtlMs;
  }

  void epochStarted(long newEpoch, long leaseTtlMs) {
    if (newEpoch <= epoch) {
      throw new IllegalStateException("epoch " + newEpoch + " started after epoch " + epoch);
    }
    epoch = newEpoch;
    maxLeaseTtlMs = Math.max(maxLeaseTtlMs, leaseTtlMs);
  }

  StateRecord.Facts facts() {
    return new StateRecord.Facts(
        lastReplicaId,
        epoch,
        maxLeaseTtlMs,
        lastLogTimeMs,
        discards.lastId(),
        segments.lastNumber());
  }

  void restore(StateRecord.Facts facts) {
    lastReplicaId = facts.lastReplicaId();
    epoch = facts.epoch();
    maxLeaseTtlMs = facts.maxLeaseTtlMs();
    lastLogTimeMs = facts.lastLogTimeMs();
    discards.restoreLastId(facts.lastDiscardId());
    segments.restoreLastNumber(facts.lastSegmentNumber());
  }

  /** Log time of the last applied entry. */
  public long lastLogTimeMs() {
    return lastLogTimeMs;
  }

  void logTimeReached(long ms) {
    lastLogTimeMs = Math.max(lastLogTimeMs, ms);
  }
}
