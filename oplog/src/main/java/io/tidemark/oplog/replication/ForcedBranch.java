package io.tidemark.oplog.replication;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import java.util.concurrent.atomic.AtomicBoolean;

/** Whether a branch of the log begins with an epoch that an operator forced (COR-20). */
final class ForcedBranch {
  private ForcedBranch() {}

  /**
   * Whether an operator forced an epoch of the log behind a position of it. The record says so of
   * the last one; of an earlier one the entry behind the position does, if it begins that term.
   *
   * @param recordEpoch epoch of the membership record that was last written by force, 0 for never;
   *     the forced term has a higher one, all before it have none above it
   * @param end last entry that may be looked at
   */
  static boolean startsBehind(LogPosition position, long recordEpoch, OperationLog log, long end) {
    boolean byRecord = recordEpoch > 0 && position.epoch() <= recordEpoch;
    return byRecord || beginsBehind(log, position.index(), end);
  }

  private static boolean beginsBehind(OperationLog log, long index, long end) {
    if (index >= end) {
      return false;
    }
    AtomicBoolean forced = new AtomicBoolean();
    log.read(
        index + 1,
        entry -> {
          boolean termStart = entry.header().causeCode() == Cause.of(Cause.Trigger.TERM_START);
          if (termStart && entry.payload().length > 0) {
            EventBuffer in = EventBuffer.reading(entry.payload(), 0, entry.payload().length);
            Event first = EventCodec.read(in);
            forced.set(first instanceof Event.EpochStarted started && started.forced());
          }
          return false;
        });
    return forced.get();
  }
}
