package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The end of the log that is being written: the last segment and those that follow, with the room
 * for them and the thread that forces them. It can be settled, so that nothing is open, and begun
 * again with another segment.
 *
 * <p>By the appending thread only, but for {@link #rollSoon}.
 */
final class LogTail {
  private final LogOptions options;
  private final Path directory;
  private final SpaceGuard space;
  private final SegmentTable table;
  private final CommitState commits;
  private final AppendCounters counters;
  private final EntryEncoder encoder = new EntryEncoder();

  private SegmentWriter writer;
  private GroupCommit sync;
  private boolean settled;

  private volatile boolean rollWanted;
  private boolean rollDue;

  /** Whether {@link #setAside} has set room aside for the batch that comes next. */
  private boolean roomSetAside;

  LogTail(LogOptions options, Path directory, SpaceGuard space, Shared shared) {
    this.options = options;
    this.directory = directory;
    this.space = space;
    table = shared.table();
    commits = shared.commits();
    counters = shared.counters();
  }

  /** What the tail tells of. */
  record Shared(SegmentTable table, CommitState commits, AppendCounters counters) {}

  /**
   * Begins with segment {@code first}, which must not be there yet.
   *
   * @param backlog older files that may not be on the disk yet
   * @param index of the last entry before it
   */
  void begin(int first, List<Path> backlog, long index) {
    SegmentAppender appender = new SegmentAppender(directory, options, encoder.buffer(), first);
    GroupCommit.Start start = new GroupCommit.Start(backlog, first, index);
    settled = false;
    sync = new GroupCommit(directory, start, counters.forces(), commits);
    writer =
        new SegmentWriter(
            options, directory, appender, space, new SegmentWriter.Shared(table, sync, counters));
  }

  /** Where records are encoded. */
  EntryEncoder encoder() {
    return encoder;
  }

  /** Number of the last segment, or of the one that comes next if nothing was appended. */
  int segment() {
    return writer.segment();
  }

  /** Whether there is room for a usual batch, which is set aside then. */
  boolean setAside() {
    roomSetAside = false;
    if (!space.hasSpace()) {
      return false;
    }
    noteWantedRoll();
    try {
      roomSetAside = writer.setAside(rollDue || writer.full());
      return roomSetAside;
    } catch (IOException e) {
      return true; // not for want of space: the append says what it is
    }
  }

  /**
   * Before anything of a batch is written.
   *
   * @throws io.tidemark.api.log.LogFullException if there is no room for it
   */
  void admitBatch() {
    if (!roomSetAside) {
      space.admitBatch();
      noteWantedRoll();
    }
  }

  /** A batch begins, of a new term or not: in a new segment if it is time for one. */
  void beginBatch(boolean newTerm) {
    if (newTerm || writer.full() || rollDue) {
      rollDue = false;
      writer.roll();
    }
  }

  /** Lets the next batch begin a segment. */
  void roll() {
    writer.roll();
  }

  /** As {@link #roll}, from any thread. */
  void rollSoon() {
    rollWanted = true;
  }

  /**
   * Appends what the encoder holds.
   *
   * @param refusable whether nothing of the batch was written yet
   * @throws io.tidemark.api.log.LogFullException if {@code refusable} and the disk is full
   */
  void append(int recordBytes, LogPosition before, boolean refusable) throws IOException {
    writer.back(recordBytes, refusable);
    writer.append(recordBytes, before);
    roomSetAside = false;
    counters.entry(recordBytes);
  }

  /** Asks for everything up to {@code index} to be forced. */
  void requestForce(long index) {
    sync.request(index, writer.segment());
  }

  /** Whether the disk has no room, asked afresh. */
  boolean diskFull() {
    return space.exhausted();
  }

  /** Does what was requested of the forcing thread, and closes all files. */
  void settle() throws IOException {
    if (!settled) {
      settled = true;
      sync.close();
      writer.close();
    }
  }

  private void noteWantedRoll() {
    if (rollWanted) {
      rollWanted = false;
      rollDue = true;
    }
  }
}
