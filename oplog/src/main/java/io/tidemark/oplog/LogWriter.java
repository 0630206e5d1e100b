package io.tidemark.oplog;

import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Where the log ends, and what may be appended there: entries that this node decides, and records
 * that a leader ships.
 *
 * <p>By the appending thread only, but for {@link #end} and {@link #acceptedEpoch}.
 */
final class LogWriter {
  private final LogDirectory directory;
  private final Persist persist;
  private final LogTail tail;
  private final CommitState commits;
  private final AppendCounters counters;
  private final ShippedRecord shipped = new ShippedRecord();
  private final RecentRecords recent;
  private final boolean followed;

  private volatile LogPosition end;
  private volatile boolean closed;

  /** As EPOCH says. */
  private volatile long storedEpoch;

  private long wholeIndex;
  private long startedEpoch;
  private boolean batchOpen;
  private boolean markCleared;

  /**
   * @param acceptedEpoch as EPOCH says
   * @param recent gets what is appended, unless the log stands alone and nobody follows it
   */
  LogWriter(
      LogOptions options,
      LogTail tail,
      LogTail.Shared shared,
      LogPosition end,
      long acceptedEpoch,
      RecentRecords recent) {
    directory = new LogDirectory(options.directory());
    persist = options.persist();
    this.tail = tail;
    commits = shared.commits();
    counters = shared.counters();
    this.end = end;
    wholeIndex = end.index();
    storedEpoch = acceptedEpoch;
    this.recent = recent;
    followed = !options.alone();
  }

  /** Position of the last entry. */
  LogPosition end() {
    return end;
  }

  /** Last entry of the last batch that was ended. */
  long wholeIndex() {
    return wholeIndex;
  }

  /** Whether the last entry is inside a batch. */
  boolean batchOpen() {
    return batchOpen;
  }

  /** Whether this run has changed the end of the log. */
  boolean changed() {
    return markCleared;
  }

  /** See {@link ChronicleLog#append}. */
  void append(EntryHeader header, byte[] payload, int offset, int length) {
    checkUsable();
    checkInput(header, length);
    try {
      beginEntry(header.epoch());
      EntryEncoder encoder = tail.encoder();
      encoder.behind(end.chainHash(), commits.carriedBy(header.index()));
      int recordBytes = encoder.encode(header, payload, offset, length);
      write(recordBytes, header.epoch(), header.batchEnd());
    } catch (LogFullException e) {
      throw refused(e);
    } catch (IOException | RuntimeException | Error e) {
      throw notAppended(header.index(), e);
    }
  }

  /** See {@link ChronicleLog#appendRecord}. */
  void appendRecord(byte[] record, int offset, int length) {
    checkUsable();
    shipped.check(record, offset, length, end, batchOpen);
    long epoch = EntryRecord.epoch(record, offset);
    try {
      beginEntry(epoch);
      int recordBytes = tail.encoder().copy(record, offset, length);
      write(recordBytes, epoch, EntryRecord.batchEnd(record, offset));
      commits.note(EntryRecord.commitIndex(record, offset));
    } catch (LogFullException e) {
      throw refused(e);
    } catch (IOException | RuntimeException | Error e) {
      throw notAppended(end.index() + 1, e);
    }
  }

  /** See {@link ChronicleLog#endBatch}. */
  void endBatch() {
    checkUsable();
    if (batchOpen) {
      throw commits.fail(
          new LogFailureException(
              "entry " + end.index() + " does not end its batch, but the batch was ended"));
    }
    wholeIndex = end.index();
    counters.batch();
    if (persist == Persist.PAGE) {
      commits.durableNow(wholeIndex);
    } else {
      tail.requestForce(wholeIndex);
    }
  }

  /** See {@link ChronicleLog#startTerm}. */
  void startTerm(long epoch) {
    checkUsable();
    long reached = Math.max(startedEpoch, end.epoch());
    if (epoch <= reached || epoch < storedEpoch || batchOpen) {
      throw commits.fail(
          new LogFailureException(
              String.format(
                  "term %d can't begin: the log is at epoch %d%s",
                  epoch, Math.max(reached, storedEpoch), batchOpen ? ", inside a batch" : "")));
    }
    startedEpoch = epoch;
    tail.roll();
  }

  /** The highest epoch that was accepted or is in the log. */
  long acceptedEpoch() {
    return Math.max(storedEpoch, end.epoch());
  }

  /** Makes sure that {@code epoch} is on the disk as accepted. */
  void storeEpoch(long epoch) throws IOException {
    if (epoch > storedEpoch) {
      directory.writeEpoch(epoch);
      storedEpoch = epoch;
    }
  }

  /** Forces what was appended and closes all files, so that they may be changed. */
  void settle() throws IOException {
    tail.requestForce(wholeIndex);
    tail.settle();
    commits.checkNotFailed();
  }

  /**
   * The log ends here now, for all who ask. The clean-stop mark must be gone.
   *
   * @param whole last entry of a batch that was ended
   */
  void endAt(LogPosition position, long whole) {
    markCleared = true;
    end = position;
    wholeIndex = whole;
    batchOpen = false;
  }

  /** After {@link #settle}: goes on with a segment that was never there. */
  void goOn(int segment) {
    tail.begin(segment, List.of(), wholeIndex);
  }

  /** Takes nothing more; forces everything, unless the log has failed. */
  void close() throws IOException {
    closed = true;
    if (!commits.hasFailed()) {
      tail.requestForce(wholeIndex);
    }
    tail.settle();
  }

  boolean closed() {
    return closed;
  }

  void checkUsable() {
    commits.checkNotFailed();
    if (closed) {
      throw new LogFailureException("the log in " + directory.root() + " is closed");
    }
  }

  private void beginEntry(long epoch) throws IOException {
    if (batchOpen) {
      return;
    }
    tail.admitBatch();
    if (!markCleared) {
      Disk.remove(directory.cleanStop());
      markCleared = true;
    }
    tail.beginBatch(epoch > end.epoch());
  }

  private void write(int recordBytes, long epoch, boolean batchEnd) throws IOException {
    tail.append(recordBytes, end, !batchOpen);
    EntryEncoder encoder = tail.encoder();
    LogPosition next = new LogPosition(epoch, end.index() + 1, encoder.chainHash(recordBytes));
    if (followed) {
      byte[] record = Arrays.copyOf(encoder.buffer(), recordBytes);
      recent.add(next.index(), next.chainHash(), record);
    }
    end = next;
    batchOpen = !batchEnd;
  }

  private LogFullException refused(LogFullException e) {
    counters.refusal();
    return e;
  }

  private LogFailureException notAppended(long index, Throwable e) {
    return commits.fail(
        e instanceof LogFailureException failure
            ? failure
            : new LogFailureException(
                String.format(
                    "entry %d was not appended to the log in %s: %s; check the disk, then start"
                        + " again",
                    index, directory.segments(), e),
                e));
  }

  private void checkInput(EntryHeader header, int length) {
    long lowest = Math.max(startedEpoch, acceptedEpoch());
    String wrong = "";
    if (header.index() != end.index() + 1) {
      wrong = "does not follow entry " + end.index();
    } else if (header.epoch() < lowest || (batchOpen && header.epoch() != end.epoch())) {
      wrong = "has epoch " + header.epoch() + ", the log is at " + lowest;
    } else if (length > EntryRecord.MAX_PAYLOAD_BYTES) {
      wrong = "has " + length + " bytes, at most " + EntryRecord.MAX_PAYLOAD_BYTES + " fit";
    }
    if (!wrong.isEmpty()) {
      throw commits.fail(new LogFailureException("entry " + header.index() + " " + wrong));
    }
  }
}
