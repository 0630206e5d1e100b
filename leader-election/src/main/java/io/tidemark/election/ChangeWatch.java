package io.tidemark.election;

import io.etcd.jetcd.Watch;
import io.etcd.jetcd.options.WatchOption;
import io.etcd.jetcd.watch.WatchResponse;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells when one of a cluster's keys changed. Events carry no more meaning than "look again": a
 * watch that breaks, whatever the reason (etcd restarted, revision compacted, connection made
 * anew), is closed and another one begun at the present revision {@value #PAUSE_MS} ms later, and
 * its beginning is told as a change, because something may have happened in between.
 */
final class ChangeWatch implements AutoCloseable {
  private static final long PAUSE_MS = 250;
  private static final Logger LOG = LoggerFactory.getLogger(ChangeWatch.class);

  private final EtcdConnection connection;
  private final EtcdKeys keys;
  private final Runnable changed;
  private final AtomicLong restarts = new AtomicLong();
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "tidemark-etcd-watch");
            made.setDaemon(true);
            return made;
          });

  private Session session;
  private boolean closed;

  ChangeWatch(EtcdConnection connection, EtcdKeys keys, Runnable changed) {
    this.connection = connection;
    this.keys = keys;
    this.changed = changed;
  }

  /** Begins to watch; returns at once. */
  void start() {
    thread.execute(this::begin);
  }

  /** How often a broken watch was begun again. */
  long restarts() {
    return restarts.get();
  }

  @Override
  public void close() {
    try {
      thread.execute(this::end);
    } catch (RejectedExecutionException e) {
      return; // closed before
    }
    thread.shutdown();
    try {
      thread.awaitTermination(1, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  // From here on everything that changes fields runs on the watch's thread.

  private void begin() {
    if (closed) {
      return;
    }
    Session begun = new Session();
    session = begun;
    try {
      begun.watcher =
          connection
              .client()
              .getWatchClient()
              .watch(
                  keys.prefix(),
                  WatchOption.builder()
                      .isPrefix(true)
                      .withCreateNotify(true)
                      .withRequireLeader(true)
                      .build(),
                  begun);
    } catch (RuntimeException e) {
      broken(begun, e);
    }
  }

  private void end() {
    closed = true;
    if (session != null) {
      session.finish();
    }
  }

  private void restart(Session broken) {
    if (closed || session != broken) {
      return; // one watch breaks once, however often it says so
    }
    broken.finish();
    session = null;
    restarts.incrementAndGet();
    ScheduledFuture<?> ignored = thread.schedule(this::begin, PAUSE_MS, TimeUnit.MILLISECONDS);
  }

  private void broken(Session which, Throwable reason) {
    LOG.debug("watch of {} broke and will be begun again", keys.prefix(), reason);
    try {
      thread.execute(() -> restart(which));
    } catch (RejectedExecutionException e) {
      LOG.debug("watch of {} ended", keys.prefix());
    }
  }

  /** One watch from its beginning to its first failure. */
  private final class Session implements Watch.Listener {
    private Watch.Watcher watcher;

    @Override
    public void onNext(WatchResponse response) {
      changed.run();
    }

    @Override
    public void onError(Throwable reason) {
      broken(this, reason);
    }

    @Override
    public void onCompleted() {
      broken(this, null);
    }

    private void finish() {
      if (watcher != null) {
        watcher.close();
      }
    }
  }
}
