package io.tidemark.server.metrics;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;

/** What is counted about snapshots. Any thread. */
public final class SnapshotFigures {
  /** Upper bounds of the buckets of {@code master_snapshot_duration_ms}, without infinity. */
  private static final long[] DURATION_BOUNDS_MS = {
    0, 500, 1_000, 5_000, 10_000, 30_000, 60_000, 120_000, 180_000, 240_000, 300_000
  };

  /** Snapshots taken and read back. */
  public final LongAdder taken = new LongAdder();

  /** Attempts that gave none. */
  public final LongAdder failed = new LongAdder();

  /** Snapshots that a start rejected. */
  public final LongAdder rejected = new LongAdder();

  /** Objects that a start could not restore. */
  public final LongAdder objectsLeftOut = new LongAdder();

  /** Leftovers of unfinished snapshots that were removed. */
  public final LongAdder leftovers = new LongAdder();

  /** Segments of the log that were removed. */
  public final LongAdder segmentsRemoved = new LongAdder();

  private final AtomicLongArray durations = new AtomicLongArray(DURATION_BOUNDS_MS.length + 1);
  private final LongAdder durationMs = new LongAdder();

  private volatile Latest latest = new Latest(0, 0, 0, 0, 0);
  private volatile LogSize log = new LogSize(0, 0, false);
  private volatile boolean enabled;
  private volatile boolean active;
  private volatile boolean logDamaged;
  private volatile long kept;

  /**
   * The newest verified snapshot.
   *
   * @param index 0 for none
   */
  public record Latest(long index, long bytes, long chunks, long objects, long createdMs) {}

  /**
   * The log on disk.
   *
   * @param unbounded whether nothing keeps it from growing
   */
  public record LogSize(long bytes, long bytesSinceSnapshot, boolean unbounded) {}

  public void setEnabled(boolean value) {
    enabled = value;
  }

  public void setActive(boolean value) {
    active = value;
  }

  public void setLog(LogSize value) {
    log = value;
  }

  /** Whether damage is known in a part of the log that a snapshot stands for. */
  public void setLogDamaged(boolean value) {
    logDamaged = value;
  }

  /** The newest verified snapshot, and how many there are. */
  public void setLatest(Latest value, long count) {
    latest = value;
    kept = count;
  }

  public Latest latest() {
    return latest;
  }

  public LogSize log() {
    return log;
  }

  /** One was taken in so much time. */
  public void took(long millis) {
    int bucket = 0;
    while (bucket < DURATION_BOUNDS_MS.length && millis > DURATION_BOUNDS_MS[bucket]) {
      bucket++;
    }
    durations.incrementAndGet(bucket);
    durationMs.add(millis);
    taken.increment();
  }

  /** Number of durations in a bucket of the histogram. */
  long durationBucket(int bucket) {
    return durations.get(bucket);
  }

  long durationSumMs() {
    return durationMs.sum();
  }

  /** Whether snapshots are taken by themselves. */
  boolean isEnabled() {
    return enabled;
  }

  /** Values by the name of their metric. */
  Map<String, Long> values() {
    Map<String, Long> values = new HashMap<>();
    Latest newest = latest;
    LogSize size = log;
    long age = Math.max(0, System.currentTimeMillis() - newest.createdMs()) / 1000;
    values.put("master_snapshot_success", taken.sum());
    values.put("master_snapshot_fail", failed.sum());
    values.put("ha_snapshot_enabled", enabled ? 1L : 0L);
    values.put("ha_snapshot_active", active ? 1L : 0L);
    values.put("ha_snapshot_count", kept);
    values.put("ha_snapshot_bytes", newest.bytes());
    values.put("ha_snapshot_chunk_count", newest.chunks());
    values.put("ha_snapshot_latest_present", newest.index() > 0 ? 1L : 0L);
    values.put("ha_snapshot_latest_age_seconds", newest.index() > 0 ? age : 0L);
    values.put("tidemark_snapshot_index", newest.index());
    values.put("tidemark_snapshot_objects", newest.objects());
    values.put("tidemark_snapshot_rejected_total", rejected.sum());
    values.put("tidemark_snapshot_objects_left_out_total", objectsLeftOut.sum());
    values.put("tidemark_snapshot_leftovers_total", leftovers.sum());
    values.put("tidemark_log_segments_removed_total", segmentsRemoved.sum());
    values.put("tidemark_log_bytes", size.bytes());
    values.put("tidemark_log_bytes_since_snapshot", size.bytesSinceSnapshot());
    values.put("tidemark_log_unbounded", size.unbounded() ? 1L : 0L);
    values.put("tidemark_log_damaged", logDamaged ? 1L : 0L);
    return values;
  }
}
