package io.tidemark.benchmarks;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.HdrHistogram.Histogram;

/** Runs a phase on some connections from one thread. */
final class LoadLoop implements Callable<LoadLoop.Result> {

  /** What one thread saw during the measurement. */
  record Result(long done, long failed, double seconds, Histogram latencies) {}

  private static final long LONGEST_NANOS = Duration.ofSeconds(60).toNanos();
  private static final int DIGITS = 3;
  private static final Duration END_LIMIT = Duration.ofSeconds(20);

  private final List<LoadConnection> connections;
  private final Phase phase;
  private final Duration warmup;
  private final Duration measured;

  LoadLoop(List<LoadConnection> connections, Phase phase, Duration warmup, Duration measured) {
    this.connections = connections;
    this.phase = phase;
    this.warmup = warmup;
    this.measured = measured;
  }

  @Override
  public Result call() throws IOException {
    try (Selector selector = Selector.open()) {
      Histogram dropped = histogram();
      List<LoadConnection> all = new ArrayList<>(connections);
      for (LoadConnection connection : all) {
        connection.channel().register(selector, SelectionKey.OP_READ, connection);
        connection.begin(phase, dropped);
      }
      turn(selector, System.nanoTime() + warmup.toNanos());
      Histogram latencies = histogram();
      all.forEach(connection -> connection.measureFromHere(latencies));
      long begin = System.nanoTime();
      turn(selector, begin + measured.toNanos());
      double seconds = (System.nanoTime() - begin) / 1e9;
      long done = all.stream().mapToLong(LoadConnection::done).sum();
      long failed = all.stream().mapToLong(LoadConnection::failed).sum();
      Histogram seen = latencies.copy();
      finish(selector, all);
      return new Result(done, failed, seconds, seen);
    }
  }

  static Histogram histogram() {
    return new Histogram(LONGEST_NANOS, DIGITS);
  }

  private static void turn(Selector selector, long untilNanos) throws IOException {
    for (long left = untilNanos - System.nanoTime(); left > 0; ) {
      select(selector, Math.max(1, left / 1_000_000));
      left = untilNanos - System.nanoTime();
    }
  }

  private static void select(Selector selector, long limitMs) throws IOException {
    selector.select(limitMs);
    for (SelectionKey key : selector.selectedKeys()) {
      ((LoadConnection) key.attachment()).readable();
    }
    selector.selectedKeys().clear();
  }

  private static void finish(Selector selector, List<LoadConnection> all) throws IOException {
    all.forEach(LoadConnection::stop);
    long limit = System.nanoTime() + END_LIMIT.toNanos();
    while (!all.stream().allMatch(LoadConnection::isIdle)) {
      if (System.nanoTime() > limit) {
        throw new IOException("an answer was outstanding for " + END_LIMIT);
      }
      select(selector, 100);
    }
  }
}
