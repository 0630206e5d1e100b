package io.tidemark.core;

import io.tidemark.api.port.MonotonicClock;

/**
 * Log time: the last logged time plus the monotonic time since the term began (COR-25). Deadlines
 * in events are values of this clock, so neither a wrong wall clock nor a restart can shorten them.
 * Any thread.
 */
final class LogClock {
  private static final long NANOS_PER_MS = 1_000_000;

  private final MonotonicClock monotonic;
  private final long baseMs;
  private final long startNanos;

  LogClock(MonotonicClock monotonic, long lastLoggedMs) {
    this.monotonic = monotonic;
    this.baseMs = lastLoggedMs;
    this.startNanos = monotonic.nanos();
  }

  long nowMs() {
    return baseMs + (monotonic.nanos() - startNanos) / NANOS_PER_MS;
  }
}
