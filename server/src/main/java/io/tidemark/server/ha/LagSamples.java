package io.tidemark.server.ha;

/**
 * Where the log's end was and how many bytes had been appended, every tenth of a second for the
 * last minute: what turns an index that a standby reached into a lag in bytes and time. The node's
 * loop.
 */
final class LagSamples {
  private static final int SAMPLES = 600;
  private static final long PERIOD_NANOS = NodeStatus.LAG_HORIZON_MS * 1_000_000 / SAMPLES;

  private final long[] indexes = new long[SAMPLES];
  private final long[] bytes = new long[SAMPLES];
  private final long[] atNanos = new long[SAMPLES];
  private int newest = -1;
  private int count;

  /** How far behind an index is. */
  record Lag(long bytes, long millis) {}

  /** Notes the present end; more often than every tenth of a second changes nothing. */
  void note(long index, long appendedBytes, long nowNanos) {
    if (count > 0 && nowNanos - atNanos[newest] < PERIOD_NANOS) {
      return;
    }
    newest = (newest + 1) % SAMPLES;
    count = Math.min(count + 1, SAMPLES);
    indexes[newest] = index;
    bytes[newest] = appendedBytes;
    atNanos[newest] = nowNanos;
  }

  /** What a standby that holds everything up to {@code reached} lacks. */
  Lag behind(long reached, long end, long appendedBytes, long nowNanos) {
    if (reached >= end || count == 0) {
      return new Lag(0, 0);
    }
    int at = newest;
    for (int seen = 1; seen < count && indexes[at] > reached; seen++) {
      at = (at + SAMPLES - 1) % SAMPLES;
    }
    return new Lag(
        Math.max(0, appendedBytes - bytes[at]), Math.max(0, (nowNanos - atNanos[at]) / 1_000_000));
  }
}
