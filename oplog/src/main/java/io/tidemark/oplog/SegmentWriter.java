package io.tidemark.oplog;

import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The row of segment files that this run writes: begins them, backs them with space, appends to the
 * last one.
 *
 * <p>One thread at a time.
 */
final class SegmentWriter implements Closeable {
  private final Path directory;
  private final long segmentBytes;
  private final SegmentAppender appender;
  private final SpaceGuard space;
  private final SegmentTable table;
  private final GroupCommit sync;
  private final AppendCounters counters;

  private long position;
  private boolean open;
  private SegmentMarks marks = new SegmentMarks();

  /** The next segment's file, if it was made ahead of its first entry. */
  private Optional<SegmentName> made = Optional.empty();

  SegmentWriter(
      LogOptions options,
      Path directory,
      SegmentAppender appender,
      SpaceGuard space,
      Shared shared) {
    this.directory = directory;
    this.segmentBytes = options.segmentBytes();
    this.appender = appender;
    this.space = space;
    this.table = shared.table();
    this.sync = shared.sync();
    this.counters = shared.counters();
  }

  /** Who must learn of a new segment: readers, the sync thread, people. */
  record Shared(SegmentTable table, GroupCommit sync, AppendCounters counters) {}

  /** Whether the last file has reached its size. */
  boolean full() {
    return position >= segmentBytes;
  }

  /** Lets the next entry begin a file, unless it does anyway. */
  void roll() {
    if (open) {
      appender.roll();
      open = false;
      position = 0;
    }
  }

  /**
   * Sets room aside for the next batch.
   *
   * @param rollDue whether it will begin a file
   * @return false if the disk has none
   */
  boolean setAside(boolean rollDue) throws IOException {
    if (open && !rollDue) {
      return space.setAside(position);
    }
    if (made.isPresent()) {
      return true;
    }
    int number = open ? appender.segment() + 1 : appender.segment();
    SegmentName next = SegmentName.of(number, directory);
    boolean roomy = space.makeFile(next.file());
    made = roomy ? Optional.of(next) : Optional.empty();
    return roomy;
  }

  /** Number of the segment of the last entry. */
  int segment() {
    return appender.segment();
  }

  /**
   * Makes room for an entry.
   *
   * @param refusable whether nothing of the batch was written yet
   * @throws LogFullException if {@code refusable} and the disk is full
   */
  void back(int recordBytes, boolean refusable) throws IOException {
    if (!open) {
      return; // its beginning was set aside, or the reserve covers it
    }
    try {
      space.back(position, recordBytes);
    } catch (IOException e) {
      if (!refusable || !space.exhausted()) {
        throw e;
      }
      throw new LogFullException(
          String.format(
              "no room for an entry of %d bytes in %s: %s; free some space, nothing was written",
              recordBytes, directory, e.getMessage()),
          e);
    }
  }

  /**
   * Appends the first {@code recordBytes} of the appender's buffer as the entry behind {@code
   * before}.
   */
  void append(int recordBytes, LogPosition before) throws IOException {
    position = appender.append(recordBytes);
    if (!open) {
      open = true;
      made = Optional.empty();
      SegmentName name = SegmentName.of(appender.segment(), directory);
      marks = new SegmentMarks();
      table.add(new SegmentTable.Row(name, before, marks));
      space.begin(name.file(), position);
      counters.segment();
      sync.rolledTo(name.number()); // the library has ended the old file only now
    }
    marks.offer(before.index() + 1, (position - recordBytes - Integer.BYTES) & ~3L);
  }

  @Override
  public void close() throws IOException {
    appender.close();
    space.close();
    if (made.isPresent()) {
      Disk.remove(made.get().file());
    }
  }
}
