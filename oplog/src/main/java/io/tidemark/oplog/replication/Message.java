package io.tidemark.oplog.replication;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogPosition;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What leader and standby say to each other. The binary form is in {@link MessageCodec}.
 *
 * <p>{@link #epoch()} is the epoch of the leadership that the stream belongs to; in {@link Hello}
 * the highest one that the standby accepted.
 */
public sealed interface Message {

  /** Format of the messages that this version speaks; said in {@link Hello}. */
  int FORMAT = 1;

  long epoch();

  /** What a standby sends. */
  sealed interface ToLeader extends Message {}

  /** What a leader sends. */
  sealed interface ToStandby extends Message {}

  /**
   * First message of a stream.
   *
   * @param end end of the standby's log, which is the end of a batch
   * @param base position before the first entry that it still has
   */
  record Hello(
      int format,
      UUID cluster,
      Member member,
      long epoch,
      LogPosition end,
      LogPosition base,
      long knownCommit)
      implements ToLeader {}

  /**
   * Positions of the leader's log; the standby says which of them it has. Both logs agree up to the
   * highest common one.
   */
  record Probe(long epoch, List<LogPosition> positions) implements ToStandby {
    public Probe {
      positions = List.copyOf(positions);
    }
  }

  /**
   * Answer to {@link Probe}.
   *
   * @param highestMatch index of the highest position that the standby has, empty if it has none
   * @param lowestMismatch index of the lowest one that it does not have, empty if it has all
   */
  record ProbeAnswer(long epoch, OptionalLong highestMatch, OptionalLong lowestMismatch)
      implements ToLeader {}

  /**
   * The logs agree up to {@code keep}. The standby cuts whatever is behind it and is sent what
   * follows. Sent also if nothing is to be cut.
   *
   * @param forcedBranch what follows begins with an epoch that an operator forced (COR-20)
   */
  record Truncate(long epoch, LogPosition keep, boolean forcedBranch) implements ToStandby {}

  /**
   * Records behind {@code previous}, which is the end of the standby's log.
   *
   * @param commitIndex commit index of the leader, may be above what the standby has
   */
  record Append(long epoch, LogPosition previous, long commitIndex, List<Shipped> records)
      implements ToStandby {
    public Append {
      records = List.copyOf(records);
    }
  }

  /** A record as it is stored; never changed. */
  record Shipped(byte[] record, boolean batchEnd) {}

  /**
   * A part of a snapshot, for a standby with which the leader's log has nothing in common. Parts
   * come in order; the standby installs the snapshot once it has them all, closes the stream and
   * says hello anew.
   *
   * @param position where the snapshot stands
   * @param totalBytes bytes of all parts
   * @param offset bytes before this part
   */
  record SnapshotPart(long epoch, LogPosition position, long totalBytes, long offset, byte[] bytes)
      implements ToStandby {}

  /** The leader lives. Sent if nothing else was for a while. */
  record Heartbeat(long epoch, long commitIndex, long leaderLogTimeMs) implements ToStandby {}

  /**
   * Answer to every {@link Truncate}, {@link Append} and {@link Heartbeat}; sent also when more
   * became durable.
   *
   * @param receivedIndex end of the standby's log
   * @param durableIndex up to where its promise of durability holds; whole batches
   */
  record Acknowledge(long epoch, long receivedIndex, long durableIndex, long appliedIndex)
      implements ToLeader {}

  /** Answer to every {@link SnapshotPart}: how many bytes there are. */
  record SnapshotReceived(long epoch, long bytes) implements ToLeader {}

  /** The standby does not go on with this stream, and closes it. */
  record Refuse(long epoch, long highestAcceptedEpoch, Refusal reason, String detail)
      implements ToLeader {}

  /** After {@code index} the standby's state is not what the leader's was; it stops (COR-28). */
  record DigestMismatch(long epoch, long index, long ownDigest, long leaderDigest)
      implements ToLeader {}

  /** The leader does not go on with this stream, and closes it. */
  record Close(long epoch, Closing reason, String detail) implements ToStandby {}

  /** Why a standby does not go on. Append only: the position is part of the format. */
  enum Refusal {
    /** It accepted a higher epoch (COR-18). */
    STALE_EPOCH,
    /** The message does not fit what was said before. */
    OUT_OF_ORDER,
    /** A record is damaged or does not follow its log. */
    RECORD,
    /** Its disk has no room. */
    NO_ROOM,
    /** It would have to cut committed entries, and stops (COR-20). */
    COMMITTED_ENTRIES,
    /** The same epoch and index hold other content here, and it stops (COR-19). */
    OTHER_CONTENT
  }

  /** Why a leader does not go on. Append only: the position is part of the format. */
  enum Closing {
    /** The node does not lead. */
    NOT_LEADING,
    /** The standby speaks a format that the leader does not know. */
    FORMAT,
    /** It belongs to another cluster (COR-17). */
    OTHER_CLUSTER,
    /** The leader's log begins behind the point up to which both agree; no snapshot is at hand. */
    BELOW_BASE,
    /**
     * A newer stream of the same node took over: who hears this is not the only one of its name.
     */
    REPLACED,
    /** Nothing was heard for too long. */
    SILENT,
    /** The message does not fit what was said before. */
    OUT_OF_ORDER,
    /** The leadership is over. */
    TERM_OVER,
    /** The snapshot that was being sent can't be read any more; the next try sends another. */
    SNAPSHOT_LOST,
    /**
     * The leadership is given away, to this standby: it holds all of the log and is to campaign.
     */
    YOURS,
    /** The leadership is given away, to another standby, which is let go first. */
    ANOTHERS;

    /** What a standby is told when a term ends and somebody, or nobody, is to have the next. */
    static Closing ofTerm(Optional<Member> heir, Member standby) {
      if (heir.isEmpty()) {
        return TERM_OVER;
      }
      return heir.get().equals(standby) ? YOURS : ANOTHERS;
    }
  }
}
