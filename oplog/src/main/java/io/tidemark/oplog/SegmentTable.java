package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which segment holds which entries: the first index of each. Extended and cut at the end by the
 * appending thread, shortened at the front by the one that trims the log, read by any.
 */
final class SegmentTable {

  /**
   * A segment that has at least one entry.
   *
   * @param before the position of the entry before the first
   * @param marks where some of its entries are
   */
  record Row(SegmentName name, LogPosition before, SegmentMarks marks) {
    long firstIndex() {
      return before.index() + 1;
    }
  }

  private volatile List<Row> rows = List.of();

  synchronized void add(Row row) {
    List<Row> longer = new ArrayList<>(rows);
    longer.add(row);
    rows = List.copyOf(longer);
  }

  /** Forgets the oldest segments. */
  synchronized void dropFirst(int count) {
    rows = List.copyOf(rows.subList(count, rows.size()));
  }

  /** Forgets what is behind {@code index}; the segment that holds it will be written anew. */
  synchronized void cutAfter(long index) {
    List<Row> shorter = new ArrayList<>(rows);
    shorter.removeIf(row -> row.firstIndex() > index);
    if (!shorter.isEmpty()) {
      Row last = shorter.remove(shorter.size() - 1);
      shorter.add(new Row(last.name(), last.before(), new SegmentMarks()));
    }
    rows = List.copyOf(shorter);
  }

  /** All segments, oldest first. */
  List<Row> rows() {
    return rows;
  }

  /** Segments that hold {@code index} and what follows; all of them if it is before the first. */
  List<Row> from(long index) {
    List<Row> all = rows;
    return all.subList(Math.max(0, at(all, index)), all.size());
  }

  /** The segment that holds {@code index}, or would if the log went on; none if it is before. */
  Optional<Row> holding(long index) {
    List<Row> all = rows;
    int at = at(all, index);
    return at < 0 ? Optional.empty() : Optional.of(all.get(at));
  }

  /** The last row that does not begin behind {@code index}, or -1. */
  private static int at(List<Row> all, long index) {
    int low = 0;
    int high = all.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (all.get(middle).firstIndex() <= index) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }
}
