package io.tidemark.core;

import io.tidemark.api.port.MonotonicClock;

/**
 * How much of the processor background work may take: short bursts with longer rests between, so
 * that clients' calls never wait long for it. One for each piece of work; on the thread of that
 * work, but for {@link #hurry}.
 */
final class Pacing {
  /** Work goes on at least this long before it rests. */
  private static final long BURST_NANOS = 100_000;

  /** Rest for each nanosecond of work: a share of a quarter. */
  private static final long REST_FACTOR = 3;

  /** Longest rest; after a burst that was itself held up the work need not pay for it. */
  private static final long MAX_REST_NANOS = 5_000_000;

  private final ScanThread thread;
  private final MonotonicClock clock;
  private volatile boolean hurried;
  private long burstBegan;

  Pacing(ScanThread thread, MonotonicClock clock) {
    this.thread = thread;
    this.clock = clock;
    this.burstBegan = clock.nanos();
  }

  /** Whether to go without rests, because clients wait for what the work frees. */
  void hurry(boolean urgent) {
    hurried = urgent;
  }

  /** A step begins after a pause of unknown length. */
  void begin() {
    burstBegan = clock.nanos();
  }

  /** Rests if the burst was long enough; call between slices of a scan, without locks. */
  void afterSlice() {
    long restNanos = restDue();
    if (restNanos > 0) {
      thread.rest(restNanos);
      begin();
    }
  }

  /** Goes on with {@code next}, after a rest if one is due. Any thread. */
  void goOn(Runnable next) {
    thread.later(
        restDue(),
        () -> {
          begin();
          next.run();
        });
  }

  private long restDue() {
    long workedNanos = clock.nanos() - burstBegan;
    return hurried || workedNanos < BURST_NANOS
        ? 0
        : Math.min(MAX_REST_NANOS, workedNanos * REST_FACTOR);
  }
}
