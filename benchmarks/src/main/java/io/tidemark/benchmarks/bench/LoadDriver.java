package io.tidemark.benchmarks.bench;

import io.tidemark.benchmarks.FrameTemplate;
import io.tidemark.benchmarks.bench.Measurement.Ended;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;

/** Drives the connections of a load from the calling thread. */
final class LoadDriver implements AutoCloseable {
  /** Longest wait for an answer. */
  private static final Duration CALL_LIMIT = Duration.ofSeconds(20);

  /** How often at least it looks whether it shall stop. */
  private static final Duration LOOK = Duration.ofMillis(100);

  /** The selector's clock has milliseconds; what is due sooner is waited for by spinning. */
  private static final Duration SPIN = Duration.ofMillis(2);

  private final Selector selector = Selector.open();
  private final List<BenchConnection> connections = new ArrayList<>();
  private final ArrayDeque<BenchConnection> idle = new ArrayDeque<>();
  private final BooleanSupplier stop;
  private BenchPhase phase = BenchPhase.GET;
  private Pace pace;
  private Tally tally = new Tally();
  private boolean exhausted;

  /**
   * Opens the connections.
   *
   * @param stop whether to end early; asked all the time, may be set by another thread
   */
  LoadDriver(BenchPlan plan, Requests requests, KeySpace keys, BooleanSupplier stop)
      throws IOException {
    this.stop = stop;
    this.pace = new Pace(plan.rate());
    try {
      for (int i = 0; i < plan.connections(); i++) {
        Operation operation = new Operation(requests, keys, plan.batch(), i);
        connections.add(
            BenchConnection.open(plan.address(), selector, plan.release().profile(), operation));
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Lets the connections forget their own keys, since those were removed. */
  void forgetKeys() {
    connections.forEach(connection -> connection.operation().forgetOwn());
  }

  /**
   * Runs a phase. Ends when every answer is there, so none of them, however late, is left out.
   *
   * <p>After a measurement that {@link Ended#BROKEN broke} there must be no other.
   */
  Measurement drive(BenchPhase next, Pace at, Duration time) {
    phase = next;
    pace = at;
    tally = new Tally();
    exhausted = false;
    idle.clear();
    idle.addAll(connections);
    long cpu = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    long begin = System.nanoTime();
    pace.start(begin);
    long end = begin + time.toNanos();
    Optional<String> brokenBy = Optional.empty();
    try {
      end = turn(end);
    } catch (IOException e) {
      end = Math.min(end, System.nanoTime());
      brokenBy = Optional.of(String.valueOf(e.getMessage()));
    }
    long behind = pace.behindAt(end);
    long behindNanos = behind == 0 ? 0 : end - pace.nextDueNanos();
    if (brokenBy.isEmpty()) {
      brokenBy = drain();
    }
    long last = Math.max(end, System.nanoTime());
    double share =
        (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - cpu)
            / (double) (last - begin);
    return new Measurement(
        phase,
        tally,
        (last - begin) / 1e9,
        behind,
        behindNanos,
        pace.isOpen() ? OptionalDouble.empty() : OptionalDouble.of(share),
        ended(brokenBy.isPresent(), end - begin < time.toNanos()),
        brokenBy);
  }

  private Ended ended(boolean broken, boolean early) {
    if (broken) {
      return Ended.BROKEN;
    }
    if (!early) {
      return Ended.TIME;
    }
    return exhausted ? Ended.KEYS : Ended.INTERRUPTED;
  }

  /** Begins what is due and takes answers until the time is up; gives when that was. */
  private long turn(long end) throws IOException {
    long checked = System.nanoTime();
    while (true) {
      long now = System.nanoTime();
      if (now - end >= 0) {
        if (pace.isOpen()) {
          // What was due before the end still belongs to it, if a connection is free.
          dispatch(end - 1);
        }
        return end;
      }
      if (exhausted || stop.getAsBoolean()) {
        return now;
      }
      dispatch(now);
      select(now, end);
      if (now - checked > LOOK.toNanos()) {
        checkAnswered(now);
        checked = now;
      }
    }
  }

  private void dispatch(long now) throws IOException {
    while (!idle.isEmpty() && !exhausted && pace.isDue(now)) {
      BenchConnection connection = idle.peek();
      FrameTemplate first = connection.operation().begin(phase);
      if (first == null) {
        exhausted = true;
      } else {
        idle.poll();
        long begun = System.nanoTime();
        long due = pace.take(begun);
        tally.began(due, begun);
        connection.begin(first, due, tally);
      }
    }
  }

  private void select(long now, long end) throws IOException {
    long wait = Math.min(end - now, LOOK.toNanos());
    boolean waitsForDue = pace.isOpen() && !idle.isEmpty();
    if (waitsForDue) {
      wait = Math.min(wait, pace.nextDueNanos() - now - SPIN.toNanos());
    }
    if (waitsForDue && wait <= 0) {
      Thread.onSpinWait();
      selector.selectNow();
    } else {
      selector.select(Math.max(1, wait / 1_000_000));
    }
    takeAnswers();
  }

  private void takeAnswers() throws IOException {
    for (SelectionKey key : selector.selectedKeys()) {
      BenchConnection connection = (BenchConnection) key.attachment();
      boolean wasBusy = connection.isBusy();
      connection.ready();
      if (wasBusy && !connection.isBusy()) {
        idle.add(connection);
      }
    }
    selector.selectedKeys().clear();
  }

  private Optional<String> drain() {
    try {
      while (idle.size() < connections.size()) {
        long now = System.nanoTime();
        checkAnswered(now);
        selector.select(LOOK.toMillis());
        takeAnswers();
      }
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private void checkAnswered(long now) throws IOException {
    for (BenchConnection connection : connections) {
      connection.checkAnswered(now, CALL_LIMIT);
    }
  }

  @Override
  public void close() throws IOException {
    for (BenchConnection connection : connections) {
      connection.close();
    }
    selector.close();
  }
}
