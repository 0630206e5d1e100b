package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.OperationLog;
import java.io.IOException;
import java.util.List;

/**
 * Reads the entries of an open log back, from an index up to another.
 *
 * <p>Whole segments before the index are not looked at; within its segment, entries before it are
 * verified but not made.
 */
record LogReplay(long fromIndex, long untilIndex, OperationLog.EntryReader reader)
    implements LogScan.Visitor {

  /**
   * Reads.
   *
   * @throws CorruptLogException if an entry that was sound when the log was opened is so no more
   */
  void run(SegmentTable table) {
    List<SegmentTable.Row> rows = table.from(fromIndex);
    if (fromIndex > untilIndex || rows.isEmpty()) {
      return;
    }
    LogScan scan = LogScan.from(rows.get(0).firstIndex());
    boolean goOn = true;
    for (int i = 0; goOn && i < rows.size(); i++) {
      SegmentName name = rows.get(i).name();
      try {
        goOn = scan.segment(name, this);
      } catch (IOException e) {
        throw new LogFailureException("can't read " + name.file() + ": " + e, e);
      }
    }
    if (goOn || scan.outcome().damage().isPresent()) {
      throw unreadable(scan, rows.get(rows.size() - 1).name());
    }
  }

  @Override
  public boolean entry(SegmentWalker at, SegmentFacts segment) {
    long index = segment.lastIndex;
    boolean goOn = index < fromIndex || reader.entry(LogEntries.of(at));
    return goOn && index < untilIndex;
  }

  private CorruptLogException unreadable(LogScan scan, SegmentName last) {
    LogDamage damage =
        scan.outcome()
            .damage()
            .orElse(
                new LogDamage(
                    LogDamage.Kind.TORN_TAIL,
                    last.file(),
                    0,
                    scan.end().index() + 1,
                    "the log ends there, entries up to " + untilIndex + " were appended"));
    return new CorruptLogException(
        damage, "It was sound when the log was opened; check the disk and who else writes there");
  }
}
