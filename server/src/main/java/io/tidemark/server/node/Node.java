package io.tidemark.server.node;

import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.TruncationRefusedException;
import io.tidemark.core.Master;
import io.tidemark.core.ReplayCapture;
import io.tidemark.core.Replayer;
import io.tidemark.core.StateImporter;
import io.tidemark.oplog.replication.LeaderReplication;
import io.tidemark.oplog.replication.Link;
import io.tidemark.oplog.replication.MalformedMessageException;
import io.tidemark.oplog.replication.Message;
import io.tidemark.oplog.replication.MessageCodec;
import io.tidemark.oplog.replication.ReplicationCounters;
import io.tidemark.oplog.replication.SnapshotShelf;
import io.tidemark.oplog.replication.UnfinishedBatch;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * One master of a cluster: finds out who leads, follows, campaigns, leads, and lets go in time.
 *
 * <p>A demotion has no rollback: the state of the term is dropped and built anew from the log
 * (crash-only). What a node can't decide by itself halts it, with a reason for people.
 *
 * <p>Called on the node's loop only, also by its ports. An exception that passes through is a
 * broken invariant: the process ends, and starts over from the log.
 */
public final class Node {
  private static final long NANOS_PER_MS = 1_000_000;

  private final NodeConfig config;
  private final NodePorts ports;
  private final Assembly assembly;
  private final ReplicationCounters counters = new ReplicationCounters();
  private NodeRole role = NodeRole.BOOTING;
  private String why = "starting";
  private Following following;
  private LeaderTerm term;
  private final Candidacy candidacy;
  private boolean stopped;
  private long restores;
  private long noDialBeforeNanos = Long.MIN_VALUE;

  public Node(NodeConfig config, NodePorts ports) {
    this(config, ports, new Assembly());
  }

  Node(NodeConfig config, NodePorts ports, Assembly assembly) {
    this.config = config;
    this.ports = ports;
    this.assembly = assembly;
    candidacy = new Candidacy(this, assembly);
  }

  /** Begins; the log has been opened. */
  public void start() {
    candidacy.listen();
    tick();
  }

  // ---- what others may ask

  public NodeRole role() {
    return role;
  }

  /** Why the node is what it is, or what it waits for; a sentence for people. */
  public String why() {
    return why;
  }

  public ReplicationCounters counters() {
    return counters;
  }

  /** The serving master. */
  public Optional<Master> master() {
    return role == NodeRole.LEADER ? Optional.of(term.master()) : Optional.empty();
  }

  /** The held leadership. */
  public Optional<Leadership> leadership() {
    return role.leads() ? Optional.of(term.leadership()) : Optional.empty();
  }

  /** The leader's side of replication. */
  public Optional<LeaderReplication> replication() {
    return role.leads() ? Optional.of(term.replication()) : Optional.empty();
  }

  /** The leader's commit index, or what this node knows to be committed. */
  public long commitIndex() {
    return role.leads() ? term.log().committedIndex() : ports.log().knownCommit();
  }

  /** The standby's state, for queries; empty in other roles. */
  public Optional<Replayer> standbyState() {
    return following == null ? Optional.empty() : Optional.of(following.state().replayer());
  }

  /** Whom a standby follows. */
  public Optional<LeaderInfo> leader() {
    return following == null ? Optional.empty() : following.leader();
  }

  /** Whether a standby gets what its leader appends. */
  public boolean isAttached() {
    return following != null && following.isAttached();
  }

  boolean isStopped() {
    return stopped;
  }

  /**
   * Fixes a standby's state for a snapshot, between two commands.
   *
   * @param then given the capture at once or later, or nothing if this node is no standby
   */
  public void capture(long maxPreservedBytes, Consumer<Optional<ReplayCapture>> then) {
    if (role == NodeRole.STANDBY) {
      following.capture(maxPreservedBytes, then);
    } else {
      then.accept(Optional.empty());
    }
  }

  NodePorts ports() {
    return ports;
  }

  NodeConfig config() {
    return config;
  }

  // ---- time and streams

  /** Does what is due; called every few milliseconds. */
  public void tick() {
    if (stopped) {
      return;
    }
    try {
      tickRole();
    } catch (LogFailureException failure) {
      halt("the log failed: " + failure.getMessage());
    }
  }

