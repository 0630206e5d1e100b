package io.tidemark.core.metrics;

import java.util.concurrent.atomic.LongAdder;

/** The values of {@link CoreMetric}s and the histogram of object sizes. Any thread. */
public final class CoreMetrics {

  /** Upper bounds of the buckets of {@code master_value_size_bytes}. */
  public static final long[] VALUE_SIZE_BOUNDS_BYTES = {
    4096, 65536, 262144, 1048576, 4194304, 16777216, 67108864
  };

  private final LongAdder[] values = newAdders(CoreMetric.values().length);
  private final LongAdder[] valueSizeBuckets = newAdders(VALUE_SIZE_BOUNDS_BYTES.length + 1);
  private final LongAdder valueSizeSumBytes = new LongAdder();

  /** Adds to a counter, or moves a gauge. */
  public void add(CoreMetric metric, long amount) {
    values[metric.ordinal()].add(amount);
  }

  /** Present value. */
  public long get(CoreMetric metric) {
    return values[metric.ordinal()].sum();
  }

  /** Sets a gauge to zero before a state is rebuilt. */
  public void reset(CoreMetric metric) {
    values[metric.ordinal()].reset();
  }

  /** Counts one new object of a size. */
  public void recordValueSize(long sizeBytes) {
    int bucket = 0;
    while (bucket < VALUE_SIZE_BOUNDS_BYTES.length && sizeBytes > VALUE_SIZE_BOUNDS_BYTES[bucket]) {
      bucket++;
    }
    valueSizeBuckets[bucket].increment();
    valueSizeSumBytes.add(sizeBytes);
  }

  /** Objects in bucket {@code i} alone (not cumulative); the last bucket is +Inf. */
  public long valueSizeBucket(int i) {
    return valueSizeBuckets[i].sum();
  }

  /** Sum of all recorded sizes in bytes. */
  public long valueSizeSumBytes() {
    return valueSizeSumBytes.sum();
  }

  private static LongAdder[] newAdders(int count) {
    LongAdder[] adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }
}
