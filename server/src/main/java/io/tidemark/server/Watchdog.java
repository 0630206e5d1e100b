package io.tidemark.server;

import io.tidemark.server.metrics.ServerMetrics;
import io.vertx.core.Context;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Watches that no event loop of the client port stands still for more than 20 ms (REQ-001), by
 * asking each to run a trifle every 10 ms. A pause of the whole process, which stops the watchdog
 * too, is counted apart.
 */
final class Watchdog {

  private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long LIMIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** What is asked of one loop. */
  private static final class Probe {
    final Context loop;
    volatile boolean answered = true;
    long askedNanos;
    boolean counted;

    Probe(Context loop) {
      this.loop = loop;
    }
  }

  private final List<Probe> probes;
  private final ServerMetrics metrics;
  private final Thread thread = new Thread(this::run, "watchdog");
  private volatile boolean stopping;
  private long nextLineNanos = System.nanoTime();

  Watchdog(List<Context> loops, ServerMetrics metrics) {
    this.probes = loops.stream().map(Probe::new).toList();
    this.metrics = metrics;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
  }

  private void run() {
    long last = System.nanoTime();
    while (!stopping) {
      LockSupport.parkNanos(this, PERIOD_NANOS);
      long now = System.nanoTime();
      if (now - last > PERIOD_NANOS + LIMIT_NANOS) {
        metrics.processPauses.increment();
        probes.forEach(probe -> probe.askedNanos = now);
      } else {
        probes.forEach(probe -> look(probe, now));
      }
      last = now;
    }
  }

  private void look(Probe probe, long now) {
    if (probe.answered) {
      probe.answered = false;
      probe.counted = false;
      probe.askedNanos = now;
      probe.loop.runOnContext(nothing -> probe.answered = true);
    } else if (!probe.counted && now - probe.askedNanos > LIMIT_NANOS) {
      probe.counted = true;
      metrics.ioStalls.increment();
      if (now - nextLineNanos >= 0) {
        nextLineNanos = now + LINE_NANOS;
        LOG.warn("event=io_stall limit_ms=20 stalls={}", metrics.ioStalls.sum());
      }
    }
  }
}
