package io.tidemark.oplog;

import java.util.ArrayList;
import java.util.List;

/**
 * Which segment holds which entries: the first index of each. Changed by the appending thread, read
 * by any.
 */
final class SegmentTable {

  /** A segment that has at least one entry. */
  record Row(long firstIndex, SegmentName name) {}

  private volatile List<Row> rows = List.of();

  void add(long firstIndex, SegmentName name) {
    List<Row> longer = new ArrayList<>(rows);
    longer.add(new Row(firstIndex, name));
    rows = List.copyOf(longer);
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
