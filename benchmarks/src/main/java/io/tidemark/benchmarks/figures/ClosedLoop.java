package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.HdrHistogram.Histogram;

/** A load that sends the next request of a connection as soon as the last one is answered. */
final class ClosedLoop {

  /** A reading of processor time; taken at both ends of a measurement. */
  @FunctionalInterface
  interface CpuMeter {
    double seconds() throws IOException;
  }

  /**
   * What was measured.
   *
   * @param rate operations a second; keys a second for batches
   * @param cpuSeconds what the meter advanced by
   */
  record Measured(
      double rate,
      double p50Micros,
      double p99Micros,
      double seconds,
      long done,
      long failed,
      double cpuSeconds) {

    /** Processor seconds for a million operations. */
    double cpuSecondsPerMillion() {
      return done == 0 ? 0 : cpuSeconds * 1e6 / done;
    }
  }

  private static final long LONGEST_NANOS = Duration.ofMinutes(2).toNanos();
  private static final int DIGITS = 3;
  private static final Duration LAST_ANSWER = Duration.ofSeconds(20);

  private final List<Link> links;
  private final Function<Integer, Script> scripts;
  private final long[] begun;
  private Histogram latencies = new Histogram(LONGEST_NANOS, DIGITS);
  private long done;
  private long failed;
  private boolean stopping;

  /**
   * A load.
   *
   * @param scripts what the link of a number does
   */
  ClosedLoop(List<Link> links, Function<Integer, Script> scripts) {
    this.links = links;
    this.scripts = scripts;
    this.begun = new long[links.size()];
  }

  /** Runs for a time; what happens during the warm-up is not counted. */
  Measured run(Duration warmup, Duration measured, CpuMeter cpu) throws IOException {
    try (Selector selector = Selector.open()) {
      begin(selector);
      turn(selector, System.nanoTime() + warmup.toNanos());
      latencies = new Histogram(LONGEST_NANOS, DIGITS);
      done = 0;
      failed = 0;
      double cpuBefore = cpu.seconds();
      long start = System.nanoTime();
      turn(selector, start + measured.toNanos());
      double seconds = (System.nanoTime() - start) / 1e9;
      Measured result =
          new Measured(
              done / seconds,
              latencies.getValueAtPercentile(50) / 1e3,
              latencies.getValueAtPercentile(99) / 1e3,
              seconds,
              done,
              failed,
              cpu.seconds() - cpuBefore);
      stopping = true;
      drain(selector, LAST_ANSWER);
      return result;
    }
  }

  /**
   * Runs until no script has anything left to do.
   *
   * @return operations or keys that failed
   * @throws IOException also if that takes longer than the limit
   */
  long runOut(Duration limit) throws IOException {
    try (Selector selector = Selector.open()) {
      begin(selector);
      drain(selector, limit);
      return failed;
    }
  }

  private void begin(Selector selector) throws IOException {
    for (int i = 0; i < links.size(); i++) {
      int number = i;
      Link link = links.get(i);
      link.channel().register(selector, SelectionKey.OP_READ, link);
      link.follow(scripts.apply(i), (ended, outcome) -> ended(number, ended, outcome));
      begun[i] = System.nanoTime();
      link.begin();
    }
  }

  private void ended(int number, Link link, Script.Outcome outcome) throws IOException {
    long now = System.nanoTime();
    latencies.recordValue(now - begun[number]);
    done += outcome.done();
    failed += outcome.failed();
    begun[number] = now;
    if (!stopping) {
      link.begin();
    }
  }

  private static void turn(Selector selector, long untilNanos) throws IOException {
    for (long left = untilNanos - System.nanoTime(); left > 0; ) {
      select(selector, Math.max(1, left / 1_000_000));
      left = untilNanos - System.nanoTime();
    }
  }

  private void drain(Selector selector, Duration limit) throws IOException {
    long until = System.nanoTime() + limit.toNanos();
    while (links.stream().anyMatch(Link::isBusy)) {
      if (System.nanoTime() > until) {
        throw new IOException("a load was not through after " + limit.toSeconds() + " s");
      }
      select(selector, 100);
    }
  }

  private static void select(Selector selector, long limitMs) throws IOException {
    selector.select(limitMs);
    for (SelectionKey key : selector.selectedKeys()) {
      ((Link) key.attachment()).readable();
    }
    selector.selectedKeys().clear();
  }
}
