package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Optional;

/**
 * Reads the segments whose inside a start did not read, as that would have: checksum, index, chain,
 * epoch of every entry. Reads only; one thread, while the log is in use.
 */
final class CoveredCheck {
  /** The caller is asked whether to go on each time that so many bytes of entries were read. */
  static final int STEP_BYTES = 1 << 20;

  private final SegmentTable table;
  private final ChronicleLog.CheckPace pace;
  private long stepBytes;
  private boolean stopped;

  CoveredCheck(SegmentTable table, ChronicleLog.CheckPace pace) {
    this.table = table;
    this.pace = pace;
  }

  /** Reads them, oldest first; returns the first damage. */
  Optional<LogDamage> run(List<CoveredSegments.Covered> covered) throws IOException {
    for (CoveredSegments.Covered segment : covered) {
      if (stopped) {
        return Optional.empty();
      }
      Optional<LogDamage> damage = check(segment);
      if (damage.isPresent()) {
        return damage;
      }
    }
    return Optional.empty();
  }

  private Optional<LogDamage> check(CoveredSegments.Covered segment) throws IOException {
    LogScan scan = new LogScan(segment.row().before(), 0);
    try {
      scan.segment(segment.row().name(), this::goOn);
    } catch (NoSuchFileException gone) {
      if (table.rows().contains(segment.row())) {
        throw gone;
      }
      return Optional.empty(); // a snapshot made it superfluous meanwhile
    }
    LogPosition end = scan.end();
    Optional<LogDamage> damage = scan.outcome().damage();
    if (damage.isPresent() || stopped || end.equals(segment.end())) {
      return damage;
    }
    return Optional.of(
        new LogDamage(
            LogDamage.Kind.CORRUPT_MIDDLE,
            segment.row().name().file(),
            0,
            end.index() + 1,
            "the segment ends at entry "
                + end.index()
                + ", it was seen to end at entry "
                + segment.end().index()));
  }

  private boolean goOn(SegmentWalker at, SegmentFacts facts) {
    stepBytes += at.recordBytes();
    if (stepBytes >= STEP_BYTES) {
      stepBytes = 0;
      stopped = !pace.goOn();
    }
    return !stopped;
  }
}
