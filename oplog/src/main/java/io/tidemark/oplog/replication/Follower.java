package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.RecordRefusedException;
import io.tidemark.api.log.ReplicaLog;
import io.tidemark.api.log.TruncationRefusedException;
import io.tidemark.oplog.replication.Message.Refusal;
import io.tidemark.oplog.replication.Message.Shipped;
import java.io.UncheckedIOException;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The standby's side of one stream: says what it has, cuts what the leader does not have, appends
 * what it is sent, acknowledges what is durable, and lets be applied what is committed.
 *
 * <p>It follows nobody whose epoch is below the highest it accepted, and accepts a higher one
 * durably before anything else (COR-18). It cuts nothing that it knows to be committed (COR-20),
 * and stops where the same epoch and index hold other content (COR-19).
 *
 * <p>Called by the node's loop only. A {@link io.tidemark.api.log.LogFailureException} of the local
 * log passes through: the node stops.
 */
public class Follower {
  private final Parts parts;
  private final ReplicaLog log;
  private final Link link;
  private final Events events;
  private SnapshotReceiving receiving;
  private boolean snapshotLost;
  private boolean attached;
  private boolean closed;
  private long streamEpoch;
  private long lastDurableSent;
  private long lastHeardNanos;
  private long leaderCommit;
  private long wholeIndex;

  /** What following is made of, whichever the stream. */
  public record Parts(
      ReplicaLog log,
      UUID cluster,
      Member self,
      ApplyCursor applied,
      SnapshotShelf shelf,
      ReplicationCounters counters) {}

  /** What the node is told. */
  public interface Events {
    /** Entries may be applied: {@link ApplyCursor#hasMore}. */
    void applicable();

    /** Entries that were applied are gone from the log: the state has to be built anew. */
    void stateInvalid();

    /** Evidence was set aside. */
    void cut(long entries, String evidence);

    /** Snapshots behind {@code keep} are of a branch that is being cut off (COR-26). */
    void cutting(LogPosition keep);

    /** A snapshot arrived whole, and the stream is over: it is to be installed. */
    void snapshotReceived(SnapshotShelf.Incoming snapshot);

    /** The node must not go on by itself; everything is kept for a person to look at. */
    void mustStop(String why);

    /** The stream is over; the node may dial again. */
    void streamOver(String why);

    /**
     * The leader gives its leadership away; the stream's end is told next.
     *
     * @param toThisNode whether to this node, which is to campaign then, or to another one
     */
    void handedOver(boolean toThisNode);
  }

  /** Takes up a stream that was opened, by saying hello. The log ends with a whole batch. */
  public Follower(Parts parts, Link link, Events events, long nowNanos) {
    this.parts = parts;
    this.log = parts.log();
    this.link = link;
    this.events = events;
    lastHeardNanos = nowNanos;
    wholeIndex = log.end().index();
    link.send(
        new Message.Hello(
            Message.FORMAT,
            parts.cluster(),
            parts.self(),
            log.acceptedEpoch(),
            log.end(),
            log.base(),
            log.knownCommit()));
  }

  /** Whether both logs were found to agree, so that this standby gets what is appended. */
  public boolean isAttached() {
    return attached && !closed;
  }

  /** Whether a snapshot began to arrive that did not get here whole, or could not be kept. */
  public boolean lostSnapshot() {
    return snapshotLost;
  }

  /** When something was heard last; monotonic time. */
  public long lastHeardNanos() {
    return lastHeardNanos;
  }

  /** The leader's commit index as last heard. */
  public long leaderCommit() {
    return leaderCommit;
  }

  /** Leaves the stream, or it is gone; a snapshot that was not whole is given up. */
  public void close() {
    closed = true;
    link.close();
    if (receiving != null) {
      snapshotLost = true;
      parts.counters().add(ReplicationCounter.SNAPSHOTS_ABANDONED, 1);
      receiving.incoming().abandon();
      receiving = null;
    }
  }

