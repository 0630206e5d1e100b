package io.tidemark.server.node;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.port.MonotonicClock;
import io.tidemark.oplog.replication.Follower;
import io.tidemark.oplog.replication.Link;
import io.tidemark.oplog.replication.LogOfALaterRelease;
import io.tidemark.oplog.replication.ReplicatedLog;
import io.tidemark.oplog.replication.SabotagedFollower;
import io.tidemark.oplog.replication.SabotagedLog;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/** Nodes with one broken part, to see that the simulation notices. */
public final class SabotagedAssembly extends Assembly {
  private static final long LEASE_JUMP_NANOS = 60_000_000_000L;

  private final Sabotage sabotage;

  /** What is broken. */
  public enum Sabotage {
    NOTHING,
    ACKNOWLEDGES_BEFORE_REPLICATION,
    NO_FENCE,
    CAMPAIGNS_WITHOUT_BEING_IN_SYNC,
    SKIPS_TRUNCATION,
    NO_LEASE_FLOOR_AFTER_PROMOTION,
    COMMITS_WITHOUT_A_MEMBER_THAT_MAY_BE_IN,
    WRITES_EVENTS_OF_A_LATER_RELEASE
  }

  private SabotagedAssembly(Sabotage sabotage) {
    this.sabotage = sabotage;
  }

  /** A node, the production one if nothing is broken. */
  public static Node node(NodeConfig config, NodePorts ports, Sabotage sabotage) {
    return sabotage == Sabotage.NOTHING
        ? new Node(config, ports)
        : new Node(config, ports, new SabotagedAssembly(sabotage));
  }

  @Override
  BooleanSupplier fence(Coordinator coordinator, Leadership leadership, MonotonicClock clock) {
    return sabotage == Sabotage.NO_FENCE
        ? () -> false
        : super.fence(coordinator, leadership, clock);
  }

  @Override
  ReplicatedLog replicatedLog(ReplicatedLog.Parts parts, List<Member> inSync) {
    return switch (sabotage) {
      case ACKNOWLEDGES_BEFORE_REPLICATION -> SabotagedLog.aheadOfReplication(parts, inSync);
      case COMMITS_WITHOUT_A_MEMBER_THAT_MAY_BE_IN -> SabotagedLog.notJoint(parts, inSync);
      case WRITES_EVENTS_OF_A_LATER_RELEASE -> new LogOfALaterRelease(parts, inSync);
      default -> super.replicatedLog(parts, inSync);
    };
  }

  @Override
  Follower follower(Follower.Parts parts, Link link, Follower.Events events, long nowNanos) {
    return sabotage == Sabotage.SKIPS_TRUNCATION
        ? new SabotagedFollower(parts, link, events, nowNanos)
        : super.follower(parts, link, events, nowNanos);
  }

  @Override
  boolean waitsForInSync() {
    return sabotage != Sabotage.CAMPAIGNS_WITHOUT_BEING_IN_SYNC;
  }

  /** Log time leaps over the time for which everything counts as leased. */
  @Override
  MonotonicClock termClock(MonotonicClock clock) {
    if (sabotage != Sabotage.NO_LEASE_FLOOR_AFTER_PROMOTION) {
      return clock;
    }
    AtomicBoolean begun = new AtomicBoolean();
    return () -> clock.nanos() + (begun.getAndSet(true) ? LEASE_JUMP_NANOS : 0);
  }
}
