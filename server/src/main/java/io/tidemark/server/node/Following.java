package io.tidemark.server.node;

import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.core.ReplayCapture;
import io.tidemark.oplog.replication.ApplyCursor;
import io.tidemark.oplog.replication.DigestMismatchException;
import io.tidemark.oplog.replication.Follower;
import io.tidemark.oplog.replication.Link;
import io.tidemark.oplog.replication.Message;
import io.tidemark.oplog.replication.ReplicationCounters;
import io.tidemark.oplog.replication.SnapshotShelf;
import io.tidemark.oplog.replication.UnfinishedBatch;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A standby's work: the stream to the leader, and applying what is committed. Ends with the role.
 */
final class Following {
  private static final long NANOS_PER_MS = 1_000_000;
  private static final int MOST_DOUBLINGS = 16;

  private final Node node;
  private final NodePorts ports;
  private final NodeConfig config;
  private final Assembly assembly;
  private final ReplicationCounters counters;
  private final ReplayedState state;
  private final ApplyCursor applied;
  private Optional<LeaderInfo> leader = Optional.empty();
  private Link link;
  private Follower follower;
  private long dialAtNanos = Long.MIN_VALUE;
  private long noDialBeforeNanos = Long.MIN_VALUE;
  private int snapshotsLost;
  private String lastEnd = "";
  private Wanted wanted;
  private boolean applying;
  private boolean over;

  /** Goes on with a state; nothing is applied before {@link #restore} or a leader says so. */
  Following(Node node, Assembly assembly, ReplayedState state, ReplicationCounters counters) {
    this.node = node;
    this.ports = node.ports();
    this.config = node.config();
    this.assembly = assembly;
    this.counters = counters;
    this.state = state;
    applied =
        new ApplyCursor(
            ports.log(),
            state,
            state.replayer().lastIndex(),
            config.replication().applySlice(),
            counters);
    ports.log().onCommit(localCommits());
  }

  private OperationLog.CommitListener localCommits() {
    return new OperationLog.CommitListener() {
      @Override
      public void committed(long index) {
        ports.loop().execute(Following.this::durable);
      }

      @Override
      public void failed(LogFailureException failure) {
        ports.loop().execute(() -> stop("the log failed: " + failure.getMessage()));
      }

      /** Of a leader's term only. */
      @Override
      public void stalled() {}
    };
  }

  private void stop(String why) {
    if (!over) {
      node.halt(why);
    }
  }

  private void durable() {
    if (follower != null && !over) {
      follower.durable();
    }
  }

  ReplayedState state() {
    return state;
  }

  ApplyCursor applied() {
    return applied;
  }

  Optional<LeaderInfo> leader() {
    return leader;
  }

  boolean isAttached() {
    return follower != null && follower.isAttached();
  }

  /** The role ends: the stream is closed, the log and the state are the next role's. */
  void end() {
    over = true;
    hangUp();
    endWanted();
  }

  // ---- a snapshot of the state

  /** As {@link Node#capture}; a request that waits already is told that it comes to nothing. */
  void capture(long maxPreservedBytes, Consumer<Optional<ReplayCapture>> then) {
    endWanted();
    wanted = new Wanted(maxPreservedBytes, then);
    captureIfWhole();
  }

  private void captureIfWhole() {
    if (wanted == null || !applied.isAtBatchEnd()) {
      return;
    }
    Optional<LogPosition> at = ports.log().positionAt(applied.appliedIndex());
    Wanted now = wanted;
    wanted = null;
    now.then().accept(at.map(p -> state.replayer().capture(p, now.maxPreservedBytes())));
  }

  private void endWanted() {
    if (wanted != null) {
      Wanted before = wanted;
      wanted = null;
      before.then().accept(Optional.empty());
    }
  }

  private record Wanted(long maxPreservedBytes, Consumer<Optional<ReplayCapture>> then) {}

  private void hangUp() {
    if (follower != null) {
      follower.close();
    } else if (link != null) {
      link.close();
    }
    follower = null;
    link = null;
  }

  // ---- the stream

  /** No stream is dialed before then; monotonic time, ns. */
  void noDialBefore(long nanos) {
    noDialBeforeNanos = nanos;
  }

