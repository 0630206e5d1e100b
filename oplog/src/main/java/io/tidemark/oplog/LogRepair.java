package io.tidemark.oplog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a log at the end of its last whole batch and makes every remaining segment sound.
 *
 * <p>The order keeps a crash at any instant harmless (COR-21): evidence is copied and forced first;
 * then the newest segments go first; a segment of which a part stays is replaced by temporary file,
 * force and rename. A repair that was interrupted is simply found and done again by the next start.
 */
final class LogRepair {
  private final LogDirectory directory;
  private final LogOptions options;
  private final long keepUntil;
  private final List<String> findings = new ArrayList<>();
  private long bytesDropped;

  /**
   * @param keepUntil index of the last entry that stays
   */
  LogRepair(LogDirectory directory, LogOptions options, long keepUntil) {
    this.directory = directory;
    this.options = options;
    this.keepUntil = keepUntil;
  }

  /** Bytes that were cut off. */
  long bytesDropped() {
    return bytesDropped;
  }

  /** One sentence for each cut and each rewritten file. */
  List<String> findings() {
    return findings;
  }

  /** Moves whole segment files away; newest first. */
  void setAsideWhole(List<SegmentName> newerSegments) throws IOException {
    for (int i = newerSegments.size() - 1; i >= 0; i--) {
      Path file = newerSegments.get(i).file();
      Path target = evidence(file, "whole");
      bytesDropped += Files.size(file);
      Disk.force(file);
      Disk.rename(file, target);
      findings.add(file + ": moved to " + target);
    }
  }

  /**
   * Brings one segment in order.
   *
   * @param dropFrom where the first document that goes begins
   */
  void segment(SegmentFacts facts, long dropFrom) throws IOException {
    Path file = facts.name.file();
    boolean dropsEntries = facts.lastIndex > keepUntil;
    long dropTo = Math.max(facts.tailEnd, facts.endOffset);
    if (dropTo > dropFrom) {
      Path target = evidence(file, "offset-" + dropFrom);
      Disk.copyRange(file, dropFrom, dropTo, target);
      bytesDropped += dropTo - dropFrom;
      findings.add(
          file
              + ", offset "
              + dropFrom
              + ": "
              + (dropTo - dropFrom)
              + " bytes behind entry "
              + keepUntil
              + " dropped, copied to "
              + target);
    }
    if (facts.empty() || facts.firstIndex > keepUntil) {
      Disk.remove(file);
    } else if (facts.unsound || dropsEntries) {
      new SegmentRewrite(directory, options, FileSteps.NONE)
          .run(facts.name, facts.firstIndex, last(facts));
      findings.add(file + ": rewritten with entries " + facts.firstIndex + " to " + last(facts));
    }
  }

  private long last(SegmentFacts facts) {
    return Math.min(facts.lastIndex, keepUntil);
  }

  private Path evidence(Path file, String what) throws IOException {
    Files.createDirectories(directory.setAside());
    Disk.forceNames(directory.root());
    String name = file.getFileName() + "-entry-" + (keepUntil + 1) + "-" + what + "-";
    long distinct = options.wallClockMs().getAsLong();
    Path target = directory.setAside().resolve(name + distinct);
    while (Files.exists(target)) {
      distinct++;
      target = directory.setAside().resolve(name + distinct);
    }
    return target;
  }
}
