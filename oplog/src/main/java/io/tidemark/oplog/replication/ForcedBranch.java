package io.tidemark.oplog.replication;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.OperationLog;
import java.util.concurrent.atomic.AtomicBoolean;

/** Whether a branch of the log begins with an epoch that an operator forced (COR-20). */
final class ForcedBranch {
  private ForcedBranch() {}

  /**
   * Looks at the entry behind {@code index}.
   *
   * @param end last entry that may be looked at
   */
  static boolean startsBehind(OperationLog log, long index, long end) {
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
