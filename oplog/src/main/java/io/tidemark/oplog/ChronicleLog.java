package io.tidemark.oplog;

import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.ReplicaLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The operation log in files of Chronicle Queue. Format and recovery are described in the package
 * documentation.
 *
 * <p>Threads as {@link ReplicaLog} says; {@link #counters}, {@link #rollSoon}, {@link
 * #removeBefore} and {@link #bytesFrom} may be called from any thread, the rest by the holder of
 * the core role.
 */
public final class ChronicleLog implements ReplicaLog {
  private static final Logger LOG = LoggerFactory.getLogger(ChronicleLog.class);

  private final LogDirectory directory;
  private final DirectoryLock lock;
  private final SegmentTable table;
  private final LogTrim trim;
  private final CommitState commits;
  private final AppendCounters counters = new AppendCounters();
  private final LogTail tail;
  private final LogWriter writer;
  private final RecordSource source;
  private final LogBranching branching;
  private final List<CoveredSegments.Covered> covered;
  private LogDirectory.State state;

  private ChronicleLog(
      LogOptions options,
      Surroundings around,
      LogRecovery.Recovered recovered,
      DirectoryLock lock) {
    this.lock = lock;
    directory = new LogDirectory(options.directory());
    table = recovered.table();
    trim = new LogTrim(directory, table, recovered.base());
    covered = recovered.covered();
    state = recovered.state();
    LogPosition end = recovered.report().end();
    commits = new CommitState(options.alone(), end.index(), recovered.knownCommit());
    RecentRecords recent = new RecentRecords();
    source = new RecordSource(table, trim::base, recent);
    SpaceGuard space = new SpaceGuard(options.reserveBytes(), around.usableBytes());
    LogTail.Shared shared = new LogTail.Shared(table, commits, counters);
    tail = new LogTail(options, directory.segments(), space, shared);
    writer = new LogWriter(options, tail, shared, end, recovered.acceptedEpoch(), recent);
    LogCut cut = new LogCut(directory, options, table, trim, around.steps());
    LogBranching.Files files = new LogBranching.Files(trim, source, cut, around.steps());
    branching = new LogBranching(writer, tail, commits, files);
    List<Path> backlog = options.persist() == Persist.PAGE ? recovered.unforced() : List.of();
    tail.begin(recovered.nextSegment(), backlog, end.index());
  }

  /**
   * What a log stands in.
   *
   * @param usableBytes free space of the file system
   * @param steps told before changes of files
   */
  record Surroundings(LongSupplier usableBytes, FileSteps steps) {}

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
    return open(options, new Surroundings(usableBytes, FileSteps.NONE));
  }

  /** As {@link #open(LogOptions)}, in other surroundings. */
  static OpenedLog open(LogOptions options, Surroundings around) {
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
      log = new ChronicleLog(options, around, recovered, lock);
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
    return writer.end();
  }

  @Override
  public LogPosition base() {
    return trim.base();
  }

  @Override
  public void append(EntryHeader header, byte[] payload, int offset, int length) {
    writer.append(header, payload, offset, length);
  }

  @Override
  public void appendRecord(byte[] record, int offset, int length) {
    writer.appendRecord(record, offset, length);
  }

  @Override
  public void endBatch() {
    writer.endBatch();
  }

  @Override
  public long committedIndex() {
    return commits.durable();
  }

  @Override
  public long durableIndex() {
    return commits.durable();
  }

  @Override
  public long knownCommit() {
    return commits.known();
  }

  @Override
  public void noteCommit(long index) {
    commits.note(index);
  }

  @Override
  public void onCommit(CommitListener newListener) {
    commits.listen(newListener);
  }

  @Override
  public boolean hasSpace() {
    return !commits.hasFailed() && !writer.closed() && tail.setAside();
  }

  @Override
  public long acceptedEpoch() {
    return writer.acceptedEpoch();
  }

  @Override
  public void acceptEpoch(long epoch) {
    writer.checkUsable();
    if (epoch < acceptedEpoch()) {
      throw new IllegalArgumentException(
          "epoch " + epoch + " is below the accepted " + acceptedEpoch());
    }
    try {
      writer.storeEpoch(epoch);
    } catch (IOException e) {
      throw commits.fail(new LogFailureException("can't write " + directory.epoch() + ": " + e, e));
    }
  }

  /**
   * Begins a term: entries of lower epochs are refused from now on, and the next entry begins a
   * segment of its own, so that a term can be cut off as files (COR-22). Without this call the
   * first entry of a higher epoch does the same.
   */
  public void startTerm(long epoch) {
    writer.startTerm(epoch);
  }

  /**
   * Says that the consequences of missing entries ({@link OpenedLog#entriesMayBeMissing}) were
   * drawn and are in the log, committed. Until then every start says again that entries may be
   * missing (COR-13).
   */
  public void lossHandled() {
    writer.checkUsable();
    try {
      if (state.lossOpen()) {
        write(new LogDirectory.State(state.identity(), state.bootId(), state.persist(), false));
      }
    } catch (IOException e) {
      throw commits.fail(
          new LogFailureException("can't write " + directory.format() + ": " + e, e));
    }
  }

  /**
   * {@inheritDoc}
   *
   * @throws CorruptLogException if the entry can't be read any more
   */
  @Override
  public Optional<LogPosition> positionAt(long index) {
    LogPosition last = writer.end();
    LogPosition first = base();
    if (index == last.index() || index == first.index()) {
      return Optional.of(index == last.index() ? last : first);
    }
    if (index < first.index() || index > last.index()) {
      return Optional.empty();
    }
    return source.place(index).map(RecordSource.Place::position);
  }

  /**
   * {@inheritDoc}
   *
   * @throws CorruptLogException if an entry can't be read any more
   */
  @Override
  public void readRecords(long fromIndex, int maxBytes, RecordReader reader) {
    source.read(fromIndex, writer.end().index(), maxBytes, reader);
  }

  /**
   * Lets the next batch begin a segment, so that a snapshot taken now stands near the end of the
   * one before. Any thread.
   */
  public void rollSoon() {
    tail.rollSoon();
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

  /** Whether to go on with a check, asked after each of its steps, which it may delay. */
  @FunctionalInterface
  public interface CheckPace {
    boolean goOn();
  }

  /**
   * Index of the first entry that was read when the log was opened. Those before it, if there are
   * any, a snapshot holds ({@link LogOptions#coveredUpTo}); their segments were looked at only
   * where they meet. Any thread.
   */
  public long checkedFrom() {
    return covered.isEmpty() ? 1 : covered.get(covered.size() - 1).end().index() + 1;
  }

  /**
   * Reads the segments that opening left out, those that are still there; changes nothing. One
   * thread at a time, also while the log is appended to, but not while it is cut.
   *
   * @param pace asked after each MiB
   * @return the first damage; empty if there is none, or if {@code pace} said no
   */
  public Optional<LogDamage> checkCovered(CheckPace pace) {
    try {
      return new CoveredCheck(table, pace).run(covered);
    } catch (IOException e) {
      throw new LogFailureException("can't read " + directory.segments() + ": " + e, e);
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
    writer.checkUsable();
    LogPosition end = writer.end();
    if (writer.changed() || position.index() <= end.index() || position.epoch() < end.epoch()) {
      throw new IllegalStateException(
          "the log can't go on behind " + position + ", it ends at " + end);
    }
    try {
      LogIdentity old = state.identity();
      LogIdentity renewed = new LogIdentity(old.cluster(), old.node(), LogDirectory.newId());
      write(new LogDirectory.State(renewed, state.bootId(), state.persist(), true));
      branching.restart(position);
    } catch (IOException e) {
      throw commits.fail(
          new LogFailureException("can't let the log go on behind " + position + ": " + e, e));
    }
    return state.identity();
  }

  @Override
  public void restartAt(LogPosition position, boolean forcedBranch) {
    writer.checkUsable();
    try {
      branching.restartAt(position, forcedBranch);
    } catch (IOException e) {
      throw commits.fail(
          new LogFailureException("can't let the log go on behind " + position + ": " + e, e));
    }
  }

  @Override
  public Truncation truncateAfter(LogPosition keep, boolean forcedBranch) {
    writer.checkUsable();
    try {
      return branching.truncateAfter(keep, forcedBranch);
    } catch (IOException e) {
      throw commits.fail(
          new LogFailureException(
              "can't cut the log in " + directory.root() + " behind " + keep + ": " + e, e));
    }
  }

  @Override
  public void read(long fromIndex, EntryReader reader) {
    new LogReplay(fromIndex, writer.end().index(), reader).run(table);
  }

  @Override
  public void readOn(long fromIndex, EntryReader reader) {
    source.read(
        fromIndex,
        writer.end().index(),
        Long.MAX_VALUE,
        (header, chainHash, record) -> {
          int begin = EntryRecord.headerBytes(record, 0);
          int end = record.length - EntryRecord.CHECKSUM_BYTES;
          byte[] payload = Arrays.copyOfRange(record, begin, end);
          return reader.entry(new LogEntry(header, chainHash, payload));
        });
  }

  /** Whether it takes nothing more, because a write failed. Any thread. */
  public boolean hasFailed() {
    return commits.hasFailed();
  }

  /** What was done since the log was opened. */
  public LogCounters counters() {
    return counters.sum();
  }

  /** How long it takes. Any thread. */
  public LogTimes times() {
    return counters.forces().times();
  }

  @Override
  public void close(boolean clean) {
    if (writer.closed()) {
      return;
    }
    try {
      writer.close();
      if (clean && !commits.hasFailed() && !writer.batchOpen()) {
        writeCleanStop();
      }
    } catch (IOException e) {
      throw new LogFailureException("can't close the log in " + directory.root() + ": " + e, e);
    } finally {
      source.close();
      release(lock);
    }
  }

  /**
   * Without room for it the mark is left out: then the next start reads the log as after a kill.
   */
  private void writeCleanStop() throws IOException {
    try {
      directory.writeCleanStop(writer.end());
    } catch (IOException e) {
      if (!tail.diskFull()) {
        throw e;
      }
      LOG.warn(
          "the disk is full, so {} has no clean-stop mark; nothing is lost, the next start checks"
              + " the log as after a kill",
          directory.root());
    }
  }

  private void write(LogDirectory.State next) throws IOException {
    directory.writeState(next);
    state = next;
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
}