  /** Follows this leader from now on. */
  void follow(LeaderInfo next) {
    boolean same = leader.isPresent() && leader.get().createRevision() == next.createRevision();
    if (!same) {
      hangUp();
      leader = Optional.of(next);
      dialAtNanos = Long.MIN_VALUE;
      snapshotsLost = 0;
    }
    tick();
  }

  /** Nobody leads: a stream that is there goes on, no new one is dialed. */
  void nobodyLeads() {
    leader = Optional.empty();
  }

  /** Dials when it is time to, and gives up a stream that is silent. */
  void tick() {
    long now = ports.monotonic().nanos();
    if (over || leader.isEmpty()) {
      return;
    }
    if (follower != null && now - follower.lastHeardNanos() > config.silenceMs() * NANOS_PER_MS) {
      hangUp();
    }
    if (link == null && now >= dialAtNanos && now >= noDialBeforeNanos) {
      dialAtNanos = now + config.retryMs() * NANOS_PER_MS;
      link = ports.links().dial(leader.get().replicationAddress());
    }
  }

  boolean owns(Link other) {
    return link == other;
  }

  /** The stream is there. What a stream before it left unfinished is cut first. */
  void opened() {
    UnfinishedBatch.cut(ports.log());
    ports.log().endBatch();
    Follower.Parts parts =
        new Follower.Parts(
            ports.log(),
            ports.identity().cluster().orElseThrow(),
            ports.identity().self(),
            applied,
            ports.snapshots(),
            counters);
    follower = assembly.follower(parts, link, new Told(), ports.monotonic().nanos());
  }

  void message(Message message) {
    if (follower != null) {
      follower.message(message, ports.monotonic().nanos());
    }
  }

  void closed() {
    if (follower != null) {
      follower.close();
      pauseBehind(follower);
    }
    link = null;
    follower = null;
  }

  /** What a leader sends in vain costs it much: each further try waits twice as long. */
  private void pauseBehind(Follower ended) {
    if (ended.lostSnapshot()) {
      snapshotsLost = Math.min(snapshotsLost + 1, MOST_DOUBLINGS);
      long pauseMs = Math.min(config.silenceMs(), config.retryMs() << snapshotsLost);
      noDialBeforeNanos = ports.monotonic().nanos() + pauseMs * NANOS_PER_MS;
    }
  }

  /** What the follower tells. */
  private final class Told implements Follower.Events {
    @Override
    public void applicable() {
      apply();
    }

    @Override
    public void stateInvalid() {
      ports.loop().execute(() -> node.restoreAgain(Following.this));
    }

    @Override
    public void cut(long entries, String evidence) {
      if (entries > 0) {
        ports
            .listener()
            .alarm(entries + " entries that no leader has were cut off and kept in " + evidence);
      }
    }

    @Override
    public void cutting(LogPosition keep) {
      ports.snapshots().setAsideAbove(keep);
    }

    @Override
    public void snapshotReceived(SnapshotShelf.Incoming snapshot) {
      ports.loop().execute(() -> node.install(Following.this, snapshot));
    }

    @Override
    public void mustStop(String why) {
      ports.loop().execute(() -> stop(why));
    }

    @Override
    public void handedOver(boolean toThisNode) {
      nobodyLeads(); // it would only be dialed again in vain
      node.handedOver(toThisNode);
    }

    @Override
    public void streamOver(String why) {
      closed();
      if (!why.equals(lastEnd)) {
        lastEnd = why;
        ports.listener().role(node.role(), why);
      }
    }
  }

  // ---- applying

  /** Applies what the log knows to be committed; {@link Node#restored} follows. */
  void restore() {
    applied.allow(Math.min(ports.log().knownCommit(), ports.log().end().index()));
    apply();
  }

  /** Applies in slices, so that acknowledgements go on between. */
  private void apply() {
    if (!applying) {
      applying = true;
      ports.loop().execute(this::applySlice);
    }
  }

  private void applySlice() {
    applying = false;
    if (over) {
      return;
    }
    try {
      applied.runSlice();
    } catch (DigestMismatchException mismatch) {
      if (follower != null) {
        follower.mismatch(mismatch);
      }
      stop(mismatch.getMessage());
      return;
    } catch (IllegalStateException | UnknownEventException broken) {
      stop("an entry does not fit the state: " + broken.getMessage());
      return;
    }
    captureIfWhole();
    if (applied.hasMore()) {
      apply();
    } else {
      node.restored(this);
    }
  }
}
