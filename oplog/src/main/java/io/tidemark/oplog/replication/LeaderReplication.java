package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.api.log.EntriesRemovedException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.port.MonotonicClock;
import io.tidemark.oplog.replication.Message.Closing;
import io.tidemark.oplog.replication.Message.Shipped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The leader's side of replication for one term: finds for each connected standby the point up to
 * which both logs agree, ships what follows within a window, learns what is durable where, and asks
 * for the members of the in-sync set to leave or come in.
 *
 * <p>Called by the node's loop only.
 */
public final class LeaderReplication {
  private static final long NANOS_PER_MS = 1_000_000;

  private final Parts parts;
  private final ReplicationConfig config;
  private final Leadership leadership;
  private final ReplicatedLog log;
  private final Consumer<String> deposed;
  private final MembershipChanges membership;
  private final MeetingPoint meeting;
  private final LagWatch lags;
  private final Map<Link, StandbyProgress> standbys = new LinkedHashMap<>();
  private final Set<Member> gone = new HashSet<>();

  /** Who has another state, and since which entry: until it agrees there it is not let in. */
  private final Map<Member, Long> disagreeing = new HashMap<>();

  private final Map<String, Set<Member>> mismatches = new HashMap<>();
  private long lastTickNanos;
  private boolean closed;

  /**
   * What replication is made of, in every term.
   *
   * @param shelf the node's snapshots
   * @param joinsByDigest whether the leader logs its state's digest when it is wanted, so that who
   *     joins the in-sync set has to agree on one first (COR-28)
   * @param loop runs tasks on the node's loop
   * @param logTimeMs the leader's log time, said in heartbeats
   */
  public record Parts(
      ReplicationConfig config,
      boolean joinsByDigest,
      Coordinator coordinator,
      SnapshotShelf shelf,
      MonotonicClock clock,
      Executor loop,
      LongSupplier logTimeMs,
      ReplicationCounters counters) {}

  /**
   * @param deposed told why, if it turns out that this node does not lead any more, or must not
   */
  public LeaderReplication(
      Parts parts, Leadership leadership, ReplicatedLog log, Consumer<String> deposed) {
    this.parts = parts;
    this.config = parts.config();
    this.leadership = leadership;
    this.log = log;
    this.deposed = deposed;
    membership = new MembershipChanges(leadership, parts, log, deposed);
    meeting = new MeetingPoint(parts, leadership, log, this::close);
    lags = new LagWatch(config.isrTimeoutMs() * NANOS_PER_MS);
    lastTickNanos = parts.clock().nanos();
  }

  /** The in-sync set as it was last settled. */
  public List<Member> inSync() {
    return membership.settled();
  }

  /** The membership record as it was last seen. */
  public MembershipRecord record() {
    return membership.record();
  }

  /** The connected standbys. */
  public List<StandbyProgress> standbys() {
    return List.copyOf(standbys.values());
  }

  /**
   * First entry that the log has to keep for others: for the members of the in-sync set, and for
   * connected standbys if {@code alsoCatchingUp}. The first entry of all while a member of the set
   * was not heard yet, or it is not known what a standby has.
   */
  public long neededFrom(boolean alsoCatchingUp) {
    long needed = log.wholeIndex() + 1;
    for (Member member : log.required()) {
      needed = Math.min(needed, log.durableIndexOf(member) + 1);
    }
    if (alsoCatchingUp) {
      for (StandbyProgress standby : standbys.values()) {
        needed = Math.min(needed, standby.neededFrom());
      }
    }
    return needed;
  }

  /**
   * Ends the term towards the standbys.
   *
   * @param heir whom the leadership is given to, if it is given to somebody
   */
  public void close(String why, Optional<Member> heir) {
    closed = true;
    membership.close();
    for (StandbyProgress standby : List.copyOf(standbys.values())) {
      close(standby, Closing.ofTerm(heir, standby.member()), why);
    }
  }

  // ---- streams

  /** A message of a standby; the first one of its stream has to be a {@link Message.Hello}. */
  public void message(Link link, Message message) {
    if (closed) {
      return;
    }
    StandbyProgress standby = standbys.get(link);
    if (standby == null) {
      if (message instanceof Message.Hello hello) {
        welcome(link, hello);
      } else {
        link.send(new Message.Close(epoch(), Closing.OUT_OF_ORDER, "no hello came first"));
        link.close();
      }
      return;
    }
    standby.heard(now());
    boolean fits = message.epoch() == epoch() && takes(standby, message);
    if (!fits) {
      close(standby, Closing.OUT_OF_ORDER, "unexpected in phase " + standby.phase());
    }
  }

  /** A stream is gone. */
  public void closed(Link link) {
    StandbyProgress standby = standbys.remove(link);
    if (standby != null && standby.phase() != StandbyPhase.CLOSED) {
      standby.become(StandbyPhase.CLOSED);
    }
  }

  private long epoch() {
    return leadership.epoch();
  }

