package io.tidemark.oplog;

import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operation log in files of Chronicle Queue. Format and recovery are described in the package
 * documentation.
 *
 * <p>Threads as {@link OperationLog} says; {@link #counters} and {@link #end} may be called from
 * any thread, the rest by the holder of the core role.
 */
public final class ChronicleLog implements OperationLog {
  private static final Logger LOG = LoggerFactory.getLogger(ChronicleLog.class);

  private final LogOptions options;
  private final LogDirectory directory;
  private final DirectoryLock lock;
  private final SegmentTable table;
  private final LogTrim trim;
  private final EntryEncoder encoder = new EntryEncoder();
  private final SpaceGuard space;
  private final SegmentWriter writer;
  private final GroupCommit sync;
  private final AppendCounters counters = new AppendCounters();

  private volatile LogPosition end;
  private volatile long committed;
  private volatile LogFailureException failure;
  private volatile CommitListener listener = new Nobody();
  private volatile boolean closed;
  private volatile boolean rollWanted;

  private LogDirectory.State state;
  private long wholeIndex;
  private long lowestEpoch;
  private boolean batchOpen;
  private boolean markCleared;

  /** Whether {@link #hasSpace} has set room aside for the batch that comes next. */
  private boolean roomSetAside;

  private boolean rollDue;

  private ChronicleLog(
      LogOptions options,
      LogDirectory directory,
      DirectoryLock lock,
      LogRecovery.Recovered recovered,
      SpaceGuard space) {
    this.options = options;
    this.directory = directory;
    this.lock = lock;
    this.space = space;
    table = recovered.table();
    trim = new LogTrim(directory, table, recovered.base());
    state = recovered.state();
    end = recovered.report().end();
    wholeIndex = end.index();
    committed = end.index();
    lowestEpoch = end.epoch();
    Path segments = directory.segments();
    int first = recovered.nextSegment();
    SegmentAppender appender = new SegmentAppender(segments, options, encoder.buffer(), first);
    List<Path> backlog = options.persist() == Persist.PAGE ? recovered.unforced() : List.of();
    sync = new GroupCommit(segments, backlog, first, end.index(), new SyncListener());
    SegmentWriter.Shared shared = new SegmentWriter.Shared(table, sync);
    writer = new SegmentWriter(options, segments, appender, space, shared);
  }

  /**
   * Opens a log for appending; makes it if the directory is new, repairs a torn tail.
   *
   * @throws DirectoryLockedException if another writer has the directory
   * @throws LogFormatException if the directory holds something else, or a newer format
   * @throws CorruptLogException if entries in the middle are damaged; nothing was changed then
   * @throws LogFailureException if the disk fails
   */
  public static OpenedLog open(LogOptions options) {
    try {
      LogDirectory directory = new LogDirectory(options.directory());
      directory.create();
      return open(options, SpaceGuard.usableOf(directory.segments()));
    } catch (IOException e) {
      throw failedToOpen(options, e);
    }
  }

  /** As {@link #open(LogOptions)}, with the free space of the file system told by the caller. */
  static OpenedLog open(LogOptions options, LongSupplier usableBytes) {
    LogDirectory directory = new LogDirectory(options.directory());
    DirectoryLock lock = null;
    ChronicleLog log = null;
    try {
      directory.create();
      lock = DirectoryLock.take(directory.root(), directory.lock());
      LogRecovery.Recovered recovered = new LogRecovery(directory, options).run();
      if (options.persist() == Persist.DISK) {
        for (Path file : recovered.unforced()) {
          Disk.force(file);
        }
      }
      SpaceGuard space = new SpaceGuard(options.reserveBytes(), usableBytes);
      log = new ChronicleLog(options, directory, lock, recovered, space);
      recovered.report().findings().forEach(LOG::warn);
      return new OpenedLog(
          log, recovered.report(), recovered.state().identity(), recovered.state().lossOpen());
    } catch (IOException e) {
      throw failedToOpen(options, e);
    } finally {
      if (log == null) {
        release(lock);
      }
    }
  }

  @Override
  public LogPosition end() {
    return end;
  }

  @Override
  public void append(EntryHeader header, byte[] payload, int offset, int length) {
    checkUsable();
    checkInput(header, length);
    try {
      if (!batchOpen) {
        beginBatch(header.epoch());
      }
      int recordBytes = encoder.encode(header, end.chainHash(), payload, offset, length);
      writer.back(recordBytes, !batchOpen);
      writer.append(recordBytes, end);
      end = new LogPosition(header.epoch(), header.index(), encoder.chainHash(recordBytes));
      batchOpen = !header.batchEnd();
      roomSetAside = false;
      counters.entry(recordBytes);
    } catch (LogFullException e) {
      counters.refusal();
      throw e;
    } catch (LogFailureException e) {
      throw fail(e);
    } catch (IOException | RuntimeException | Error e) {
      throw fail(
          new LogFailureException(
              String.format(
                  "entry %d was not appended to the log in %s: %s; check the disk, then start again",
                  header.index(), directory.segments(), e),
              e));
    }
  }

  @Override
  public void endBatch() {
    checkUsable();
    if (batchOpen) {
      throw fail(
          new LogFailureException(
              "entry " + end.index() + " does not end its batch, but the batch was ended"));
    }
    wholeIndex = end.index();
    counters.batch();
    if (options.persist() == Persist.PAGE) {
      committed = wholeIndex;
    } else {
      sync.request(wholeIndex, writer.segment());
    }
  }

  @Override
  public long committedIndex() {
    return committed;
  }

  @Override
  public void onCommit(CommitListener newListener) {
    listener = newListener;
  }

  @Override
  public boolean hasSpace() {
    roomSetAside = false;
    if (failure != null || closed || !space.hasSpace()) {
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

  private void noteWantedRoll() {
    if (rollWanted) {
      rollWanted = false;
      rollDue = true;
    }
  }

  /**
   * Begins a term: entries of lower epochs are refused from now on, and the next entry begins a
   * segment of its own, so that a term can be cut off as files (COR-22). Without this call the
   * first entry of a higher epoch does the same.
   */
  public void startTerm(long epoch) {
    checkUsable();
    if (epoch <= lowestEpoch || batchOpen) {
      throw fail(
          new LogFailureException(
              String.format(
                  "term %d can't begin: the log is at epoch %d%s",
                  epoch, lowestEpoch, batchOpen ? ", inside a batch" : "")));
    }
    lowestEpoch = epoch;
    writer.roll();
  }

  /**
   * Says that the consequences of missing entries ({@link OpenedLog#entriesMayBeMissing}) were
   * drawn and are in the log, committed. Until then every start says again that entries may be
   * missing (COR-13).
   */
  public void lossHandled() {
    checkUsable();
    try {
      if (state.lossOpen()) {
        state = new LogDirectory.State(state.identity(), state.bootId(), state.persist(), false);
        directory.writeState(state);
      }
    } catch (IOException e) {
      throw fail(new LogFailureException("can't write " + directory.format() + ": " + e, e));
    }
  }

  /** The position before the first entry that the log still has. */
  public LogPosition base() {
    return trim.base();
  }

  /**
   * The position of an entry that the log has, or of its base.
   *
   * @throws IllegalArgumentException if the log does not reach there
   * @throws CorruptLogException if it can't be read any more
   */
  public LogPosition positionAt(long index) {
    LogPosition last = end;
    if (index == last.index()) {
      return last;
    }
    for (SegmentTable.Row row : table.rows()) {
      if (row.before().index() == index) {
        return row.before();
      }
    }
    if (index < base().index() || index > last.index()) {
      throw new IllegalArgumentException("the log has no entry " + index);
    }
    LogPosition[] found = new LogPosition[1];
    new LogReplay(
            index,
            index,
            entry -> {
              found[0] = new LogPosition(entry.header().epoch(), index, entry.chainHash());
              return true;
            })
        .run(table);
    return found[0];
  }

  /**
   * Lets the next batch begin a segment, so that a snapshot taken now stands near the end of the
   * one before. Any thread.
   */
  public void rollSoon() {
    rollWanted = true;
  }

  /**
   * Removes segments whose entries are all below {@code index}, for good, oldest first. What
   * restores from there on must not need them. Any thread.
   *
   * @return the removed files
   */
  public List<Path> removeBefore(long index) {
    try {
      return trim.removeBefore(index);
    } catch (IOException e) {
      throw new LogFailureException(
          "can't remove old segments in " + directory.segments() + ": " + e, e);
    }
  }

  /** Bytes of the segment files from the one that holds {@code index} on. Any thread. */
  public long bytesFrom(long index) {
    try {
      return trim.bytesFrom(index);
    } catch (IOException e) {
      throw new LogFailureException("can't look at " + directory.segments() + ": " + e, e);
    }
  }

  /**
   * Goes on behind {@code position}, to which a snapshot reaches and the log does not, because it
   * has lost its tail (COR-26). What it still holds is moved away as evidence, entries count as
   * missing, the incarnation changes. Only before the first append.
   *
   * @return who the directory is now
   */
  public LogIdentity continueBehind(LogPosition position) {
    checkUsable();
    if (markCleared || position.index() <= end.index() || position.epoch() < end.epoch()) {
      throw new IllegalStateException(
          "the log can't go on behind " + position + ", it ends at " + end);
    }
    try {
      LogIdentity old = state.identity();
      LogIdentity renewed = new LogIdentity(old.cluster(), old.node(), LogDirectory.newId());
      state = new LogDirectory.State(renewed, state.bootId(), state.persist(), true);
      directory.writeState(state);
      Disk.remove(directory.cleanStop());
      LogRepair evidence = new LogRepair(directory, options, end.index());
      evidence.setAsideWhole(table.rows().stream().map(SegmentTable.Row::name).toList());
      evidence.findings().forEach(LOG::warn);
      trim.restartBehind(position, writer.segment());
    } catch (IOException e) {
      throw fail(
          new LogFailureException("can't let the log go on behind " + position + ": " + e, e));
    }
    end = position;
    wholeIndex = position.index();
    committed = position.index();
    lowestEpoch = position.epoch();
    return state.identity();
  }

  @Override
  public void read(long fromIndex, EntryReader reader) {
    new LogReplay(fromIndex, end.index(), reader).run(table);
  }

  /** What was done since the log was opened. */
  public LogCounters counters() {
    return counters.with(writer.begun(), sync);
  }

  @Override
  public void close(boolean clean) {
    if (closed) {
      return;
    }
    closed = true;
    try {
      if (failure == null) {
        sync.request(wholeIndex, writer.segment());
      }
      sync.close();
      writer.close();
      if (clean && failure == null && !batchOpen) {
        writeCleanStop();
      }
    } catch (IOException e) {
      throw new LogFailureException("can't close the log in " + directory.root() + ": " + e, e);
    } finally {
      release(lock);
    }
  }

  /**
   * Without room for it the mark is left out: then the next start reads the log as after a kill.
   */
  private void writeCleanStop() throws IOException {
    try {
      directory.writeCleanStop(end);
    } catch (IOException e) {
      if (!space.exhausted()) {
        throw e;
      }
      LOG.warn(
          "the disk is full, so {} has no clean-stop mark; nothing is lost, the next start checks"
              + " the log as after a kill",
          directory.root());
    }
  }

  private void beginBatch(long epoch) throws IOException {
    if (!roomSetAside) {
      space.admitBatch();
      noteWantedRoll();
    }
    if (!markCleared) {
      Disk.remove(directory.cleanStop());
      markCleared = true;
    }
    if (epoch > end.epoch() || writer.full() || rollDue) {
      rollDue = false;
      lowestEpoch = epoch;
      writer.roll();
    }
  }

  private void checkUsable() {
    if (failure != null) {
      throw new LogFailureException(
          "the log failed before and takes nothing more: " + failure.getMessage(), failure);
    }
    if (closed) {
      throw new LogFailureException("the log in " + directory.root() + " is closed");
    }
  }

  private void checkInput(EntryHeader header, int length) {
    String wrong = "";
    if (header.index() != end.index() + 1) {
      wrong = "does not follow entry " + end.index();
    } else if (header.epoch() < lowestEpoch || (batchOpen && header.epoch() != end.epoch())) {
      wrong = "has epoch " + header.epoch() + ", the log is at " + lowestEpoch;
    } else if (length > EntryRecord.MAX_PAYLOAD_BYTES) {
      wrong = "has " + length + " bytes, at most " + EntryRecord.MAX_PAYLOAD_BYTES + " fit";
    }
    if (!wrong.isEmpty()) {
      throw fail(new LogFailureException("entry " + header.index() + " " + wrong));
    }
  }

  private LogFailureException fail(LogFailureException e) {
    if (failure == null) {
      failure = e;
    }
    return e;
  }

  private static LogFailureException failedToOpen(LogOptions options, IOException e) {
    return new LogFailureException(
        String.format(
            "can't open the log in %s: %s; check that the directory is writable and the disk sound",
            options.directory(), e),
        e);
  }

  private static void release(DirectoryLock lock) {
    try {
      if (lock != null) {
        lock.close();
      }
    } catch (IOException e) {
      LOG.warn("can't release the lock of the log: {}", e.toString());
    }
  }

  /** Brings what the sync thread did to the listener. */
  private final class SyncListener implements GroupCommit.Listener {
    @Override
    public void committed(long index) {
      if (index > committed) {
        committed = index;
        listener.committed(index);
      }
    }

    @Override
    public void failed(LogFailureException e) {
      listener.failed(fail(e));
    }
  }

  private static final class Nobody implements CommitListener {
    @Override
    public void committed(long index) {}

    @Override
    public void failed(LogFailureException e) {
      LOG.error("the log failed and nobody listens", e);
    }
  }
}
