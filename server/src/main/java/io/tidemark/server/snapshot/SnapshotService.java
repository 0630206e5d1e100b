package io.tidemark.server.snapshot;

import io.tidemark.api.port.MonotonicClock;
import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.snapshot.Snapshot;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one thread that takes snapshots: when enough was appended to the log, when enough time has
 * passed, or when somebody asks. A failed attempt is counted, said, and tried again after a while.
 * It also watches how the log grows, and says so loudly when nothing bounds it.
 */
public final class SnapshotService implements SnapshotRequests {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotService.class);

  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST_RETRY_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final long LONGEST_RETRY_NANOS = TimeUnit.MINUTES.toNanos(10);
  private static final long JOIN_MS = 5_000;

  /**
   * The log counts as unbounded when it has grown by so many times what should bring a snapshot.
   */
  private static final int UNBOUNDED_FACTOR = 4;

  /** How many snapshots fit where the configuration wants one at least. */
  private static final int MOST_OFTEN = 4;

  private final SnapshotConfig config;
  private final SnapshotSource source;
  private final SnapshotTaker taker;
  private final SnapshotFigures figures;
  private final MonotonicClock clock;
  private final Thread thread = new Thread(this::run, "snapshot");
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition asked = lock.newCondition();
  private volatile boolean stopping;

  /** What somebody waits for; guarded by the lock. */
  private CompletableFuture<Outcome> wanted;

  /** From here on the thread's own. */
  private long appendedAtLast;

  private long indexAtLast;

  private long bytesOfLast;
  private long takenAtNanos;
  private long notBeforeNanos;
  private long retryNanos = FIRST_RETRY_NANOS;
  private boolean soon;
  private long nextWarningBytes;

  /**
   * A service that does not run yet.
   *
   * @param firstAfterMs how long to wait before the first attempt, which then comes without further
   *     cause; negative for no such attempt
   */
  SnapshotService(
      SnapshotConfig config,
      SnapshotSource source,
      SnapshotTaker taker,
      SnapshotFigures figures,
      MonotonicClock clock,
      long firstAfterMs) {
    this.config = config;
    this.source = source;
    this.taker = taker;
    this.figures = figures;
    this.clock = clock;
    takenAtNanos = clock.nanos();
    soon = firstAfterMs >= 0;
    notBeforeNanos = takenAtNanos + TimeUnit.MILLISECONDS.toNanos(Math.max(0, firstAfterMs));
    nextWarningBytes = config.logBytes() * UNBOUNDED_FACTOR;
  }

  /** Starts the thread. */
  public void start() {
    figures.setEnabled(config.enabled());
    Optional<Snapshot> newest = taker.newest();
    indexAtLast = newest.map(Snapshot::index).orElse(0L);
    bytesOfLast = newest.map(s -> s.manifest().orElseThrow().bytes()).orElse(0L);
    appendedAtLast = -source.logBytesFrom(indexAtLast + 1);
    taker.publishFigures();
    watchLog();
    if (!config.enabled()) {
      LOG.warn(
          "event=snapshots_off meaning=\"the log grows without bound and every start replays all of"
              + " it; --enable_snapshot bounds it\"");
    }
    thread.setDaemon(true);
    thread.start();
  }

  /** Gives up what is being taken; returns when the thread has ended, or after a few seconds. */
  public void stop() {
    stopping = true;
    lock.lock();
    try {
      asked.signalAll();
    } finally {
      lock.unlock();
    }
    try {
      thread.join(JOIN_MS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public CompletableFuture<Outcome> request() {
    lock.lock();
    try {
      if (stopping) {
        return CompletableFuture.completedFuture(failure("the master is stopping"));
      }
      if (wanted == null) {
        wanted = new CompletableFuture<>();
        asked.signalAll();
      }
      return wanted;
    } finally {
      lock.unlock();
    }
  }

  private void run() {
    while (!stopping) {
      Optional<CompletableFuture<Outcome>> request = await();
      try {
        watchLog();
        if (request.isPresent() || isDue()) {
          Outcome outcome = attempt();
          request.ifPresent(r -> r.complete(outcome));
        }
      } catch (RuntimeException unexpected) {
        LOG.error("event=snapshot_thread_failed", unexpected);
        request.ifPresent(r -> r.complete(failure(unexpected.toString())));
      }
    }
    await().ifPresent(r -> r.complete(failure("the master is stopping")));
  }

  /** Waits for a request or for the next look. */
  private Optional<CompletableFuture<Outcome>> await() {
    lock.lock();
    try {
      if (wanted == null && !stopping) {
        asked.awaitNanos(LOOK_NANOS);
      }
      Optional<CompletableFuture<Outcome>> request = Optional.ofNullable(wanted);
      wanted = null;
      return request;
    } catch (InterruptedException interrupted) {
      stopping = true;
      return Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private boolean isDue() {
    long now = clock.nanos();
    if (now - notBeforeNanos < 0 || source.endIndex() == indexAtLast) {
      return false;
    }
    if (soon) {
      return true;
    }
    int patience = source.patience();
    boolean byTime =
        config.intervalMs() > 0
            && now - takenAtNanos >= TimeUnit.MILLISECONDS.toNanos(config.intervalMs()) * patience;
    boolean bySize = source.appendedBytes() - appendedAtLast >= dueBytes() * patience;
    return config.enabled() && (byTime || bySize);
  }

  /**
   * What is appended between two snapshots. A small one is taken more often than the configuration
   * wants at least: so that it costs about what it saves a start to replay.
   */
  private long dueBytes() {
    long least = config.logBytes() / MOST_OFTEN;
    return Math.max(least, Math.min(bytesOfLast, config.logBytes()));
  }

  private Outcome attempt() {
    long appended = source.appendedBytes();
    figures.setActive(true);
    try {
      Outcome outcome = taker.take(() -> stopping);
      appendedAtLast = appended;
      indexAtLast = outcome.index();
      bytesOfLast = outcome.bytes();
      takenAtNanos = clock.nanos();
      retryNanos = FIRST_RETRY_NANOS;
      soon = false;
      nextWarningBytes = config.logBytes() * UNBOUNDED_FACTOR;
      watchLog();
      return outcome;
    } catch (RuntimeException failed) {
      return failed(failed);
    } finally {
      figures.setActive(false);
    }
  }

  private Outcome failed(RuntimeException cause) {
    if (stopping) {
      return failure("the master is stopping");
    }
    figures.failed.increment();
    notBeforeNanos = clock.nanos() + retryNanos;
    LOG.error(
        "event=snapshot_failed cause=\"{}\" retry_in_s={} effect=\"the log keeps everything\"",
        cause.getMessage(),
        TimeUnit.NANOSECONDS.toSeconds(retryNanos),
        cause);
    retryNanos = Math.min(retryNanos * 2, LONGEST_RETRY_NANOS);
    return failure(cause.getMessage() == null ? cause.toString() : cause.getMessage());
  }

  private void watchLog() {
    long since = source.appendedBytes() - appendedAtLast;
    long bound = config.logBytes() * UNBOUNDED_FACTOR * source.patience();
    boolean unbounded = !config.enabled() || since > bound;
    figures.setLog(new SnapshotFigures.LogSize(source.logBytesFrom(0), since, unbounded));
    if (unbounded && since > nextWarningBytes) {
      nextWarningBytes = since * 2;
      LOG.error(
          "event=log_grows_without_bound bytes_since_snapshot={} cause=\"{}\"",
          since,
          config.enabled()
              ? "no snapshot could be taken; the lines before say why"
              : "snapshots are off: --enable_snapshot");
    }
  }

  private static Outcome failure(String why) {
    return new Outcome(Optional.of(why), 0, 0, 0, 0, 0, "", false);
  }
}
