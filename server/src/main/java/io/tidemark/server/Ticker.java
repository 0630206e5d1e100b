package io.tidemark.server;

import io.tidemark.server.metrics.ServerMetrics;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one timer thread: calls the state machine every 10 ms and notices when it no longer serves.
 */
final class Ticker {

  private static final Logger LOG = LoggerFactory.getLogger(Ticker.class);
  private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
  private static final long FAILURE_LINE_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final MasterRole role;
  private final ServerMetrics metrics;
  private final BiConsumer<ExitCode, String> onFatal;
  private final Thread thread = new Thread(this::run, "tick");
  private volatile boolean stopping;
  private long nextFailureLine = System.nanoTime();

  /**
   * A ticker that does not run yet.
   *
   * @param onFatal told once, on the timer thread, that the process must end
   */
  Ticker(MasterRole role, ServerMetrics metrics, BiConsumer<ExitCode, String> onFatal) {
    this.role = role;
    this.metrics = metrics;
    this.onFatal = onFatal;
  }

  void start() {
    thread.setDaemon(true);
    thread.start();
  }

  /** Returns when no tick runs any more, or after a second. */
  void stop() {
    stopping = true;
    LockSupport.unpark(thread);
    if (Thread.currentThread() != thread) {
      try {
        thread.join(1_000);
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void run() {
    long next = System.nanoTime();
    while (!stopping && tickOnce()) {
      // A tick that was late does not make the next ones come faster.
      next = Math.max(next + PERIOD_NANOS, System.nanoTime());
      while (!stopping && next - System.nanoTime() > 0) {
        LockSupport.parkNanos(this, next - System.nanoTime());
      }
    }
  }

  /** Whether to go on. */
  private boolean tickOnce() {
    try {
      role.tick().run();
    } catch (RuntimeException failure) {
      metrics.tickFailures.increment();
      long now = System.nanoTime();
      if (now - nextFailureLine >= 0) {
        nextFailureLine = now + FAILURE_LINE_NANOS;
        LOG.error("event=tick_failed failures={}", metrics.tickFailures.sum(), failure);
      }
    } catch (AssertionError broken) {
      LOG.error("event=invariant_broken", broken);
      onFatal.accept(ExitCode.INTERNAL, "an invariant is broken: " + broken.getMessage());
      return false;
    }
    boolean mustServe = role.member().isEmpty();
    if (mustServe && !stopping && !role.service().view().isServing()) {
      onFatal.accept(ExitCode.LOG_FAILED, "the log failed; the lines before this one say why");
      return false;
    }
    return true;
  }
}