  private long now() {
    return parts.clock().nanos();
  }

  private void close(StandbyProgress standby, Closing reason, String detail) {
    if (standby.phase() != StandbyPhase.CLOSED) {
      standby.become(StandbyPhase.CLOSED);
      parts.counters().add(ReplicationCounter.STREAMS_CLOSED, 1);
      standby.link().send(new Message.Close(epoch(), reason, detail));
      standby.link().close();
    }
    standbys.remove(standby.link());
  }

  private void welcome(Link link, Message.Hello hello) {
    if (hello.epoch() > epoch()) {
      link.close();
      deposed.accept("a standby accepted epoch " + hello.epoch() + ", above " + epoch());
      return;
    }
    for (StandbyProgress older : List.copyOf(standbys.values())) {
      if (older.member().node().equals(hello.member().node())) {
        close(older, Closing.REPLACED, "a newer stream of the same node took over");
      }
    }
    CommonPointSearch search =
        new CommonPointSearch(
            log.local(), hello.base().index(), hello.end().index(), log.wholeIndex());
    StandbyProgress standby = new StandbyProgress(link, hello.member(), search, now());
    standbys.put(link, standby);
    parts.counters().add(ReplicationCounter.STREAMS_ACCEPTED, 1);
    if (hello.format() != Message.FORMAT) {
      close(standby, Closing.FORMAT, "format " + hello.format() + " is not " + Message.FORMAT);
      return;
    }
    if (!hello.cluster().equals(leadership.membership().cluster())) {
      close(standby, Closing.OTHER_CLUSTER, "cluster " + leadership.membership().cluster());
      return;
    }
    log.streamBegan(hello.member());
    noteIncarnation(hello.member());
    Optional<LogPosition> same = log.local().positionAt(hello.end().index());
    boolean whole = hello.end().index() <= log.wholeIndex();
    if (whole && same.isPresent() && same.get().equals(hello.end())) {
      meeting.agreeOn(standby, hello.end());
    } else {
      meeting.probe(standby);
    }
  }

  /** A node that came back with another incarnation will not acknowledge under the old one. */
  private void noteIncarnation(Member member) {
    for (Member known : membership.settled()) {
      if (known.node().equals(member.node()) && !known.equals(member)) {
        gone.add(known);
      }
    }
  }

  private boolean takes(StandbyProgress standby, Message message) {
    if (message instanceof Message.ProbeAnswer answer) {
      return standby.phase() == StandbyPhase.PROBE && meeting.answered(standby, answer);
    } else if (message instanceof Message.Acknowledge ack) {
      return standby.sentRecords() && acknowledged(standby, ack);
    } else if (message instanceof Message.SnapshotReceived received) {
      return meeting.received(standby, received);
    } else if (message instanceof Message.Refuse refuse) {
      refused(standby, refuse);
      return true;
    } else if (message instanceof Message.DigestMismatch mismatch) {
      mismatched(standby, mismatch);
      return true;
    }
    return false;
  }

  // ---- shipping

  private boolean acknowledged(StandbyProgress standby, Message.Acknowledge ack) {
    if (!standby.acknowledged(ack)) {
      return false;
    }
    if (standby.phase() == StandbyPhase.TRUNCATE) {
      standby.become(StandbyPhase.REPLICATE);
      standby.replicatesFrom(log.wholeIndex());
    }
    log.acknowledged(standby.member(), standby.durableIndex());
    noteAgreement(standby);
    ship(standby);
    return true;
  }

  /** Something was appended: ships it. */
  public void appended() {
    if (!closed) {
      List.copyOf(standbys.values()).forEach(this::ship);
    }
  }

  private void ship(StandbyProgress standby) {
    while (standby.isReplicating() && standby.sentEnd().index() < log.wholeIndex()) {
      if (standby.gathers(config)) {
        return;
      }
      if (!standby.windowHasRoom(config)) {
        parts.counters().add(ReplicationCounter.WINDOW_FULL, 1);
        return;
      }
      try {
        shipOne(standby);
      } catch (EntriesRemovedException removed) {
        meeting.belowBase(standby);
      }
    }
  }

  private void shipOne(StandbyProgress standby) {
    List<Shipped> records = new ArrayList<>();
    LogPosition previous = standby.sentEnd();
    LogPosition[] end = {previous};
    int[] bytes = {0};
    long last = log.wholeIndex();
    log.local()
        .readRecords(
            previous.index() + 1,
            config.messageBytes(),
            (header, chainHash, record) -> {
              if (header.index() > last) {
                return false;
              }
              records.add(new Shipped(record, header.batchEnd()));
              bytes[0] += record.length;
              end[0] = new LogPosition(header.epoch(), header.index(), chainHash);
              return true;
            });
    standby.send(new Message.Append(epoch(), previous, log.committedIndex(), records), now());
    standby.sent(end[0], bytes[0]);
    parts.counters().add(ReplicationCounter.APPENDS_SENT, 1);
    parts.counters().add(ReplicationCounter.BYTES_SENT, bytes[0]);
  }

