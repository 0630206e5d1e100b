package io.tidemark.oplog;

import java.util.Arrays;

/**
 * Where some entries of a segment are, so that a read need not begin at the front: one mark for at
 * least every {@link #SPACING_BYTES} of the file, 16 bytes each. A mark is a hint: who uses it
 * checks what it finds there.
 *
 * <p>Any thread.
 */
final class SegmentMarks {
  static final int SPACING_BYTES = 256 << 10;

  private static final int FIRST_CAPACITY = 16;

  private long[] indexes = new long[FIRST_CAPACITY];
  private long[] offsets = new long[FIRST_CAPACITY];
  private int count;
  private volatile long nextOffset = SPACING_BYTES;

  /** Marks an entry, if it is far enough behind the last mark. */
  void offer(long index, long documentOffset) {
    if (documentOffset >= nextOffset) {
      add(index, documentOffset);
    }
  }

  /** The last marked entry that is not behind {@code index}; its index is 0 if there is none. */
  synchronized Mark atOrBefore(long index) {
    int at = Arrays.binarySearch(indexes, 0, count, index);
    int found = at >= 0 ? at : -at - 2;
    return found < 0 ? new Mark(0, 0) : new Mark(indexes[found], offsets[found]);
  }

  /** An entry and where its document begins. */
  record Mark(long index, long offsetBytes) {}

  /** Marks an entry behind the last mark, however near. */
  synchronized void add(long index, long documentOffset) {
    if (count == indexes.length) {
      indexes = Arrays.copyOf(indexes, 2 * count);
      offsets = Arrays.copyOf(offsets, 2 * count);
    }
    indexes[count] = index;
    offsets[count] = documentOffset;
    count++;
    nextOffset = documentOffset + SPACING_BYTES;
  }
}
