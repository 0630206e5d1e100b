package io.tidemark.oplog.replication;

import java.util.concurrent.atomic.AtomicLongArray;

/** Counters of one node, over all its terms. Any thread. */
public final class ReplicationCounters {
  private final AtomicLongArray values = new AtomicLongArray(ReplicationCounter.values().length);

  public void add(ReplicationCounter counter, long amount) {
    values.addAndGet(counter.ordinal(), amount);
  }

  public long get(ReplicationCounter counter) {
    return values.get(counter.ordinal());
  }
}