  /** A message of the leader. */
  public void message(Message message, long nowNanos) {
    if (closed) {
      return;
    }
    lastHeardNanos = nowNanos;
    if (message instanceof Message.Close close) {
      if (close.reason() == Message.Closing.YOURS || close.reason() == Message.Closing.ANOTHERS) {
        events.handedOver(close.reason() == Message.Closing.YOURS);
      }
      over("the leader closed the stream: " + close.reason() + ", " + close.detail());
      if (close.reason() == Message.Closing.REPLACED) {
        events.mustStop(
            "another process says that it is this node, "
                + parts.self().node()
                + ", with a copy of its data directory; let only one of them run, and give the other"
                + " an empty directory");
      }
    } else if (message.epoch() < log.acceptedEpoch()) {
      parts.counters().add(ReplicationCounter.STALE_EPOCHS_REFUSED, 1);
      refuse(message, Refusal.STALE_EPOCH, "epoch " + log.acceptedEpoch() + " was accepted here");
    } else if (streamEpoch != 0 && message.epoch() != streamEpoch) {
      refuse(message, Refusal.OUT_OF_ORDER, "the stream is of epoch " + streamEpoch);
    } else {
      accept(message.epoch());
      take(message);
    }
  }

  private void accept(long epoch) {
    streamEpoch = epoch;
    if (epoch > log.acceptedEpoch()) {
      log.acceptEpoch(epoch);
    }
  }

  private void take(Message message) {
    if (message instanceof Message.Probe probe) {
      answer(probe);
    } else if (message instanceof Message.Truncate truncate) {
      truncate(truncate);
    } else if (message instanceof Message.SnapshotPart part && !attached) {
      snapshotPart(part);
    } else if (message instanceof Message.Append append && attached) {
      append(append);
    } else if (message instanceof Message.Heartbeat beat && attached) {
      committed(beat.commitIndex());
      acknowledge();
    } else {
      refuse(message, Refusal.OUT_OF_ORDER, "unexpected " + message.getClass().getSimpleName());
    }
  }

  // ---- finding the common point

  private void answer(Message.Probe probe) {
    OptionalLong highestMatch = OptionalLong.empty();
    OptionalLong lowestMismatch = OptionalLong.empty();
    for (LogPosition theirs : probe.positions()) {
      LogPosition own = log.positionAt(theirs.index()).orElse(null);
      if (theirs.equals(own)) {
        highestMatch = OptionalLong.of(theirs.index());
      } else {
        if (own != null && own.epoch() == theirs.epoch()) {
          stop(probe, Refusal.OTHER_CONTENT, own + " is here, the leader has " + theirs);
          return;
        }
        if (lowestMismatch.isEmpty()) {
          lowestMismatch = OptionalLong.of(theirs.index());
        }
      }
    }
    link.send(new Message.ProbeAnswer(streamEpoch, highestMatch, lowestMismatch));
  }

  private void truncate(Message.Truncate message) {
    LogPosition keep = message.keep();
    if (!keep.equals(log.positionAt(keep.index()).orElse(null))) {
      refuse(message, Refusal.OUT_OF_ORDER, keep + " is not a position of this log");
      return;
    }
    if (log.end().index() > keep.index()) {
      boolean stateGoes = parts.applied().appliedIndex() > keep.index();
      try {
        cutBehind(keep, message.forcedBranch());
      } catch (TruncationRefusedException refused) {
        stop(message, Refusal.COMMITTED_ENTRIES, refused.getMessage());
        return;
      }
      if (stateGoes) {
        over("entries that were applied are gone, for a forced epoch");
        events.stateInvalid();
        return;
      }
    }
    attached = true;
    wholeIndex = log.end().index();
    acknowledge();
  }

  /** Cuts, with evidence. */
  void cutBehind(LogPosition keep, boolean forcedBranch) {
    events.cutting(keep);
    ReplicaLog.Truncation cut = log.truncateAfter(keep, forcedBranch);
    parts.counters().add(ReplicationCounter.ENTRIES_CUT, cut.entriesCut());
    events.cut(cut.entriesCut(), cut.evidence());
  }

  // ---- a snapshot instead of what the leader's log does not have any more

