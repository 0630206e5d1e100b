package io.tidemark.oplog;

import io.tidemark.api.log.EntryHeader;
import java.io.Closeable;
import java.io.IOException;
import java.util.Arrays;

/**
 * A place in a segment of an open log, from which records are read in order, with their checksum
 * and chain hash verified. One thread at a time.
 */
final class RecordCursor implements Closeable {
  /**
   * How much is read at a time, more only for a larger entry: who follows an appending log reads
   * this much anew for each batch, on both sides of a stream.
   */
  static final int WINDOW_BYTES = 16 << 10;

  private final SegmentTable.Row row;
  private final SegmentWalker walker;
  private long next;
  private long chainHash;
  private boolean chainKnown;

  private RecordCursor(SegmentTable.Row row, SegmentMarks.Mark start) throws IOException {
    this.row = row;
    boolean atFront = start.index() == 0;
    walker = new SegmentWalker(row.name().file(), start.offsetBytes(), WINDOW_BYTES);
    next = atFront ? row.firstIndex() : start.index();
    chainHash = row.before().chainHash();
    chainKnown = atFront;
  }

  /**
   * A cursor whose next record is that of {@code index}; begins to read at the mark before it.
   *
   * @throws IOException also if the file is not there any more
   */
  static RecordCursor open(SegmentTable.Row row, long index) throws IOException {
    RecordCursor cursor = begin(row, row.marks().atOrBefore(index), index);
    if (cursor.next < index) {
      cursor.close(); // the mark was of no use
      cursor = begin(row, new SegmentMarks.Mark(0, 0), index);
    }
    return cursor;
  }

  private static RecordCursor begin(SegmentTable.Row row, SegmentMarks.Mark start, long index)
      throws IOException {
    RecordCursor cursor = new RecordCursor(row, start);
    boolean whole = false;
    try {
      cursor.skipTo(index);
      whole = true;
      return cursor;
    } finally {
      if (!whole) {
        cursor.close();
      }
    }
  }

  SegmentTable.Row row() {
    return row;
  }

  /** Index of the record that {@link #next} goes to. */
  long nextIndex() {
    return next;
  }

  /** Goes to the next record; false if it can't be read, or belongs to another history. */
  boolean next() throws IOException {
    if (!walker.next(next)) {
      return false;
    }
    byte[] bytes = walker.array();
    int offset = walker.recordOffset();
    boolean follows = EntryRecord.index(bytes, offset) == next;
    if (chainKnown) {
      follows &= EntryRecord.previousChainHash(bytes, offset) == chainHash;
    }
    if (follows) {
      chainHash = EntryRecord.chainHash(bytes, offset, walker.recordBytes());
      chainKnown = true;
      next++;
    }
    return follows;
  }

  /** Takes the last step back. */
  void again() {
    chainHash = EntryRecord.previousChainHash(walker.array(), walker.recordOffset());
    next--;
    walker.again();
  }

  int recordBytes() {
    return walker.recordBytes();
  }

  EntryHeader header() {
    return EntryRecord.header(walker.array(), walker.recordOffset());
  }

  long chainHash() {
    return chainHash;
  }

  /** A copy of the record. */
  byte[] record() {
    int offset = walker.recordOffset();
    return Arrays.copyOfRange(walker.array(), offset, offset + walker.recordBytes());
  }

  private void skipTo(long index) throws IOException {
    boolean sound = true;
    while (sound && next < index) {
      sound = next();
    }
  }

  @Override
  public void close() throws IOException {
    walker.close();
  }
}
