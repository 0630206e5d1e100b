package io.tidemark.oplog;

import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Reads the log of a stopped or a running master and changes nothing: no lock is taken, no file
 * written. Entries are verified (checksum, index, chain, epoch) and read in order with bounded
 * memory.
 *
 * <p>One thread at a time; each read sees what the log holds at that moment.
 */
public final class LogReader {
  /** How often a read looks again, 1 ms apart, at an entry that a running master is writing. */
  private static final int RETRIES = 50;

  private final LogDirectory directory;
  private final LogDirectory.State state;

  private LogReader(LogDirectory directory, LogDirectory.State state) {
    this.directory = directory;
    this.state = state;
  }

  /** Receives entries. */
  @FunctionalInterface
  public interface EntryVisitor {
    /** Returns whether to go on. */
    boolean entry(LogEntry entry, EntryPlace place);
  }

  /**
   * How far a read came.
   *
   * @param end the last intact entry that was read
   * @param wholeEnd end of the last whole batch
   * @param openBatch where a batch without an end begins: a running master is at it, or one died
   * @param damage why the read could not go on, if it could not
   * @param findings one sentence for everything odd that cost no entry
   */
  public record Outcome(
      LogPosition end,
      LogPosition wholeEnd,
      Optional<EntryPlace> openBatch,
      Optional<LogDamage> damage,
      List<String> findings) {}

  /**
   * Opens a log directory.
   *
   * @throws LogFormatException if there is no log, or one of a newer format
   */
  public static LogReader open(Path directory) {
    LogDirectory found = new LogDirectory(directory);
    try {
      if (!Files.isDirectory(directory)) {
        throw new LogFormatException(directory + " is not a directory; name the log's directory");
      }
      LogDirectory.State state =
          found
              .readState()
              .orElseThrow(
                  () ->
                      new LogFormatException(
                          directory + " holds no log: there is no FORMAT file in it"));
      return new LogReader(found, state);
    } catch (IOException e) {
      throw new LogFailureException("can't read " + directory + ": " + e, e);
    }
  }

  /** Whose log it is. */
  public LogIdentity identity() {
    return state.identity();
  }

  /** Where the log ended at its last clean stop, if it was not opened for appending since. */
  public Optional<LogPosition> cleanStop() {
    try {
      return directory.readCleanStop();
    } catch (IOException e) {
      throw new LogFailureException("can't read " + directory.cleanStop() + ": " + e, e);
    }
  }

  /** The position before the first entry that the log has: behind it a snapshot is needed. */
  public LogPosition base() {
    try {
      return directory.readBase().position();
    } catch (IOException e) {
      throw new LogFailureException("can't read " + directory.base() + ": " + e, e);
    }
  }

  /** Reads the whole log and checks it. */
  public Outcome verify() {
    return read(1, (entry, place) -> true);
  }

  /**
   * Reads entries from {@code fromIndex} on. Earlier ones are verified, too, but not handed out.
   */
  public Outcome read(long fromIndex, EntryVisitor visitor) {
    return outcome(scan(visit(fromIndex, visitor)));
  }

  /** Hands entries from {@code fromIndex} on to {@code visitor}. */
  static LogScan.Visitor visit(long fromIndex, EntryVisitor visitor) {
    return (at, segment) ->
        segment.lastIndex < fromIndex
            || visitor.entry(
                LogEntries.of(at),
                new EntryPlace(segment.name.file(), at.documentOffset(), at.recordBytes()));
  }

  /** How far a scan came. */
  static Outcome outcome(LogScan scan) {
    LogScan.Outcome outcome = scan.outcome();
    return new Outcome(
        outcome.end(),
        outcome.wholeEnd(),
        outcome.openBatch(),
        outcome.damage(),
        outcome.findings());
  }

  private LogScan scan(LogScan.Visitor each) {
    try {
      LogDirectory.Contents contents = directory.contents();
      LogScan scan = new LogScan(contents.base().position(), RETRIES);
      Optional<SegmentName> next = contents.segments().stream().findFirst();
      while (next.isPresent() && scan.segment(next.get(), each)) {
        int read = next.get().number(); // a running master may have begun another, or removed some
        contents = directory.contents();
        if (contents.base().position().index() > scan.end().index()) {
          throw new NoSuchFileException(directory.segments().toString());
        }
        next = contents.segments().stream().filter(name -> name.number() > read).findFirst();
      }
      return scan;
    } catch (NoSuchFileException trimmed) {
      throw new LogFailureException(
          trimmed.getFile()
              + ": segments were removed while the log was read: a running master has taken a"
              + " snapshot and dropped what is before it; run the command again",
          trimmed);
    } catch (IOException e) {
      throw new LogFailureException("can't read " + directory.segments() + ": " + e, e);
    }
  }
}