  private void snapshotPart(Message.SnapshotPart part) {
    try {
      if (receiving == null && !begin(part)) {
        return;
      }
      if (!receiving.fits(part)) {
        refuse(part, Refusal.OUT_OF_ORDER, "a part of a snapshot that does not follow");
        return;
      }
      receiving.take(part);
    } catch (UncheckedIOException unkept) {
      snapshotLost = true;
      refuse(part, Refusal.NO_ROOM, unkept.getMessage());
      return;
    }
    link.send(new Message.SnapshotReceived(streamEpoch, receiving.bytes()));
    if (receiving.isWhole()) {
      SnapshotShelf.Incoming whole = receiving.incoming();
      receiving = null;
      parts.counters().add(ReplicationCounter.SNAPSHOTS_RECEIVED, 1);
      over("a snapshot of entry " + whole.position().index() + " was received");
      events.snapshotReceived(whole);
    }
  }

  /** What is known to be committed here has to be in the snapshot (COR-20). */
  private boolean begin(Message.SnapshotPart part) {
    LogPosition at = part.position();
    boolean held = at.equals(log.positionAt(at.index()).orElse(null));
    if (at.index() < log.knownCommit() && !held) {
      stop(
          part,
          Refusal.COMMITTED_ENTRIES,
          "the leader's snapshot is of " + at + ", entry " + log.knownCommit() + " is committed");
      return false;
    }
    receiving =
        new SnapshotReceiving(parts.shelf().receive(at, part.totalBytes()), part.totalBytes());
    return true;
  }

  // ---- appending

  private void append(Message.Append append) {
    if (!append.previous().equals(log.end())) {
      refuse(append, Refusal.OUT_OF_ORDER, append.previous() + " is not the end " + log.end());
      return;
    }
    try {
      for (Shipped shipped : append.records()) {
        log.appendRecord(shipped.record(), 0, shipped.record().length);
        if (shipped.batchEnd()) {
          log.endBatch();
          wholeIndex = log.end().index();
        }
      }
    } catch (RecordRefusedException refused) {
      refuse(append, Refusal.RECORD, refused.why() + ": " + refused.getMessage());
      return;
    } catch (LogFullException full) {
      refuse(append, Refusal.NO_ROOM, full.getMessage());
      return;
    }
    parts.counters().add(ReplicationCounter.APPENDS_TAKEN, 1);
    committed(append.commitIndex());
    acknowledge();
  }

  /** Only what this log holds is noted and applied, and only whole batches are committed. */
  private void committed(long index) {
    leaderCommit = Math.max(leaderCommit, index);
    long own = Math.min(index, wholeIndex);
    log.noteCommit(own);
    parts.applied().allow(own);
    if (parts.applied().hasMore()) {
      events.applicable();
    }
  }

  private void acknowledge() {
    lastDurableSent = log.durableIndex();
    link.send(
        new Message.Acknowledge(
            streamEpoch, log.end().index(), lastDurableSent, parts.applied().appliedIndex()));
  }

  /** The local log may have forced more. */
  public void durable() {
    if (isAttached() && log.durableIndex() > lastDurableSent) {
      acknowledge();
    }
  }

  // ---- ends

  /** The state disagrees with the leader's (COR-28): tells it and stops. */
  public void mismatch(DigestMismatchException mismatch) {
    parts.counters().add(ReplicationCounter.DIGEST_MISMATCHES, 1);
    if (!closed) {
      link.send(
          new Message.DigestMismatch(
              streamEpoch, mismatch.index(), mismatch.ownDigest(), mismatch.leaderDigest()));
      close();
    }
  }

  private void refuse(Message message, Refusal reason, String detail) {
    parts.counters().add(ReplicationCounter.STREAMS_REFUSED, 1);
    link.send(new Message.Refuse(message.epoch(), log.acceptedEpoch(), reason, detail));
    over(reason + ": " + detail);
  }

  private void stop(Message message, Refusal reason, String detail) {
    refuse(message, reason, detail);
    events.mustStop(reason + ": " + detail);
  }

  private void over(String why) {
    close();
    events.streamOver(why);
  }
}
