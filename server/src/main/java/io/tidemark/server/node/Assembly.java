package io.tidemark.server.node;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.port.MonotonicClock;
import io.tidemark.oplog.replication.Follower;
import io.tidemark.oplog.replication.Link;
import io.tidemark.oplog.replication.ReplicatedLog;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Makes the parts of a node that its safety hangs on. A test that wants to see whether the
 * simulation notices a broken one replaces it; nobody else can.
 */
class Assembly {

  /** Whether a leadership may be over (COR-18): later than its fence. */
  BooleanSupplier fence(Coordinator coordinator, Leadership leadership, MonotonicClock clock) {
    return () -> clock.nanos() >= coordinator.fencedAtNanos(leadership);
  }

  ReplicatedLog replicatedLog(ReplicatedLog.Parts parts, List<Member> inSync) {
    return new ReplicatedLog(parts, inSync);
  }

  Follower follower(Follower.Parts parts, Link link, Follower.Events events, long nowNanos) {
    return new Follower(parts, link, events, nowNanos);
  }

  /** Whether a node that may not campaign waits. */
  boolean waitsForInSync() {
    return true;
  }

  /** The clock of a term's master. */
  MonotonicClock termClock(MonotonicClock clock) {
    return clock;
  }
}
