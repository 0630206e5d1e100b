package io.tidemark.benchmarks.bench;

import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A phase as it was measured.
 *
 * @param seconds from its begin to its last answer, or to when it should end if that is later
 * @param behind operations that were due and had not begun when it ended
 * @param behindNanos for how long the oldest of them had been due
 * @param generatorShare CPU time of the generator's thread as a share of the time; empty in an open
 *     loop, which spins
 * @param brokenBy what broke it, if something did
 */
record Measurement(
    BenchPhase phase,
    Tally tally,
    double seconds,
    long behind,
    long behindNanos,
    OptionalDouble generatorShare,
    Ended ended,
    Optional<String> brokenBy) {

  /** Why it ended. */
  enum Ended {
    /** Its time was up. */
    TIME,
    /** All keys that it may write were written. */
    KEYS,
    /** The operator stopped it. */
    INTERRUPTED,
    /** The master, or the way to it, failed. */
    BROKEN;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  double operationsPerSecond() {
    return tally.operations() / seconds;
  }

  /** Keys for which it went well, a second. */
  double keysPerSecond() {
    return tally.keysDone() / seconds;
  }

  /** A latency in microseconds. */
  double micros(double percentile) {
    return tally.latencies().getValueAtPercentile(percentile) / 1e3;
  }

  double maxMicros() {
    return tally.latencies().getMaxValue() / 1e3;
  }

  boolean isClean() {
    return tally.keysFailed() == 0 && brokenBy.isEmpty();
  }
}
