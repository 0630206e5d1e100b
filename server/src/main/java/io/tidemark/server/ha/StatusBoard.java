package io.tidemark.server.ha;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.core.Replayer;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.replication.LeaderReplication;
import io.tidemark.oplog.replication.StandbyProgress;
import io.tidemark.server.node.Node;
import io.tidemark.server.node.NodeIdentity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Looks at the node on its loop and shows what it saw to everybody. {@link #get} on any thread; the
 * rest on the loop.
 */
final class StatusBoard implements Supplier<NodeStatus> {
  private static final long PERIOD_NANOS = 100_000_000;

  private final Node node;
  private final NodeIdentity identity;
  private final ChronicleLog log;
  private final Coordinator coordinator;
  private final int minInSync;
  private final LagSamples samples = new LagSamples();
  private volatile NodeStatus shown;
  private long shownAtNanos;
  private String leaderAddress = "";
  private long viewVersion;
  private boolean handingOver;
  private boolean stale;

  StatusBoard(
      Node node,
      NodeIdentity identity,
      ChronicleLog log,
      Coordinator coordinator,
      int minInSync,
      long nowNanos) {
    this.node = node;
    this.identity = identity;
    this.log = log;
    this.coordinator = coordinator;
    this.minInSync = minInSync;
    show(nowNanos);
  }

  @Override
  public NodeStatus get() {
    return shown;
  }

  /** Something changed; the next tick shows it. */
  void stale() {
    stale = true;
  }

  /** Shows what is, if it changed or the last look was some time ago. */
  void tick(long nowNanos) {
    if (stale || nowNanos - shownAtNanos >= PERIOD_NANOS) {
      stale = false;
      show(nowNanos);
    }
  }

  /** What unmodified clients are told; an empty address and 0 for nothing. */
  void published(String address, long version) {
    leaderAddress = address;
    viewVersion = version;
    stale = true;
  }

  /** Whether the leadership is being given away. */
  void handingOver(boolean now) {
    handingOver = now;
    stale = true;
  }

  private void show(long nowNanos) {
    shownAtNanos = nowNanos;
    long end = log.end().index();
    samples.note(end, log.counters().bytes(), nowNanos);
    Optional<Leadership> held = node.leadership();
    Optional<LeaderReplication> replication = node.replication();
    List<Member> inSync = replication.map(LeaderReplication::inSync).orElse(List.of());
    shown =
        new NodeStatus(
            node.role(),
            node.why(),
            held.map(Leadership::epoch).orElse(log.acceptedEpoch()),
            identity.cluster(),
            identity.self(),
            inSync,
            minInSync,
            replication.map(leader -> standbys(leader, inSync, end, nowNanos)).orElse(List.of()),
            node.commitIndex(),
            node.standbyState().map(Replayer::lastIndex).orElse(held.isPresent() ? end : 0),
            end,
            held.map(mine -> leaseLeftMs(mine, nowNanos)).orElse(0L),
            leaderAddress,
            viewVersion,
            node.leader().map(LeaderInfo::replicationAddress).orElse(""),
            node.isAttached(),
            handingOver);
  }

  private long leaseLeftMs(Leadership held, long nowNanos) {
    long until = coordinator.fencedAtNanos(held);
    return until == Long.MIN_VALUE ? 0 : Math.max(0, (until - nowNanos) / 1_000_000);
  }

  private List<NodeStatus.Standby> standbys(
      LeaderReplication leader, List<Member> inSync, long end, long nowNanos) {
    List<NodeStatus.Standby> standbys = new ArrayList<>();
    long appended = log.counters().bytes();
    for (StandbyProgress standby : leader.standbys()) {
      LagSamples.Lag lag = samples.behind(standby.durableIndex(), end, appended, nowNanos);
      standbys.add(
          new NodeStatus.Standby(
              standby.member(),
              standby.phase().name().toLowerCase(Locale.ROOT),
              inSync.contains(standby.member()),
              standby.durableIndex(),
              standby.appliedIndex(),
              Math.max(0, end - standby.durableIndex()),
              lag.bytes(),
              lag.millis()));
    }
    return standbys;
  }
}
