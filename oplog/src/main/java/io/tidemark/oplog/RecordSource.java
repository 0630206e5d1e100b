package io.tidemark.oplog;

import io.tidemark.api.log.EntriesRemovedException;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.ReplicaLog.RecordReader;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads records of an open log for shipping, as they are stored.
 *
 * <p>What was appended last is in memory ({@link RecentRecords}). Of what lies before, a reader
 * that goes on where a read ended finds its place kept open: at most {@link #MAX_CURSORS} places,
 * the longest unused is given up. Any other read begins at the mark before its first entry, so it
 * looks at no more than {@link SegmentMarks#SPACING_BYTES} and an entry in vain.
 *
 * <p>Any thread. Segments may be begun, removed and cut meanwhile.
 */
final class RecordSource implements Closeable {
  /** Places that are kept open; as many standbys can follow without looking for theirs. */
  static final int MAX_CURSORS = 8;

  private static final Logger LOG = LoggerFactory.getLogger(RecordSource.class);

  private final SegmentTable table;
  private final Supplier<LogPosition> base;
  private final RecentRecords recent;

  /** Guarded by this. */
  private final Deque<RecordCursor> kept = new ArrayDeque<>();

  private volatile long generation;

  /**
   * @param base the position before the first entry at the moment
   * @param recent forgotten with {@link #forget}
   */
  RecordSource(SegmentTable table, Supplier<LogPosition> base, RecentRecords recent) {
    this.table = table;
    this.base = base;
    this.recent = recent;
  }

  /**
   * Hands out records from {@code from} to at most {@code until}, which must be there. If the log
   * is cut meanwhile, the read ends there.
   *
   * @throws EntriesRemovedException if an entry is not there any more
   * @throws CorruptLogException if one can't be read
   */
  void read(long from, long until, long maxBytes, RecordReader reader) {
    long begun = generation;
    long index = from;
    long room = maxBytes;
    boolean removed = from <= base.get().index();
    RecentRecords.Recent next = removed ? null : recentUpTo(until, index, begun);
    while (next != null) {
      room -= next.record().length;
      if (room < 0 && index > from) {
        return;
      }
      EntryHeader header = EntryRecord.header(next.record(), 0);
      if (!reader.record(header, next.chainHash(), next.record())) {
        return;
      }
      index++;
      next = recentUpTo(until, index, begun);
    }
    // What is left was never in memory, or is not any more: much was appended since, or the log
    // cut.
    if (index <= until) {
      fromFiles(new Walk(index, begun, index == from), until, room, reader);
    }
  }

  /** Null also if the log was cut since: the entry may be one of the new branch then. */
  private RecentRecords.Recent recentUpTo(long until, long index, long begun) {
    RecentRecords.Recent found = index <= until ? recent.at(index) : null;
    return generation == begun ? found : null;
  }

  private static void fromFiles(Walk walk, long until, long room, RecordReader reader) {
    long from = walk.index;
    try {
      walk.run(until, room, reader);
    } catch (IOException e) {
      throw new LogFailureException("can't read entries from " + from + " on: " + e, e);
    }
  }

  /** The position of an entry between base and end, and whether it ends a batch. */
  Optional<Place> place(long index) {
    Place[] found = new Place[1];
    read(
        index,
        index,
        1,
        (header, chainHash, record) -> {
          LogPosition position = new LogPosition(header.epoch(), index, chainHash);
          found[0] = new Place(position, header.batchEnd());
          return true;
        });
    return Optional.ofNullable(found[0]);
  }

  /** See {@link #place}. */
  record Place(LogPosition position, boolean batchEnd) {}

  /** The log was cut or begins elsewhere: what is kept open is not its content any more. */
  synchronized void forget() {
    generation++;
    recent.forget();
    kept.forEach(RecordSource::close);
    kept.clear();
  }

  @Override
  public void close() {
    forget();
  }

  private synchronized Optional<RecordCursor> take(long index, long begun) {
    Optional<RecordCursor> found =
        generation == begun
            ? kept.stream().filter(cursor -> cursor.nextIndex() == index).findFirst()
            : Optional.empty();
    found.ifPresent(kept::remove);
    return found;
  }

  private synchronized void keep(RecordCursor cursor, long begun) {
    if (generation != begun) {
      close(cursor);
      return;
    }
    kept.addLast(cursor);
    if (kept.size() > MAX_CURSORS) {
      close(kept.removeFirst());
    }
  }

  private static void close(RecordCursor cursor) {
    try {
      cursor.close();
    } catch (IOException e) {
      LOG.warn("can't close {}: {}", cursor.row().name().file(), e.toString());
    }
  }

  /** One read. */
  private final class Walk {
    private final long begun;
    private long index;
    private boolean first;
    private Optional<RecordCursor> at;

    /**
     * @param first whether its first record is given whatever its size
     */
    Walk(long from, long generation, boolean first) {
      begun = generation;
      index = from;
      this.first = first;
      at = take(from, generation);
    }

    void run(long until, long maxBytes, RecordReader reader) throws IOException {
      boolean whole = false;
      try {
        hand(until, maxBytes, reader);
        whole = true;
      } finally {
        if (whole) {
          at.ifPresent(cursor -> keep(cursor, begun));
        } else {
          at.ifPresent(RecordSource::close);
        }
      }
    }

    private void hand(long until, long maxBytes, RecordReader reader) throws IOException {
      long room = maxBytes;
      boolean goOn = true;
      while (goOn && index <= until && step()) {
        RecordCursor cursor = at.orElseThrow();
        room -= cursor.recordBytes();
        if (room < 0 && !first) {
          cursor.again();
          return;
        }
        first = false;
        index++;
        goOn = reader.record(cursor.header(), cursor.chainHash(), cursor.record());
      }
    }

    /** Goes to the record of {@code index}; false if the log was cut meanwhile. */
    private boolean step() throws IOException {
      if (generation != begun) {
        return false; // what has this index now may be of another branch
      }
      Optional<SegmentTable.Row> row = table.holding(index);
      if (row.isPresent() && at.isPresent() && at.get().row() != row.get()) {
        at.ifPresent(RecordSource::close);
        at = Optional.empty();
      }
      try {
        if (row.isPresent() && at.isEmpty()) {
          at = Optional.of(RecordCursor.open(row.get(), index));
        }
        if (row.isPresent() && at.get().nextIndex() == index && at.get().next()) {
          return true;
        }
      } catch (NoSuchFileException e) {
        LOG.debug("{} went while the log was read", e.getFile());
      }
      if (generation == begun) {
        throw unreadable();
      }
      return false;
    }

    private RuntimeException unreadable() {
      LogPosition begin = base.get();
      if (index <= begin.index()) {
        return new EntriesRemovedException(index, begin);
      }
      new LogReplay(index, index, entry -> true).run(table); // says what is wrong
      return new LogFailureException(
          "entry " + index + " can be read only now; check who else writes to the log's files");
    }
  }
}
