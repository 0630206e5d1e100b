package io.tidemark.core.table;

import java.util.ArrayList;
import java.util.List;

/**
 * Copies of records, one behind the other in pages that are used again and again: a capture of a
 * million objects makes no garbage, and none of it is so large that the collector treats it apart.
 * One thread at a time.
 */
public final class RecordBuffer {
  private static final int PAGE_BYTES = 64 << 10;

  private final List<Page> pages = new ArrayList<>();

  /** Number of the page that is being filled or read. */
  private int current;

  private int position;

  private static final class Page {
    private byte[] bytes = new byte[PAGE_BYTES];
    private int length;

    boolean hasRoom(int more) {
      return length + more <= bytes.length;
    }
  }

  /** An empty buffer. */
  public RecordBuffer() {
    pages.add(new Page());
  }

  /** Forgets what is in it; what is added next is read from the beginning. */
  void clear() {
    for (Page page : pages) {
      page.length = 0;
    }
    current = 0;
    position = 0;
  }

  /** Adds a copy of the record under a cursor; not between calls of {@link #next}. */
  void add(ObjectCursor object) {
    int more = object.recordBytes();
    Page page = pageFor(more);
    object.copyTo(page.bytes, page.length);
    page.length += more;
  }

  /** Adds a record that was copied before. */
  void add(byte[] raw) {
    ObjectCursor object = new ObjectCursor();
    object.at(raw, 0);
    add(object);
  }

  /** Goes back to the first copy. */
  void rewind() {
    current = 0;
    position = 0;
  }

  /** Positions {@code cursor} on the next copy; false at the end. */
  public boolean next(ObjectCursor cursor) {
    if (position == pages.get(current).length) {
      if (current + 1 == pages.size() || pages.get(current + 1).length == 0) {
        return false;
      }
      current++;
      position = 0;
    }
    cursor.at(pages.get(current).bytes, position);
    position += cursor.recordBytes();
    return true;
  }

  private Page pageFor(int more) {
    Page page = pages.get(current);
    if (page.hasRoom(more)) {
      return page;
    }
    if (page.length > 0) {
      current++;
      if (current == pages.size()) {
        pages.add(new Page());
      }
      page = pages.get(current);
    }
    if (!page.hasRoom(more)) {
      page.bytes = new byte[more];
    }
    return page;
  }
}
