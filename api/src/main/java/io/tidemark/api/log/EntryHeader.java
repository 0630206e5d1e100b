package io.tidemark.api.log;

import io.tidemark.api.Uuid;

/**
 * What the writer of an entry says about it. The log itself adds the commit index, the chain hash
 * and the checksum.
 *
 * @param index position of the entry: 1, 2, 3 … without gaps
 * @param epoch leadership number under which it was decided
 * @param logTimeMs log time of the decision; deadlines in events are values of this clock (COR-25)
 * @param wallTimeMs wall clock of the decision in ms since 1970, for people only
 * @param causeCode {@link Cause} of the batch
 * @param actor client that caused the batch, {@link Uuid#ZERO} for the master itself
 * @param batchEnd whether this is the last entry of its batch; recovery keeps or drops a batch as a
 *     whole
 * @param commitIndex highest commit index known to the log that wrote the entry, below the entry's
 *     own (COR-20); filled by the log, whatever the header given to {@link OperationLog#append}
 *     says; 0 in entries of record layout 1
 */
public record EntryHeader(
    long index,
    long epoch,
    long logTimeMs,
    long wallTimeMs,
    int causeCode,
    Uuid actor,
    boolean batchEnd,
    long commitIndex) {

  /** Header of an entry that is yet to be appended: the log fills in the commit index. */
  public EntryHeader(
      long index,
      long epoch,
      long logTimeMs,
      long wallTimeMs,
      int causeCode,
      Uuid actor,
      boolean batchEnd) {
    this(index, epoch, logTimeMs, wallTimeMs, causeCode, actor, batchEnd, 0);
  }

  /** The same header as it is stored by a log that knows of {@code value}. */
  public EntryHeader withCommitIndex(long value) {
    return new EntryHeader(index, epoch, logTimeMs, wallTimeMs, causeCode, actor, batchEnd, value);
  }
}
