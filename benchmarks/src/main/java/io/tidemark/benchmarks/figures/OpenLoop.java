package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A load at a fixed rate. An operation is measured from the moment at which it was due, also if it
 * had to wait for a free connection then: a master that stands still is charged with all operations
 * of that time and not only with one a connection.
 *
 * <p>One thread sends what is due, another reads answers; both work under the lock of this object.
 */
final class OpenLoop implements AutoCloseable {
  /** Sleeping is this imprecise; the rest is spent turning. */
  private static final long SPIN_NANOS = 60_000;

  /** Seconds of load that may wait for a connection before the load is given up. */
  private static final int MOST_WAITING_SECONDS = 20;

  private final Selector selector = Selector.open();
  private final Deque<Link> free = new ArrayDeque<>();
  private final Deque<Long> waiting = new ArrayDeque<>();
  private final long[] due;
  private final long[] ended;
  private final long[] dueOf;
  private final List<Link> links;
  private final long intervalNanos;
  private final int mostWaiting;
  private final Thread sender = new Thread(this::send, "figures-sender");
  private final Thread reader = new Thread(this::read, "figures-reader");
  private int count;
  private long failed;
  private volatile boolean stopping;
  private volatile IOException broken;

  /**
   * A load that has not begun.
   *
   * @param rate operations a second
   * @param mostSeconds it ends by itself after that
   */
  OpenLoop(List<Link> links, Function<Integer, Script> scripts, int rate, int mostSeconds)
      throws IOException {
    this.links = links;
    this.intervalNanos = 1_000_000_000L / rate;
    this.mostWaiting = rate * MOST_WAITING_SECONDS;
    this.due = new long[rate * mostSeconds];
    this.ended = new long[rate * mostSeconds];
    this.dueOf = new long[links.size()];
    for (int i = 0; i < links.size(); i++) {
      int number = i;
      Link link = links.get(i);
      link.channel().register(selector, SelectionKey.OP_READ, link);
      link.follow(scripts.apply(i), (done, outcome) -> ended(number, done, outcome));
      free.add(link);
    }
  }

  void start() {
    sender.setDaemon(true);
    reader.setDaemon(true);
    reader.start();
    sender.start();
  }

  private void send() {
    try {
      long next = System.nanoTime();
      for (int sent = 0; sent < due.length && !stopping; sent++) {
        waitUntil(next);
        dispatch(next);
        next += intervalNanos;
      }
    } catch (IOException e) {
      broken = e;
    }
  }

  private static void waitUntil(long nanos) {
    for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
      if (left > SPIN_NANOS) {
        LockSupport.parkNanos(left - SPIN_NANOS);
      } else {
        Thread.onSpinWait();
      }
    }
  }

  private synchronized void dispatch(long dueNanos) throws IOException {
    Link link = free.poll();
    if (link != null) {
      begin(link, dueNanos);
    } else if (waiting.size() < mostWaiting) {
      waiting.add(dueNanos);
    } else {
      throw new IOException("the master falls behind by " + MOST_WAITING_SECONDS + " s of load");
    }
  }

  private void begin(Link link, long dueNanos) throws IOException {
    dueOf[links.indexOf(link)] = dueNanos;
    link.begin();
  }

  private synchronized void ended(int number, Link link, Script.Outcome outcome)
      throws IOException {
    if (count < due.length) {
      due[count] = dueOf[number];
      ended[count++] = System.nanoTime();
    }
    failed += outcome.failed();
    Long next = waiting.poll();
    if (next == null) {
      free.add(link);
    } else {
      begin(link, next);
    }
  }

  private void read() {
    try {
      while (selector.isOpen()) {
        selector.select(100);
        if (!selector.isOpen()) {
          return;
        }
        synchronized (this) {
          for (SelectionKey key : selector.selectedKeys()) {
            ((Link) key.attachment()).readable();
          }
          selector.selectedKeys().clear();
        }
      }
    } catch (IOException e) {
      broken = e;
    }
  }

  /** Throws what has ended the load, if anything has. */
  void check() throws IOException {
    if (broken != null) {
      throw broken;
    }
  }

  /** Operations whose answer was an error. */
  synchronized long failed() {
    return failed;
  }

  /** Latencies in µs of the operations that were under way in a span of time, ascending. */
  synchronized double[] latencies(long fromNanos, long toNanos) {
    return IntStream.range(0, count)
        .filter(i -> due[i] < toNanos && ended[i] > fromNanos)
        .mapToDouble(i -> (ended[i] - due[i]) / 1e3)
        .sorted()
        .toArray();
  }

  /** Ends the load, waits for outstanding answers and leaves the links open. */
  @Override
  public void close() throws IOException {
    stopping = true;
    try {
      sender.join(10_000);
      long until = System.nanoTime() + 20_000_000_000L;
      while (isBusy() && broken == null && System.nanoTime() < until) {
        LockSupport.parkNanos(1_000_000);
      }
      selector.close();
      reader.join(10_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      selector.close();
    }
    check();
  }

  private synchronized boolean isBusy() {
    return !waiting.isEmpty() || links.stream().anyMatch(Link::isBusy);
  }

  /** What is at or below the given share of ascending values; 0 if there are none. */
  static double percentile(double[] ascending, double share) {
    int index = (int) Math.ceil(share * ascending.length) - 1;
    return ascending.length == 0 ? 0 : ascending[Math.max(0, index)];
  }
}
