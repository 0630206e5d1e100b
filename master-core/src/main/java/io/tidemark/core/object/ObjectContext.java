package io.tidemark.core.object;

import io.tidemark.core.MasterConfig;
import io.tidemark.core.MasterState;
import io.tidemark.core.segment.Placement;
import io.tidemark.core.table.ObjectCursor;

/**
 * What a decider may look at besides the command.
 *
 * @param nowMs log time, read once a batch
 * @param epoch present term
 * @param leaseFloorMs log time until which every object counts as leased (COR-24)
 */
public record ObjectContext(
    MasterConfig config,
    MasterState state,
    ReplicaRules rules,
    DiskPaths diskPaths,
    Placement placement,
    long nowMs,
    long epoch,
    long leaseFloorMs) {

  /**
   * Log time until which an object is leased: its own lease, its group's, and the floor after a
   * start.
   */
  public long leaseUntilMs(ObjectCursor object) {
    long lease = Math.max(object.leaseUntilMs(), leaseFloorMs);
    Group group = state.groups().get(object.groupNumber());
    return group == null ? lease : Math.max(lease, group.leaseUntilMs());
  }

  /** Whether a read lease is running. */
  public boolean isLeased(ObjectCursor object) {
    return nowMs < leaseUntilMs(object);
  }

  /** Whether a committed soft pin is in force. */
  public boolean isSoftPinned(ObjectCursor object) {
    return nowMs < object.pinDeadlineMs();
  }

  /**
   * When ranges that were issued twice may be allocated again, their first writer being late
   * (COR-09); 0 for at once.
   */
  public long lateWriterUntilMs(ObjectCursor object) {
    long untilMs = object.startMs() + config.writerQuarantineMs();
    return object.isReissued() && untilMs > nowMs ? untilMs : 0;
  }

  /** When a range with an unfinished writer may be allocated again (COR-09); 0 for at once. */
  public long writerQuarantineUntilMs() {
    return config.writerQuarantineMs() == 0 ? 0 : nowMs + config.writerQuarantineMs();
  }
}
