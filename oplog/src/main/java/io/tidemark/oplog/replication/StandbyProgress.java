package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogPosition;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a leader knows of one connected standby, and what is under way to it. Called by the node's
 * loop.
 */
public final class StandbyProgress {

  /** A message of records that was not acknowledged yet. */
  private record UnderWay(long lastIndex, int bytes) {}

  private static final int SMALL_UNDER_WAY = 2;

  private final Link link;
  private final Member member;
  private final Deque<UnderWay> underWay = new ArrayDeque<>();
  private StandbyPhase phase = StandbyPhase.PROBE;
  private CommonPointSearch search;
  private SnapshotSending snapshot;
  private LogPosition sentEnd = LogPosition.START;
  private long bytesUnderWay;
  private long receivedIndex;
  private long durableIndex;
  private long appliedIndex;
  private long digestWantedAbove;
  private boolean agreedOnDigest;
  private long lastHeardNanos;
  private long lastSentNanos;

  StandbyProgress(Link link, Member member, CommonPointSearch search, long nowNanos) {
    this.link = link;
    this.member = member;
    this.search = search;
    lastHeardNanos = nowNanos;
    lastSentNanos = nowNanos;
  }

  public Member member() {
    return member;
  }

  public StandbyPhase phase() {
    return phase;
  }

  /** Durable end of its log as of the last acknowledgement. */
  public long durableIndex() {
    return durableIndex;
  }

  public long appliedIndex() {
    return appliedIndex;
  }

  /** Bytes of records that were sent and not acknowledged yet. */
  public long bytesUnderWay() {
    return bytesUnderWay;
  }

  Link link() {
    return link;
  }

  CommonPointSearch search() {
    return search;
  }

  void become(StandbyPhase next) {
    phase = phase.to(next);
    if (next != StandbyPhase.PROBE) {
      search = null;
    }
    if (next == StandbyPhase.CLOSED && snapshot != null) {
      snapshot.close();
    }
  }

  /** The snapshot that it is sent; in phase SNAPSHOT only. */
  SnapshotSending snapshot() {
    return snapshot;
  }

  void beginSnapshot(SnapshotSending sending) {
    become(StandbyPhase.SNAPSHOT);
    snapshot = sending;
  }

  /** First entry of the leader's log that it still has to be sent; 0 while that is looked for. */
  public long neededFrom() {
    return switch (phase) {
      case SNAPSHOT -> snapshot.position().index() + 1;
      case TRUNCATE, REPLICATE -> receivedIndex + 1;
      case PROBE, CLOSED -> 0;
    };
  }

  /** Whether it was told where records begin, so that it acknowledges. */
  boolean sentRecords() {
    return phase == StandbyPhase.TRUNCATE || phase == StandbyPhase.REPLICATE;
  }

  boolean isReplicating() {
    return phase == StandbyPhase.REPLICATE;
  }

  // ---- the digest (COR-28)

  /** From here on it gets what is appended: a digest behind this entry has to be its own, too. */
  void replicatesFrom(long wholeIndex) {
    digestWantedAbove = wholeIndex;
  }

  /** Whether it lacks a digest to compare itself with. */
  boolean wantsDigest(long digestIndex) {
    return isReplicating() && !agreedOnDigest && digestIndex <= digestWantedAbove;
  }

  /** Whether it applied a digest of the leader's since it replicates: else it had stopped. */
  boolean agreesOn(long digestIndex) {
    agreedOnDigest |= digestIndex > digestWantedAbove && appliedIndex >= digestIndex;
    return agreedOnDigest;
  }

  // ---- sending

  void send(Message message, long nowNanos) {
    lastSentNanos = nowNanos;
    link.send(message);
  }

  /** Position of the last record sent, which the next one follows. */
  LogPosition sentEnd() {
    return sentEnd;
  }

  void startBehind(LogPosition position) {
    sentEnd = position;
    receivedIndex = position.index();
  }

  void sent(LogPosition newEnd, int bytes) {
    sentEnd = newEnd;
    underWay.add(new UnderWay(newEnd.index(), bytes));
    bytesUnderWay += bytes;
  }

  boolean windowHasRoom(ReplicationConfig config) {
    return underWay.isEmpty()
        || (underWay.size() < config.windowMessages() && bytesUnderWay < config.windowBytes());
  }

  /**
   * Whether what was appended waits for an acknowledgement, so that more of it goes in one message:
   * two small ones under way keep the standby busy, and each one more costs both sides as much as a
   * larger one. Messages of one that catches up are large, and only the window bounds those.
   */
  boolean gathers(ReplicationConfig config) {
    return underWay.size() >= SMALL_UNDER_WAY
        && underWay.peekLast().bytes() < config.messageBytes() / 2;
  }

  boolean sentNothingFor(long nanos, long nowNanos) {
    return nowNanos - lastSentNanos >= nanos;
  }

  // ---- hearing

  void heard(long nowNanos) {
    lastHeardNanos = nowNanos;
  }

  boolean heardNothingFor(long nanos, long nowNanos) {
    return nowNanos - lastHeardNanos > nanos;
  }

  /**
   * Takes an acknowledgement.
   *
   * @return whether it can be true
   */
  boolean acknowledged(Message.Acknowledge ack) {
    boolean possible =
        ack.receivedIndex() >= receivedIndex
            && ack.receivedIndex() <= sentEnd.index()
            && ack.durableIndex() <= ack.receivedIndex();
    if (!possible) {
      return false;
    }
    receivedIndex = ack.receivedIndex();
    durableIndex = Math.max(durableIndex, ack.durableIndex());
    appliedIndex = ack.appliedIndex();
    while (!underWay.isEmpty() && underWay.peek().lastIndex() <= receivedIndex) {
      bytesUnderWay -= underWay.poll().bytes();
    }
    return true;
  }
}
