package io.tidemark.server.node;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.rpc.Reply;
import io.tidemark.core.FaultHandler;
import io.tidemark.core.Master;
import io.tidemark.oplog.replication.ApplyCursor;
import io.tidemark.oplog.replication.DigestMismatchException;
import io.tidemark.oplog.replication.LeaderReplication;
import io.tidemark.oplog.replication.Link;
import io.tidemark.oplog.replication.Message;
import io.tidemark.oplog.replication.ReplicatedLog;
import io.tidemark.oplog.replication.ReplicationCounters;
import io.tidemark.oplog.replication.UnfinishedBatch;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * One leadership of this node, from the won campaign to its end: accept the epoch durably, cut an
 * unfinished batch, apply the log to its end, start the term, serve (COR-18).
 */
final class LeaderTerm {
  private static final long NANOS_PER_MS = 1_000_000;

  private final Node node;
  private final NodePorts ports;
  private final NodeConfig config;
  private final Leadership leadership;
  private final ReplayedState state;
  private final ApplyCursor applied;
  private final Assembly assembly;
  private final BooleanSupplier fence;
  private final ReplicatedLog log;
  private final LeaderReplication replication;
  private final AtomicBoolean shipping = new AtomicBoolean();
  private Master master;
  private boolean serving;
  private boolean publishing;
  private boolean published;
  private long publishAtNanos = Long.MIN_VALUE;
  private long digestAtNanos;
  private long wantedDigestAtNanos = Long.MIN_VALUE;
  private long digestIndex;
  private Optional<Member> heir = Optional.empty();
  private boolean over;

  /**
   * Takes over log and state of the standby.
   *
   * @throws IllegalArgumentException if the log accepted a higher epoch meanwhile
   */
  LeaderTerm(
      Node node,
      Assembly assembly,
      Leadership leadership,
      Following before,
      ReplicationCounters counters) {
    this.node = node;
    this.ports = node.ports();
    this.config = node.config();
    this.assembly = assembly;
    this.leadership = leadership;
    this.state = before.state();
    this.applied = before.applied();
    ports.log().acceptEpoch(leadership.epoch());
    UnfinishedBatch.cut(ports.log());
    ports.log().endBatch();
    fence = assembly.fence(ports.coordinator(), leadership, ports.monotonic());
    ReplicatedLog.Parts parts =
        new ReplicatedLog.Parts(
            ports.log(),
            ports.identity().self(),
            leadership.epoch(),
            config.replication().minInSync(),
            fence,
            counters,
            this::wakeSenders);
    log = assembly.replicatedLog(parts, leadership.membership().inSync());
    replication =
        new LeaderReplication(
            new LeaderReplication.Parts(
                config.replication(),
                config.digestMs() > 0,
                ports.coordinator(),
                ports.snapshots(),
                ports.monotonic(),
                ports.loop(),
                () -> master == null ? state.replayer().state().lastLogTimeMs() : logTimeMs(),
                counters),
            leadership,
            log,
            this::endSoon);
    applied.allow(ports.log().end().index());
    ports.loop().execute(this::applySlice);
  }

  private long logTimeMs() {
    return master.logTimeMs();
  }

  Leadership leadership() {
    return leadership;
  }

  ReplicatedLog log() {
    return log;
  }

  LeaderReplication replication() {
    return replication;
  }

  /** The term's master, null until the log is applied. */
  Master master() {
    return master;
  }

  boolean isFenced() {
    return fence.getAsBoolean();
  }

  /** Whoever appended wakes the loop, once. Any thread. */
  private void wakeSenders() {
    if (shipping.compareAndSet(false, true)) {
      ports
          .loop()
          .execute(
              () -> {
                shipping.set(false);
                replication.appended();
              });
    }
  }

  // ---- promotion

  private void applySlice() {
    if (over) {
      return;
    }
    try {
      applied.runSlice();
    } catch (DigestMismatchException mismatch) {
      node.halt(mismatch.getMessage());
      return;
    } catch (IllegalStateException | UnknownEventException broken) {
      node.halt("an entry does not fit the state: " + broken.getMessage());
      return;
    }
    if (applied.hasMore()) {
      ports.loop().execute(this::applySlice);
    } else {
      startMaster();
    }
  }

