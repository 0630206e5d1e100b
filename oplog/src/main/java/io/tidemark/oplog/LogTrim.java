package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The front of the log: what is in its files, and their removal once snapshots hold what they did.
 *
 * <p>BASE is replaced first and forced; it alone says where the log begins. So a crash while files
 * are removed, oldest first, leaves files that nobody reads, and the next start removes them.
 *
 * <p>Any thread.
 */
final class LogTrim {
  private final LogDirectory directory;
  private final SegmentTable table;
  private volatile LogBase base;

  LogTrim(LogDirectory directory, SegmentTable table, LogBase base) {
    this.directory = directory;
    this.table = table;
    this.base = base;
  }

  /** The position before the first entry. */
  LogPosition base() {
    return base.position();
  }

  /**
   * Removes the segments all of whose entries are below {@code index}; never the newest.
   *
   * @return the removed files
   */
  synchronized List<Path> removeBefore(long index) throws IOException {
    List<SegmentTable.Row> rows = table.rows();
    int kept = 0;
    while (kept + 1 < rows.size() && rows.get(kept + 1).firstIndex() <= index) {
      kept++;
    }
    List<Path> removed = new ArrayList<>();
    if (kept == 0) {
      return removed;
    }
    SegmentTable.Row first = rows.get(kept);
    replace(new LogBase(first.name().number(), first.before()));
    table.dropFirst(kept);
    for (SegmentTable.Row row : rows.subList(0, kept)) {
      Disk.remove(row.name().file());
      removed.add(row.name().file());
    }
    return removed;
  }

  /** Lets the log begin behind {@code position}, with segment {@code segment}, and empty. */
  synchronized void restartBehind(LogPosition position, int segment) throws IOException {
    replace(new LogBase(segment, position));
    table.dropFirst(table.rows().size());
  }

  /** Bytes of the segment files that hold entries from {@code index} on. */
  long bytesFrom(long index) throws IOException {
    long bytes = 0;
    for (SegmentTable.Row row : table.from(index)) {
      try {
        bytes += Files.size(row.name().file());
      } catch (NoSuchFileException removedMeanwhile) {
        continue;
      }
    }
    return bytes;
  }

  private void replace(LogBase next) throws IOException {
    directory.writeBase(next);
    base = next;
  }
}