  private void tickRole() {
    if (role.leads()) {
      if (term.isFenced()) {
        demote(term, "the lease was not renewed in time");
      } else {
        term.tick();
      }
      return;
    }
    if (role == NodeRole.STANDBY) {
      following.tick();
    }
    candidacy.tick();
  }

  /** A dialed stream is there. */
  public void opened(Link link) {
    if (following != null && following.owns(link)) {
      guard(following::opened);
    } else {
      link.close();
    }
  }

  /** A message arrived. */
  public void message(Link link, byte[] bytes) {
    Message message;
    try {
      message = MessageCodec.read(bytes);
    } catch (MalformedMessageException malformed) {
      ports.listener().alarm(malformed.getMessage());
      link.close();
      closed(link);
      return;
    }
    if (following != null && following.owns(link)) {
      guard(() -> following.message(message));
    } else if (role.leads()) {
      guard(() -> term.message(link, message));
    } else {
      long epoch = ports.log().acceptedEpoch();
      link.send(new Message.Close(epoch, Message.Closing.NOT_LEADING, "this node is " + role));
      link.close();
    }
  }

  /** A stream is gone, whoever dialed it. */
  public void closed(Link link) {
    if (following != null && following.owns(link)) {
      following.closed();
    } else if (role.leads()) {
      term.closed(link);
    }
  }

  private void guard(Runnable action) {
    try {
      action.run();
    } catch (LogFailureException failure) {
      halt("the log failed: " + failure.getMessage());
    }
  }

  // ---- what the coordination store says

  /** Nobody leads. */
  void nobodyLeads() {
    following.nobodyLeads();
  }

  /** Whose cluster it is; the first that is learned. */
  void clusterKnown(UUID cluster) {
    restore("the cluster is " + cluster);
  }

  /** Somebody leads. */
  void follow(LeaderInfo leader) {
    following.follow(leader);
  }

  // ---- changing roles

  /** The campaign was won. */
  void promote(Leadership leadership) {
    Following before = following;
    following.end();
    following = null;
    become(NodeRole.PROMOTING, "won epoch " + leadership.epoch());
    try {
      term = new LeaderTerm(this, assembly, leadership, before, counters);
    } catch (IllegalArgumentException higher) {
      ports.coordinator().resign(leadership);
      become(NodeRole.FENCED, "a higher epoch was accepted: " + higher.getMessage());
      restore("the won epoch is stale");
    } catch (LogFailureException failure) {
      ports.coordinator().resign(leadership);
      halt("the log failed: " + failure.getMessage());
    }
  }

  /** The term's master serves. */
  void promoted(LeaderTerm started) {
    become(NodeRole.LEADER, "epoch " + started.leadership().epoch() + " serves");
    ports.listener().serving(started.master(), started.leadership());
  }

  /** The leader gives its leadership away: to this standby, or to another one. */
  void handedOver(boolean toThisNode) {
    candidacy.handedOver(toThisNode);
  }

  /**
   * Gives the leadership back, for another member to take it; nothing if there is none.
   *
   * @param heir the standby that is to take it, if there is one that holds all of the log
   * @param noCampaignBefore monotonic time, ns, before which this node does not campaign itself,
   *     unless another led meanwhile
   */
  public void stepDown(String reason, Optional<Member> heir, long noCampaignBefore) {
    if (role.leads()) {
      candidacy.noCampaignBefore(noCampaignBefore);
      term.giveTo(heir);
      demote(term, reason);
    }
  }

  /** Lets go of a leadership: drops the state, gives the lease back, starts over. */
  void demote(LeaderTerm ended, String reason) {
    if (term != ended || !role.leads()) {
      return;
    }
    boolean served = role == NodeRole.LEADER;
    become(NodeRole.FENCED, reason);
    boolean logIsSound = ended.end(reason);
    term = null;
    ports.coordinator().resign(ended.leadership());
    if (served) {
      ports.listener().notServing();
    }
    if (logIsSound) {
      guard(() -> restore("the leadership is over: " + reason));
    } else {
      halt("the log failed, the process has to start over: " + reason);
    }
  }

  /** Builds the state anew, from snapshot and log. */
  private void restore(String reason) {
    become(NodeRole.RESTORING, reason);
    UnfinishedBatch.cut(ports.log());
    ports.log().endBatch();
    chooseState();
  }

  private void chooseState() {
    long ticket = ++restores;
    ports
        .snapshots()
        .restore(
            choice -> {
              if (isRestoring(ticket)) {
                guard(() -> goOnFrom(choice));
              }
            });
  }

