package io.tidemark.benchmarks.bench;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts and latencies of a time of load. One thread. */
final class Tally {
  /** Later than this after it was due, a request counts as late. */
  static final Duration LATE = Duration.ofMillis(1);

  private static final long LONGEST_NANOS = Duration.ofHours(2).toNanos();
  private static final int DIGITS = 3;

  private final Histogram latencies = new Histogram(LONGEST_NANOS, DIGITS);
  private final Map<Integer, Long> failures = new TreeMap<>();
  private long operations;
  private long keysDone;
  private long keysFailed;
  private long late;

  /** An operation began. */
  void began(long dueNanos, long nowNanos) {
    late += nowNanos - dueNanos > LATE.toNanos() ? 1 : 0;
  }

  /** An operation ended, well or badly. */
  void ended(long latencyNanos) {
    operations++;
    latencies.recordValue(Math.min(latencyNanos, LONGEST_NANOS));
  }

  /** It went well for a key. */
  void done() {
    keysDone++;
  }

  /** It did not; see {@link Failures}. */
  void failed(int failure) {
    keysFailed++;
    failures.merge(failure, 1L, Long::sum);
  }

  /** Latencies in nanoseconds. */
  Histogram latencies() {
    return latencies;
  }

  long operations() {
    return operations;
  }

  long keysDone() {
    return keysDone;
  }

  long keysFailed() {
    return keysFailed;
  }

  /** Operations that began more than {@link #LATE} after they were due. */
  long late() {
    return late;
  }

  /** How often each {@link Failures} came, by its name. */
  Map<String, Long> failures() {
    Map<String, Long> named = new TreeMap<>();
    failures.forEach((failure, count) -> named.put(Failures.name(failure), count));
    return named;
  }
}
