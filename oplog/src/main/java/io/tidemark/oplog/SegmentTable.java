package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.util.ArrayList;
import java.util.List;

/**
 * Which segment holds which entries: the first index of each. Extended by the appending thread,
 * shortened at the front by the one that trims the log, read by any.
 */
final class SegmentTable {

  /**
   * A segment that has at least one entry.
   *
   * @param before the position of the entry before the first
   */
  record Row(SegmentName name, LogPosition before) {
    long firstIndex() {
      return before.index() + 1;
    }
  }

  private volatile List<Row> rows = List.of();

  synchronized void add(SegmentName name, LogPosition before) {
    List<Row> longer = new ArrayList<>(rows);
    longer.add(new Row(name, before));
    rows = List.copyOf(longer);
  }

  /** Forgets the oldest segments. */
  synchronized void dropFirst(int count) {
    rows = List.copyOf(rows.subList(count, rows.size()));
  }

  /** All segments, oldest first. */
  List<Row> rows() {
    return rows;
  }

  /** Segments that hold {@code index} and what follows; empty if the log is. */
  List<Row> from(long index) {
    List<Row> all = rows;
    int at = all.size() - 1;
    while (at > 0 && all.get(at).firstIndex() > index) {
      at--;
    }
    return all.subList(Math.max(0, at), all.size());
  }
}
