package io.tidemark.oplog;

import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** How often something took how long, in a fixed number of buckets. Any thread. */
public final class DurationCounts {
  /** Upper bounds of the buckets, microseconds; above the last one is one more bucket. */
  public static final List<Long> BOUNDS_MICROS =
      List.of(
          10L,
          50L,
          100L,
          250L,
          500L,
          1_000L,
          2_500L,
          5_000L,
          10_000L,
          25_000L,
          50_000L,
          100_000L,
          250_000L,
          1_000_000L);

  private static final long NANOS_PER_MICRO = 1_000;

  private final AtomicLongArray counts = new AtomicLongArray(BOUNDS_MICROS.size() + 1);
  private final LongAdder nanosTotal = new LongAdder();

  /** Something took so long. */
  public void add(long nanos) {
    int bucket = 0;
    while (bucket < BOUNDS_MICROS.size() && nanos > BOUNDS_MICROS.get(bucket) * NANOS_PER_MICRO) {
      bucket++;
    }
    counts.incrementAndGet(bucket);
    nanosTotal.add(nanos);
  }

  /** How often it took no longer than bound {@code bucket}, and longer than the one before. */
  public long count(int bucket) {
    return counts.get(bucket);
  }

  /** All of it, microseconds. */
  public long sumMicros() {
    return nanosTotal.sum() / NANOS_PER_MICRO;
  }
}
