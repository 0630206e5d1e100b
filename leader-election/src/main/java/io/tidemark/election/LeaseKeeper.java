package io.tidemark.election;

import io.etcd.jetcd.lease.LeaseKeepAliveResponse;
import io.grpc.Status;
import io.tidemark.api.port.MonotonicClock;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease of the leadership held, on a thread of its own, and knows until when it surely
 * holds: the time at which the last confirmed renewal was sent + granted TTL − margin (COR-18).
 *
 * <p>A renewal that fails is repeated after {@value #RETRY_MS} ms, on another endpoint if there is
 * one, until etcd says that the lease is gone or the leadership is given up. A lease may live on
 * behind the fence, since etcd only promises not to end it early; a renewal that then succeeds
 * moves the fence again, and nobody else can have led meanwhile.
 */
final class LeaseKeeper implements AutoCloseable {
  private static final long RETRY_MS = 100;

  /** A renewal to an endpoint that hangs must leave time for two more within the TTL. */
  private static final int ATTEMPTS_IN_TTL = 5;

  private static final long STOP_MS = 5000;
  private static final Logger LOG = LoggerFactory.getLogger(LeaseKeeper.class);

  private final EtcdConnection connection;
  private final EtcdSettings settings;
  private final MonotonicClock clock;
  private final Events events;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final Thread thread = new Thread(this::run, "tidemark-lease");
  private final AtomicLong renewals = new AtomicLong();
  private final AtomicLong failures = new AtomicLong();
  private Lease kept;
  private boolean healthy = true;
  private boolean closed;

  /** What the keeper tells; called on its thread. */
  interface Events {
    void health(boolean healthy);

    void lost();
  }

  LeaseKeeper(
      EtcdConnection connection, EtcdSettings settings, MonotonicClock clock, Events events) {
    this.connection = connection;
    this.settings = settings;
    this.clock = clock;
    this.events = events;
    thread.setDaemon(true);
    thread.start();
  }

  /** A lease as etcd granted it; it is not renewed before {@link #keep}. */
  Lease granted(long id, long sentAtNanos, long ttlSeconds) {
    return new Lease(id, sentAtNanos, ttlSeconds);
  }

  /** Renews this lease from now on. A node leads once: an earlier lease counts as lost. */
  void keep(Lease lease) {
    lock.lock();
    try {
      if (kept != null) {
        kept.fencedAtNanos = Long.MIN_VALUE;
      }
      kept = lease;
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /** Ends renewals of this lease; its fence has passed when this returns. */
  void giveUp(Lease lease) {
    lock.lock();
    try {
      lease.fencedAtNanos = Long.MIN_VALUE;
      if (kept == lease) {
        kept = null;
      }
    } finally {
      lock.unlock();
    }
  }

  /** Renewals that etcd confirmed. */
  long renewals() {
    return renewals.get();
  }

  /** Renewals that failed or were not answered in time. */
  long failures() {
    return failures.get();
  }

  /** Stops renewing. A leadership that was not resigned ends with its lease. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      if (kept != null) {
        kept.fencedAtNanos = Long.MIN_VALUE;
        kept = null;
      }
      changed.signal();
    } finally {
      lock.unlock();
    }
    thread.interrupt();
    try {
      thread.join(STOP_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void run() {
    Lease due;
    while ((due = next()) != null) {
      renew(due);
    }
  }

  /** Waits until a lease is due; null when closed. */
  private Lease next() {
    lock.lock();
    try {
      while (!closed) {
        if (kept == null) {
          changed.await();
        } else {
          long wait = kept.dueAtNanos - clock.nanos();
          if (wait <= 0) {
            return kept;
          }
          changed.awaitNanos(wait);
        }
      }
      return null;
    } catch (InterruptedException e) {
      return null; // only close() interrupts
    } finally {
      lock.unlock();
    }
  }

  private void renew(Lease lease) {
    long sentAt = clock.nanos();
    long limit = Math.min(settings.callTimeout().toNanos(), lease.ttlNanos / ATTEMPTS_IN_TTL);
    try {
      LeaseKeepAliveResponse answer =
          connection
              .client()
              .getLeaseClient()
              .keepAliveOnce(lease.id)
              .get(limit, TimeUnit.NANOSECONDS);
      connection.used(null);
      confirmed(lease, sentAt, answer.getTTL());
    } catch (ExecutionException e) {
      EtcdFailure failure = EtcdFailure.of(e, true, "renewal at " + settings.place());
      if (failure.code() == Status.Code.NOT_FOUND) {
        lost(lease);
      } else {
        failed(lease, e, failure.text());
      }
    } catch (TimeoutException e) {
      failed(lease, e, "no answer from " + settings.place() + " in time");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException e) {
      failed(lease, e, "renewal at " + settings.place() + ": " + e);
    }
  }

  private void confirmed(Lease lease, long sentAt, long ttlSeconds) {
    renewals.incrementAndGet();
    lock.lock();
    try {
      if (kept != lease) {
        return; // given up meanwhile: its fence must not come back
      }
      lease.confirmed(sentAt, ttlSeconds);
    } finally {
      lock.unlock();
    }
    tell(true);
  }

  private void failed(Lease lease, Exception reason, String text) {
    failures.incrementAndGet();
    lease.dueAtNanos = clock.nanos() + TimeUnit.MILLISECONDS.toNanos(RETRY_MS);
    connection.used(reason);
    if (healthy) {
      LOG.warn("the leader's lease could not be renewed, trying again: {}", text);
    }
    tell(false);
  }

  private void lost(Lease lease) {
    lock.lock();
    try {
      if (kept != lease) {
        return; // given up meanwhile, and so revoked
      }
      giveUp(lease);
    } finally {
      lock.unlock();
    }
    LOG.warn("etcd at {} says that the leader's lease has ended", settings.place());
    events.lost();
  }

  private void tell(boolean nowHealthy) {
    if (healthy != nowHealthy) {
      healthy = nowHealthy;
      events.health(nowHealthy);
    }
  }

  /** A lease that etcd granted. */
  final class Lease {
    private final long id;
    private final long grantedSeconds;
    private final long ttlNanos;
    private volatile long fencedAtNanos;
    private volatile long dueAtNanos;

    private Lease(long id, long sentAtNanos, long ttlSeconds) {
      this.id = id;
      grantedSeconds = ttlSeconds;
      ttlNanos = TimeUnit.SECONDS.toNanos(ttlSeconds);
      confirmed(sentAtNanos, ttlSeconds);
    }

    /** etcd's number for it. */
    long id() {
      return id;
    }

    /** What etcd granted, which may be more than was asked for. */
    long grantedSeconds() {
      return grantedSeconds;
    }

    /** Until when it surely lives, less the margin; see {@link LeaseKeeper}. */
    long fencedAtNanos() {
      return fencedAtNanos;
    }

    private void confirmed(long sentAtNanos, long ttlSeconds) {
      long ttl = Math.min(ttlNanos, TimeUnit.SECONDS.toNanos(ttlSeconds));
      fencedAtNanos = sentAtNanos + ttl - settings.fenceMargin().toNanos();
      dueAtNanos = sentAtNanos + ttl / 3;
    }
  }
}
