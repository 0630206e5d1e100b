package io.tidemark.benchmarks.bench;

import java.util.OptionalInt;

/**
 * When operations are due. In a closed loop always: a connection that is free begins the next. In
 * an open loop at a fixed rate, whatever has become of those before; nothing that was due is ever
 * left out, so a master that stalls can't hide it. One thread.
 */
final class Pace {
  private static final double NANOS = 1e9;

  private final OptionalInt rate;
  private long beginNanos;
  private long taken;

  /**
   * A pace.
   *
   * @param rate operations a second, or empty for the closed loop
   */
  Pace(OptionalInt rate) {
    this.rate = rate;
  }

  boolean isOpen() {
    return rate.isPresent();
  }

  /** Begins: the first operation is due now. */
  void start(long nowNanos) {
    beginNanos = nowNanos;
    taken = 0;
  }

  /** When the next operation is due. */
  long nextDueNanos() {
    return rate.isEmpty() ? beginNanos : dueNanos(taken, rate.getAsInt());
  }

  private long dueNanos(long number, int aSecond) {
    // From the number each time: an interval added up again and again would drift.
    return beginNanos + (long) (number * NANOS / aSecond);
  }

  boolean isDue(long nowNanos) {
    return nextDueNanos() - nowNanos <= 0;
  }

  /**
   * Takes the next operation, which must be due.
   *
   * @return the time from which its latency counts
   */
  long take(long nowNanos) {
    long due = rate.isEmpty() ? nowNanos : nextDueNanos();
    taken++;
    return due;
  }

  /** How many operations were due before a time and have not been taken. */
  long behindAt(long nanos) {
    if (rate.isEmpty()) {
      return 0;
    }
    long due = (long) Math.ceil((nanos - beginNanos) * (double) rate.getAsInt() / NANOS);
    return Math.max(0, due - taken);
  }
}
