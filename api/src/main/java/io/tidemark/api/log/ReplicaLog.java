package io.tidemark.api.log;

import java.util.Optional;

/**
 * The operation log of a node that may lead or follow: what replication needs beside appending.
 *
 * <p>Threads as {@link OperationLog}: one thread at a time appends, truncates and restarts. {@link
 * #readRecords}, {@link #positionAt} and the plain getters may be called from any thread for
 * entries up to the present end.
 */
public interface ReplicaLog extends OperationLog {

  /** The position before the first entry that the log still has. */
  LogPosition base();

  /** The position of an entry, empty if the log does not have it (the base's position it has). */
  Optional<LogPosition> positionAt(long index);

  /**
   * Highest index of a whole batch whose local promise of durability holds: appended with {@code
   * persist=page}, forced with {@code persist=disk}. What a follower acknowledges.
   */
  long durableIndex();

  /**
   * Hands out records as they are stored, checksum and chain hash included, for shipping.
   *
   * <p>Entries may be removed at the front meanwhile, and the log may grow: what is handed out is
   * the beginning of what was there, in order and without gaps.
   *
   * @param fromIndex first entry; behind the end nothing is handed out
   * @param maxBytes stops before more than this many bytes; one record is always handed out
   * @throws EntriesRemovedException if the log does not have the entry any more, or loses it while
   *     it is read
   */
  void readRecords(long fromIndex, int maxBytes, RecordReader reader);

  /**
   * As {@link OperationLog#read}, for whoever goes on where the last read ended, again and again:
   * that place is found at once. Only entries that the log still has.
   *
   * @throws EntriesRemovedException if the log does not have the entry any more
   */
  default void readOn(long fromIndex, EntryReader reader) {
    read(fromIndex, reader);
  }

  /**
   * Appends a record that a leader wrote, byte for byte. The batch ends with {@link #endBatch} as
   * on a leader.
   *
   * <p>An entry may be of a lower epoch than {@link #acceptedEpoch}: a standby that catches up gets
   * the entries of earlier terms from the present leader. That the message came from a leader of
   * the accepted epoch is for the caller to check, before it calls (COR-18).
   *
   * @throws RecordRefusedException if the record does not follow the end of this log, is damaged or
   *     is of an epoch below the end's; nothing was changed
   * @throws LogFailureException as {@link #append}
   * @throws LogFullException as {@link #append}
   */
  void appendRecord(byte[] record, int offset, int length);

  /**
   * The highest epoch this node ever accepted, or has in its log; no leader of a lower one may
   * write (COR-18).
   */
  long acceptedEpoch();

  /**
   * Accepts an epoch and refuses lower ones from now on: {@link #append} takes no lower one, and
   * {@code acceptEpoch} neither. Durable when this returns (COR-18).
   *
   * @throws IllegalArgumentException if a higher one was accepted before
   */
  void acceptEpoch(long epoch);

  /** The highest commit index this node knows of: told, or carried by an entry (COR-20). */
  long knownCommit();

  /**
   * Notes a commit index; lower ones change nothing. Entries that {@link #append} writes later
   * carry it (COR-20). A follower notes only what it holds as the leader does: an index up to which
   * its log was found equal to the leader's.
   */
  void noteCommit(long index);

  /**
   * Cuts everything behind {@code keep}. The cut entries are kept as evidence, forced before
   * anything is deleted (COR-21).
   *
   * <p>{@link #durableIndex} and {@link #committedIndex} fall to {@code keep} if they are above it.
   *
   * @param keep end of a batch
   * @param forcedBranch the new branch begins with an epoch that an operator forced; only then
   *     entries at or below {@link #knownCommit} may go (COR-20), which then falls, too
   * @return where the evidence lies and how many entries it holds
   * @throws TruncationRefusedException if committed entries would go, or {@code keep} is not a
   *     position of this log; nothing was changed
   */
  Truncation truncateAfter(LogPosition keep, boolean forcedBranch);

  /**
   * Goes on behind {@code position}, up to which a snapshot was installed. What the log holds is
   * set aside as evidence (COR-26). The position counts as committed, since a snapshot holds
   * committed entries only.
   *
   * @param forcedBranch as {@link #truncateAfter}
   * @throws TruncationRefusedException if {@code position} is below {@link #knownCommit} and the
   *     branch is not forced; nothing was changed
   */
  void restartAt(LogPosition position, boolean forcedBranch);

  /** As {@link #restartAt(LogPosition, boolean)} on the same branch. */
  default void restartAt(LogPosition position) {
    restartAt(position, false);
  }

  /** What a truncation did; {@code evidence} is a path for people, empty if nothing was cut. */
  record Truncation(LogPosition end, long entriesCut, String evidence) {}

  /** Receives stored records. */
  @FunctionalInterface
  interface RecordReader {
    /**
     * @param record owned by the receiver
     * @return whether to go on
     */
    boolean record(EntryHeader header, long chainHash, byte[] record);
  }
}