  /** Whether what began with this ticket is still wanted. */
  private boolean isRestoring(long ticket) {
    return role == NodeRole.RESTORING && ticket == restores && !stopped;
  }

  /** A snapshot holds committed entries only (COR-26). */
  private void goOnFrom(NodeSnapshots.Choice choice) {
    if (choice.state().isEmpty()) {
      halt(choice.why());
      return;
    }
    StateImporter.Restored state = choice.state().get();
    if (choice.beyondLog()) {
      ports.snapshots().goOnBehind(state.position());
    }
    ports.log().noteCommit(state.position().index());
    say(choice.why());
    following = new Following(this, assembly, new ReplayedState(new Replayer(state)), counters);
    following.noDialBefore(noDialBeforeNanos);
    following.restore();
  }

  /** A snapshot arrived, since the leader's log does not reach back to this node's. */
  void install(Following receiver, SnapshotShelf.Incoming snapshot) {
    if (following != receiver || role != NodeRole.STANDBY) {
      snapshot.abandon();
      return;
    }
    following.end();
    following = null;
    become(NodeRole.RESTORING, "the leader's snapshot of " + snapshot.position() + " arrived");
    long ticket = ++restores;
    ports
        .snapshots()
        .publish(
            snapshot,
            failure -> {
              if (isRestoring(ticket)) {
                guard(() -> installed(snapshot.position(), failure));
              }
            });
  }

  private void installed(LogPosition position, Optional<String> failure) {
    if (failure.isPresent()) {
      ports.listener().alarm("the leader's snapshot can't be installed: " + failure.get());
      long pauseNanos = config.silenceMs() * NANOS_PER_MS;
      noDialBeforeNanos = ports.monotonic().nanos() + pauseNanos;
    } else if (!position.equals(ports.log().positionAt(position.index()).orElse(null))) {
      try {
        ports.log().restartAt(position);
      } catch (TruncationRefusedException refused) {
        halt("the leader's snapshot does not hold what is committed here: " + refused.getMessage());
        return;
      }
    }
    chooseState();
  }

  /** Entries that were applied are gone from the log. */
  void restoreAgain(Following invalid) {
    if (following == invalid && role == NodeRole.STANDBY) {
      following.end();
      guard(() -> restore("entries that were applied are gone from the log"));
    }
  }

  /** What was known to be committed is applied. */
  void restored(Following restored) {
    if (following == restored && role == NodeRole.RESTORING) {
      become(NodeRole.STANDBY, "the state is restored");
      candidacy.beginAnew();
    }
  }

  /** Stops for good and keeps everything. */
  void halt(String reason) {
    if (role == NodeRole.HALTED) {
      return;
    }
    boolean served = role == NodeRole.LEADER;
    LeaderTerm ended = term;
    become(NodeRole.HALTED, reason);
    letGo(ended, reason);
    if (served) {
      ports.listener().notServing();
    }
    ports.listener().alarm(reason);
  }

  private void letGo(LeaderTerm ended, String reason) {
    if (ended != null) {
      ended.end(reason);
      ports.coordinator().resign(ended.leadership());
      term = null;
    }
    if (following != null) {
      following.end();
      following = null;
    }
  }

  /**
   * Ends the node: gives a leadership back and closes the log, with the clean-stop mark if it is
   * sound.
   */
  public void stop() {
    if (stopped) {
      return;
    }
    stopped = true;
    boolean sound = role != NodeRole.HALTED;
    boolean served = role == NodeRole.LEADER;
    LeaderTerm ended = term;
    if (sound) {
      become(NodeRole.HALTED, "the node was stopped");
    }
    letGo(ended, why);
    if (served) {
      ports.listener().notServing();
    }
    ports.log().close(sound && endsWhole());
  }

  private boolean endsWhole() {
    try {
      UnfinishedBatch.cut(ports.log());
      return true;
    } catch (LogFailureException failure) {
      ports.listener().alarm("the log failed: " + failure.getMessage());
      return false;
    }
  }

  private void become(NodeRole next, String reason) {
    if (!role.mayBecome(next)) {
      throw new IllegalStateException("a node can't go from " + role + " to " + next);
    }
    role = next;
    say(reason);
  }

  /** Says why the node is what it is. */
  void say(String reason) {
    if (!reason.equals(why)) {
      why = reason;
      ports.listener().role(role, reason);
    }
  }
}
