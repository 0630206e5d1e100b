package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Entries that a truncation or a restart took out of a log, kept for people: a directory {@code
 * set-aside/divergent-EPOCH-INDEX} with the segment files that held them, as they were, and a file
 * {@code ABOUT}. The first file may begin with entries that are still in the log.
 *
 * @param path the directory
 * @param before position of the entry before the first in the files
 * @param keep where the log went on; entries behind it were taken out
 * @param end where the log ended
 * @param wallTimeMs when, in ms since 1970
 */
public record DivergentBranch(
    Path path, LogPosition before, LogPosition keep, LogPosition end, long wallTimeMs) {
  static final String PREFIX = "divergent-";
  static final String ABOUT = "ABOUT";
  static final String TITLE = "tidemark-divergent 1";

  /**
   * All of a log, oldest first.
   *
   * @throws LogFormatException if one has no description that can be read
   */
  public static List<DivergentBranch> list(Path logDirectory) {
    Path setAside = new LogDirectory(logDirectory).setAside();
    List<DivergentBranch> found = new ArrayList<>();
    if (!Files.isDirectory(setAside)) {
      return found;
    }
    try (var files = Files.newDirectoryStream(setAside, PREFIX + "*")) {
      for (Path path : files) {
        found.add(read(path));
      }
    } catch (IOException e) {
      throw new LogFailureException("can't read " + setAside + ": " + e, e);
    }
    found.sort(
        Comparator.comparingLong(DivergentBranch::wallTimeMs).thenComparing(DivergentBranch::path));
    return found;
  }

  /** How many entries were taken out. */
  public long entries() {
    return end.index() - keep.index();
  }

  /**
   * Reads the entries that were taken out, verified as {@link LogReader#read} does. The first file
   * is read from its beginning.
   */
  public LogReader.Outcome read(LogReader.EntryVisitor visitor) {
    try {
      LogScan scan = new LogScan(before, 0);
      boolean goOn = true;
      for (SegmentName name : SegmentName.list(path)) {
        goOn = goOn && scan.segment(name, LogReader.visit(keep.index() + 1, visitor));
      }
      return LogReader.outcome(scan);
    } catch (IOException e) {
      throw new LogFailureException("can't read " + path + ": " + e, e);
    }
  }

  private static DivergentBranch read(Path path) throws IOException {
    Path about = path.resolve(ABOUT);
    if (!Files.exists(about) || !StateFile.title(about).equals(TITLE)) {
      throw new LogFormatException(path + " has no file " + ABOUT + " that this release can read");
    }
    Map<String, String> values = StateFile.read(about);
    try {
      return new DivergentBranch(
          path,
          StateFile.position(values, "before-"),
          StateFile.position(values, "keep-"),
          StateFile.position(values, "end-"),
          Long.parseLong(values.get("wall-ms")));
    } catch (NumberFormatException e) {
      throw new LogFormatException(about + " has a value that can't be read", e);
    }
  }
}
