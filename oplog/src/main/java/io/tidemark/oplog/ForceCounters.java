package io.tidemark.oplog;

import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** What the threads that force the log count; read by any thread. */
final class ForceCounters {
  private final LogTimes times = new LogTimes();
  private final LongAdder forces = new LongAdder();
  private final LongAdder nanosTotal = new LongAdder();
  private final LongAccumulator nanosMax = new LongAccumulator(Math::max, 0);
  private final LongAccumulator groupEntriesMax = new LongAccumulator(Math::max, 0);

  void force(long nanos) {
    forces.increment();
    nanosTotal.add(nanos);
    nanosMax.accumulate(nanos);
    times.force().add(nanos);
  }

  LogTimes times() {
    return times;
  }

  void group(long entries) {
    groupEntriesMax.accumulate(entries);
  }

  long forces() {
    return forces.sum();
  }

  long nanosTotal() {
    return nanosTotal.sum();
  }

  long nanosMax() {
    return nanosMax.get();
  }

  long groupEntriesMax() {
    return groupEntriesMax.get();
  }
}
