package io.tidemark.tools;

import io.tidemark.oplog.LogDamage;
import io.tidemark.oplog.LogReader;
import java.io.PrintWriter;

/** What the end of a read means, in words. */
final class LogEnd {
  private LogEnd() {}

  /** Says what kept a command from reading on; returns the status to end with. */
  static int report(LogReader.Outcome outcome, PrintWriter err) {
    outcome.findings().forEach(finding -> err.println("note: " + finding));
    outcome
        .openBatch()
        .ifPresent(
            begin ->
                err.println(
                    "note: the batch at "
                        + begin.file()
                        + ", offset "
                        + begin.offsetBytes()
                        + " has no end: a master is writing it, or died there and the next start"
                        + " will drop it"));
    if (outcome.damage().isEmpty()) {
      return ExitStatus.OK;
    }
    err.println(
        "the log is damaged behind entry "
            + outcome.end().index()
            + ": "
            + explain(outcome.damage().get()));
    return ExitStatus.DAMAGED;
  }

  /** Where a log is damaged, how, and what a start would do. */
  static String explain(LogDamage damage) {
    return switch (damage.kind()) {
      case TORN_TAIL ->
          "torn tail: " + damage + ". Nothing readable follows; a start cuts the log there";
      case CORRUPT_MIDDLE ->
          "corrupt: " + damage + ". A start refuses this log; restore the file from a copy";
    };
  }
}