  // ---- refusals

  private void refused(StandbyProgress standby, Message.Refuse refuse) {
    standbys.remove(standby.link());
    standby.become(StandbyPhase.CLOSED);
    standby.link().close();
    if (refuse.highestAcceptedEpoch() > epoch()) {
      deposed.accept(
          "a standby accepted epoch " + refuse.highestAcceptedEpoch() + ", above " + epoch());
    }
  }

  /** One standby that disagrees leaves; two that disagree alike accuse the leader (COR-28). */
  private void mismatched(StandbyProgress standby, Message.DigestMismatch mismatch) {
    parts.counters().add(ReplicationCounter.DIGEST_MISMATCHES, 1);
    disagreeing.put(standby.member(), mismatch.index());
    standbys.remove(standby.link());
    standby.become(StandbyPhase.CLOSED);
    standby.link().close();
    String view = mismatch.index() + ":" + mismatch.ownDigest();
    Set<Member> alike = mismatches.computeIfAbsent(view, key -> new HashSet<>());
    alike.add(standby.member());
    if (alike.size() >= 2) {
      deposed.accept("two standbys agree on another digest at entry " + mismatch.index());
    }
  }

  /**
   * It has built its state anew and passed the digest that it had stopped at, which it would have
   * stopped at again.
   */
  private void noteAgreement(StandbyProgress standby) {
    Long at = disagreeing.get(standby.member());
    if (at != null && standby.appliedIndex() >= at) {
      disagreeing.remove(standby.member());
    }
  }

  // ---- time

  /** Heartbeats, time-outs and membership; called every few milliseconds. */
  public void tick() {
    if (closed) {
      return;
    }
    long now = now();
    if (now - lastTickNanos > config.isrTimeoutMs() * NANOS_PER_MS / 2) {
      lags.restart();
    }
    lastTickNanos = now;
    for (StandbyProgress standby : List.copyOf(standbys.values())) {
      if (standby.heardNothingFor(config.silenceTimeoutMs() * NANOS_PER_MS, now)) {
        close(standby, Closing.SILENT, "silent for " + config.silenceTimeoutMs() + " ms");
      } else {
        ship(standby);
        beat(standby, now);
      }
    }
    lags.keep(log.required());
    membership.step(wishes(now), now);
  }

  private void beat(StandbyProgress standby, long now) {
    if (standby.isReplicating()
        && standby.sentNothingFor(config.heartbeatMs() * NANOS_PER_MS, now)) {
      standby.send(
          new Message.Heartbeat(epoch(), log.committedIndex(), parts.logTimeMs().getAsLong()), now);
    }
  }

  private MembershipChanges.Wishes wishes(long now) {
    return new MembershipChanges.Wishes() {
      @Override
      public boolean mustLeave(Member member) {
        boolean heard = standbyOf(member).filter(s -> isHeard(s, now)).isPresent();
        return isOut(member)
            || lags.lags(member, log.durableIndexOf(member), heard, log.wholeIndex(), now);
      }

      @Override
      public Optional<Member> candidate(List<Member> settled) {
        return standbys.values().stream()
            .filter(s -> !settled.contains(s.member()) && !isOut(s.member()))
            .filter(s -> isHeard(s, now))
            .filter(s -> isNear(s) && mayJoin(s))
            .map(StandbyProgress::member)
            .findFirst();
      }

      @Override
      public boolean isConnected(Member member) {
        return standbyOf(member).filter(StandbyProgress::isReplicating).isPresent();
      }
    };
  }

  private boolean isOut(Member member) {
    return gone.contains(member) || disagreeing.containsKey(member);
  }

  private boolean isNear(StandbyProgress standby) {
    return standby.durableIndex() + config.joinLagEntries() >= log.wholeIndex();
  }

  /**
   * Below the minimum no digest can be logged: then it joins without, and agrees on a later one.
   */
  private boolean mayJoin(StandbyProgress standby) {
    return !parts.joinsByDigest() || !log.hasEnough() || standby.agreesOn(log.digestIndex());
  }

  /** Whether a standby waits to join until it has agreed on a digest that is yet to be logged. */
  public boolean wantsDigest() {
    return parts.joinsByDigest()
        && standbys.values().stream()
            .anyMatch(
                s ->
                    !membership.settled().contains(s.member())
                        && isNear(s)
                        && s.wantsDigest(log.digestIndex()));
  }

  private boolean isHeard(StandbyProgress standby, long now) {
    long patience = config.isrTimeoutMs() * NANOS_PER_MS;
    return standby.isReplicating() && !standby.heardNothingFor(patience, now);
  }

  private Optional<StandbyProgress> standbyOf(Member member) {
    return standbys.values().stream().filter(s -> s.member().equals(member)).findFirst();
  }
}
