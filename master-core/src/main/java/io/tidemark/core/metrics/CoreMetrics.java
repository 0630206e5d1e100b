package io.tidemark.core.metrics;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.LongAdder;

/**
 * The values of {@link CoreMetric}s and the histogram of object sizes. Any thread, but for what
 * says that it is for the applier: there is one at a time, and it counts for every key, so that it
 * must not pay for an atomic addition.
 */
public final class CoreMetrics {

  /** Upper bounds of the buckets of {@code master_value_size_bytes}. */
  public static final long[] VALUE_SIZE_BOUNDS_BYTES = {
    4096, 65536, 262144, 1048576, 4194304, 16777216, 67108864
  };

  private static final VarHandle WORDS = MethodHandles.arrayElementVarHandle(long[].class);

  private final LongAdder[] values = newAdders(CoreMetric.values().length);
  private final long[] appliersValues = new long[CoreMetric.values().length];
  private final long[] valueSizeBuckets = new long[VALUE_SIZE_BOUNDS_BYTES.length + 1];
  private final long[] valueSizeSumBytes = new long[1];

  /** Adds to a counter, or moves a gauge. */
  public void add(CoreMetric metric, long amount) {
    values[metric.ordinal()].add(amount);
  }

  /** As {@link #add}, for the applier. */
  public void applied(CoreMetric metric, long amount) {
    addTo(appliersValues, metric.ordinal(), amount);
  }

  /** Present value. */
  public long get(CoreMetric metric) {
    return values[metric.ordinal()].sum() + read(appliersValues, metric.ordinal());
  }

  /** Sets a gauge to zero before a state is rebuilt; for the applier. */
  public void reset(CoreMetric metric) {
    values[metric.ordinal()].reset();
    addTo(appliersValues, metric.ordinal(), -read(appliersValues, metric.ordinal()));
  }

  /** Counts one new object of a size; for the applier. */
  public void recordValueSize(long sizeBytes) {
    int bucket = 0;
    while (bucket < VALUE_SIZE_BOUNDS_BYTES.length && sizeBytes > VALUE_SIZE_BOUNDS_BYTES[bucket]) {
      bucket++;
    }
    addTo(valueSizeBuckets, bucket, 1);
    addTo(valueSizeSumBytes, 0, sizeBytes);
  }

  /** Objects in bucket {@code i} alone (not cumulative); the last bucket is +Inf. */
  public long valueSizeBucket(int i) {
    return read(valueSizeBuckets, i);
  }

  /** Sum of all recorded sizes in bytes. */
  public long valueSizeSumBytes() {
    return read(valueSizeSumBytes, 0);
  }

  private static void addTo(long[] words, int at, long amount) {
    WORDS.setOpaque(words, at, words[at] + amount);
  }

  private static long read(long[] words, int at) {
    return (long) WORDS.getOpaque(words, at);
  }

  private static LongAdder[] newAdders(int count) {
    LongAdder[] adders = new LongAdder[count];
    for (int i = 0; i < count; i++) {
      adders[i] = new LongAdder();
    }
    return adders;
  }
}
