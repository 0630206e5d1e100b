package io.tidemark.server.snapshot;

import io.tidemark.api.log.LogFailureException;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogDamage;
import io.tidemark.server.metrics.SnapshotFigures;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads what a start left out of the log, because a snapshot holds what it did, once the master
 * serves: a thread of its own, one MiB at a time with rests between.
 *
 * <p>Damage there costs nobody anything as long as the snapshot is sound. So it is said loudly, and
 * a new snapshot is asked for, after which the damaged part is not needed any more.
 */
public final class CoveredLogCheck {
  private static final Logger LOG = LoggerFactory.getLogger(CoveredLogCheck.class);

  /** Between two steps of {@link ChronicleLog#checkCovered}: at most 50 MiB are read a second. */
  private static final long REST_MS = 20;

  /** Before the first step: clients that come back after a start come first. */
  private static final long DELAY_MS = 2_000;

  private final ChronicleLog log;
  private final SnapshotRequests snapshots;
  private final SnapshotFigures figures;
  private final CountDownLatch stop = new CountDownLatch(1);

  /**
   * A check that does not run yet.
   *
   * @param snapshots asked if there is damage
   * @param figures told of it
   */
  public CoveredLogCheck(ChronicleLog log, SnapshotRequests snapshots, SnapshotFigures figures) {
    this.log = log;
    this.snapshots = snapshots;
    this.figures = figures;
  }

  /** Starts the thread, if there is anything to read. */
  public void start() {
    if (log.checkedFrom() > 1) {
      Thread thread = new Thread(this::runLater, "log-check");
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** Lets it end soon; does not wait. Any thread. */
  public void stop() {
    stop.countDown();
  }

  private void runLater() {
    if (goOnAfter(DELAY_MS)) {
      run();
    }
  }

  private void run() {
    try {
      Optional<LogDamage> damage = log.checkCovered(() -> goOnAfter(REST_MS));
      if (damage.isPresent()) {
        report(damage.get());
      } else if (stop.getCount() > 0) {
        LOG.info("event=log_checked entries_before={}", log.checkedFrom());
      }
    } catch (LogFailureException unreadable) {
      figures.setLogDamaged(true);
      LOG.error(
          "event=log_check_failed cause=\"{}\" effect=\"nothing now; snapshots are needed at the"
              + " next start\"",
          unreadable.getMessage());
    }
  }

  /** Whether to go on, after a rest. */
  private boolean goOnAfter(long restMs) {
    try {
      return !stop.await(restMs, TimeUnit.MILLISECONDS);
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private void report(LogDamage damage) {
    figures.setLogDamaged(true);
    LOG.error(
        "event=log_damaged_before_snapshot damage=\"{}\" effect=\"none as long as the newest"
            + " snapshot is sound; another one is taken now, after which that part of the log is"
            + " not needed\" advice=\"check the disk\"",
        damage);
    try {
      SnapshotRequests.Outcome outcome = snapshots.request().get();
      boolean gone = outcome.failure().isEmpty() && log.base().index() >= damage.index();
      if (gone) {
        figures.setLogDamaged(false);
        LOG.warn("event=log_damage_gone index={} cause=snapshot", damage.index());
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException failed) {
      LOG.error("event=snapshot_failed cause=\"{}\"", failed.getCause().toString());
    }
  }
}