  private void startMaster() {
    UUID id = ports.identity().self().node();
    Uuid nodeId = new Uuid(id.getMostSignificantBits(), id.getLeastSignificantBits());
    Master.Ports masterPorts =
        new Master.Ports(
            ports.listener().watched(log),
            assembly.termClock(ports.monotonic()),
            ports.wall(),
            ports.random(),
            ports.scans(),
            faults());
    Master.Promotion promotion = new Master.Promotion(termStart(nodeId), leadership.epoch(), fence);
    master =
        Master.promote(
            config.master(),
            masterPorts,
            promotion,
            state.replayer(),
            reply -> ports.loop().execute(() -> started(reply)));
  }

  /** As an operator ordered it, if this is the term that was meant (COR-13, COR-20). */
  private Master.TermStart termStart(Uuid nodeId) {
    Optional<ForcedStart> order =
        ports.identity().ordered().filter(o -> leadership.epoch() > o.epoch());
    boolean dropsMemory = order.filter(o -> !o.keepsMemory()).isPresent();
    return new Master.TermStart(nodeId, dropsMemory, order.isPresent());
  }

  private FaultHandler faults() {
    return new FaultHandler() {
      @Override
      public void commandFailed(String command, RuntimeException broken) {
        ports.listener().commandFailed(command, broken);
      }

      @Override
      public void termEnded(String why, Throwable cause) {
        endSoon(why);
      }
    };
  }

  private void started(Reply reply) {
    if (over) {
      return;
    }
    if (!reply.equals(Reply.OK)) {
      node.demote(this, "the first entry of epoch " + leadership.epoch() + " did not commit");
      return;
    }
    ports.identity().orderIsOver();
    serving = true;
    digestAtNanos = ports.monotonic().nanos() + config.digestMs() * NANOS_PER_MS;
    node.promoted(this);
    publish();
  }

  // ---- leading

  /** What is due; the fence was looked at before. */
  void tick() {
    replication.tick();
    if (!serving || over) {
      return;
    }
    // Not earlier: it forces a file, and nobody serves as long as the loop waits for that.
    ports.identity().noteRecord(replication.record());
    long now = ports.monotonic().nanos();
    if (!published && !publishing && now >= publishAtNanos) {
      publish();
    }
    if (config.digestMs() > 0) {
      digestIfDue(now);
    }
  }

  /**
   * Standbys compare it with theirs (COR-28): now and then if anything was appended, and at once
   * for one that is about to join.
   */
  private void digestIfDue(long now) {
    long end = log.end().index();
    boolean wanted = now >= wantedDigestAtNanos && replication.wantsDigest();
    boolean due = now >= digestAtNanos && end > digestIndex;
    if (now >= digestAtNanos || wanted) {
      digestAtNanos = now + config.digestMs() * NANOS_PER_MS;
    }
    if (due || wanted) {
      wantedDigestAtNanos = now + config.retryMs() * NANOS_PER_MS;
      digestIndex = end + 1;
      master.recordDigest();
    }
  }

  /** The client port is open: names the leader to unmodified clients. */
  private void publish() {
    publishing = true;
    ports
        .coordinator()
        .publishView(leadership, config.clientAddress(), ports.identity().viewVersion())
        .thenAccept(outcome -> ports.loop().execute(() -> publishedWith(outcome)));
  }

  private void publishedWith(Outcome<Long> outcome) {
    publishing = false;
    if (over) {
      return;
    }
    if (outcome.isDone()) {
      published = true;
      ports.identity().noteView(outcome.value());
      ports.listener().published(outcome.value());
    } else if (outcome.verdict() == Verdict.REFUSED) {
      node.demote(this, "the coordination store refused to name this node: " + outcome.detail());
    } else {
      publishAtNanos = ports.monotonic().nanos() + config.retryMs() * NANOS_PER_MS;
    }
  }

  void message(Link link, Message message) {
    replication.message(link, message);
  }

  void closed(Link link) {
    replication.closed(link);
  }

  // ---- the end

  /** Standbys are told, when the term ends, who is to follow. */
  void giveTo(Optional<Member> next) {
    heir = next;
  }

  private void endSoon(String why) {
    ports.loop().execute(() -> node.demote(this, why));
  }

  /**
   * Ends the term: nothing is appended, acknowledged or answered afterwards.
   *
   * @return whether the local log is still fit for another role
   */
  boolean end(String why) {
    over = true;
    log.close();
    if (master != null) {
      master.endTerm(why);
    }
    replication.close(why, heir);
    return log.localFailure() == null;
  }
}
