package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Leadership;
import io.tidemark.api.log.LogPosition;
import io.tidemark.oplog.replication.Message.Closing;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

/**
 * The leader's side of a stream before records are shipped on it: finds the point up to which both
 * logs agree (COR-19), and lets what is behind it be cut; sends a snapshot first where the log does
 * not reach back to that point.
 *
 * <p>Called by the node's loop only.
 */
final class MeetingPoint {
  private final LeaderReplication.Parts parts;
  private final Leadership leadership;
  private final ReplicatedLog log;
  private final Ending ending;

  /** Ends a stream. */
  interface Ending {
    void close(StandbyProgress standby, Closing reason, String detail);
  }

  MeetingPoint(
      LeaderReplication.Parts parts, Leadership leadership, ReplicatedLog log, Ending ending) {
    this.parts = parts;
    this.leadership = leadership;
    this.log = log;
    this.ending = ending;
  }

  // ---- finding the common point

  /** Asks a standby whether it has the positions that decide next. */
  void probe(StandbyProgress standby) {
    List<LogPosition> question =
        standby.search().isOver() ? List.of() : standby.search().question();
    if (question.isEmpty()) {
      belowBase(standby);
    } else {
      standby.send(new Message.Probe(leadership.epoch(), question), parts.clock().nanos());
    }
  }

  /**
   * Takes its answer and goes on.
   *
   * @return whether the answer can be true
   */
  boolean answered(StandbyProgress standby, Message.ProbeAnswer answer) {
    CommonPointSearch search = standby.search();
    if (!search.answer(answer.highestMatch(), answer.lowestMismatch())) {
      return false;
    }
    if (!search.isOver()) {
      probe(standby);
    } else if (search.found().isPresent()) {
      agreeOn(standby, search.found().get());
    } else {
      belowBase(standby);
    }
    return true;
  }

  // ---- sending a snapshot

  /** The log does not reach back to what the standby has. */
  void belowBase(StandbyProgress standby) {
    Optional<SnapshotShelf.Outgoing> snapshot = Optional.empty();
    if (standby.phase() == StandbyPhase.PROBE) {
      snapshot = parts.shelf().newest(log.local().base().index());
    }
    if (snapshot.isPresent()) {
      parts.counters().add(ReplicationCounter.SNAPSHOTS_OFFERED, 1);
      standby.beginSnapshot(new SnapshotSending(snapshot.get()));
      sendParts(standby);
    } else {
      turnAway(standby);
    }
  }

  private void sendParts(StandbyProgress standby) {
    try {
      while (standby.phase() == StandbyPhase.SNAPSHOT
          && standby.snapshot().hasNext(parts.config())) {
        Message.SnapshotPart part =
            standby.snapshot().next(leadership.epoch(), parts.config().messageBytes());
        standby.send(part, parts.clock().nanos());
        parts.counters().add(ReplicationCounter.SNAPSHOT_BYTES_SENT, part.bytes().length);
      }
    } catch (UncheckedIOException lost) {
      ending.close(standby, Closing.SNAPSHOT_LOST, lost.getMessage());
    }
  }

  /**
   * More of the snapshot has arrived there: sends what follows.
   *
   * @return whether that can be true
   */
  boolean received(StandbyProgress standby, Message.SnapshotReceived received) {
    if (standby.phase() != StandbyPhase.SNAPSHOT
        || !standby.snapshot().received(received.bytes())) {
      return false;
    }
    sendParts(standby);
    return true;
  }

  private void turnAway(StandbyProgress standby) {
    parts.counters().add(ReplicationCounter.STANDBYS_BELOW_BASE, 1);
    ending.close(
        standby,
        Closing.BELOW_BASE,
        "the leader's log begins behind entry "
            + log.local().base().index()
            + " and has nothing in common with the standby's, and there is no sound snapshot to send;"
            + " the next try may find one");
  }

  /** Both logs are the same up to there; the standby cuts what it has behind it. */
  void agreeOn(StandbyProgress standby, LogPosition common) {
    standby.become(StandbyPhase.TRUNCATE);
    standby.startBehind(common);
    long byForce = leadership.membership().forcedEpoch();
    boolean forced = ForcedBranch.startsBehind(common, byForce, log.local(), log.wholeIndex());
    standby.send(new Message.Truncate(leadership.epoch(), common, forced), parts.clock().nanos());
  }
}
