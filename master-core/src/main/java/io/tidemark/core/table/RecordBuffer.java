package io.tidemark.core.table;

import java.util.Arrays;

/**
 * Copies of records, one behind the other in one array that is used again and again: a capture of a
 * million objects makes no garbage. One thread at a time.
 */
public final class RecordBuffer {
  private byte[] bytes = new byte[64 << 10];
  private int length;
  private int position;

  /** Forgets what is in it. */
  void clear() {
    length = 0;
    position = 0;
  }

  /** Adds a copy of the record under a cursor. */
  void add(ObjectCursor object) {
    int more = object.recordBytes();
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
    object.copyTo(bytes, length);
    length += more;
  }

  /** Adds a record that was copied before. */
  void add(byte[] raw) {
    ObjectCursor object = new ObjectCursor();
    object.at(raw, 0);
    add(object);
  }

  /** Positions {@code cursor} on the next copy; false at the end. */
  public boolean next(ObjectCursor cursor) {
    if (position == length) {
      return false;
    }
    cursor.at(bytes, position);
    position += cursor.recordBytes();
    return true;
  }
}
