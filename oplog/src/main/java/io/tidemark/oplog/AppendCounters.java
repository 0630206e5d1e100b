package io.tidemark.oplog;

import java.util.concurrent.atomic.LongAdder;

/** What the appending thread counts; read by any thread. */
final class AppendCounters {
  private final LongAdder entries = new LongAdder();
  private final LongAdder bytes = new LongAdder();
  private final LongAdder batches = new LongAdder();
  private final LongAdder refused = new LongAdder();

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

  LogCounters with(long segmentsBegun, GroupCommit sync) {
    return new LogCounters(
        entries.sum(),
        bytes.sum(),
        batches.sum(),
        segmentsBegun,
        refused.sum(),
        sync.forces(),
        sync.forceNanosTotal(),
        sync.forceNanosMax(),
        sync.groupEntriesMax());
  }
}
