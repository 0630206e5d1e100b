package io.tidemark.oplog;

import java.util.concurrent.atomic.LongAdder;

/** What the appending thread counts; read by any thread. */
final class AppendCounters {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder segments = new LongAdder();
  private final ForceCounters forces = new ForceCounters();

  void entry(int recordBytes) {
    entries.increment();
    bytes.add(recordBytes);
  }

  void batch() {
    batches.increment();
  }

  void refusal() {
    refused.increment();
  }

  void segment() {
    segments.increment();
  }

  /** What the sync threads count. */
  ForceCounters forces() {
    return forces;
  }

  LogCounters sum() {
    return new LogCounters(
        entries.sum(),
        bytes.sum(),
        batches.sum(),
        segments.sum(),
        refused.sum(),
        forces.forces(),
        forces.nanosTotal(),
        forces.nanosMax(),
        forces.groupEntriesMax());
  }
}
