package io.tidemark.election;

import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.port.MonotonicClock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Leases for campaigns; one may be got before the campaign begins, so that nobody waits for it
 * while nobody leads. A lease that is not used holds no key and ends by itself. Thread-safe.
 */
final class SpareLease {
  /** An older one has lived through too much of its time to lead on. */
  private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  private final EtcdRequests requests;
  private final EtcdConnection connection;
  private final LeaseKeeper keeper;
  private final EtcdSettings settings;
  private final MonotonicClock clock;
  private Grant spare;

  /** A lease that was asked for. */
  private record Grant(long sentNanos, CompletableFuture<Outcome<LeaseKeeper.Lease>> lease) {}

  SpareLease(
      EtcdRequests requests,
      EtcdConnection connection,
      LeaseKeeper keeper,
      EtcdSettings settings,
      MonotonicClock clock) {
    this.requests = requests;
    this.connection = connection;
    this.keeper = keeper;
    this.settings = settings;
    this.clock = clock;
  }

  /** Asks for a lease that the next {@link #take} gets, if that is soon. */
  synchronized void prepare() {
    if (spare == null || isOld(spare)) {
      spare = ask();
    }
  }

  /** The lease that was prepared, or another one if none was or it was long ago. */
  CompletableFuture<Outcome<LeaseKeeper.Lease>> take() {
    synchronized (this) {
      Grant prepared = spare;
      spare = null;
      if (prepared != null && !isOld(prepared)) {
        return prepared.lease();
      }
    }
    return ask().lease();
  }

  private boolean isOld(Grant grant) {
    return clock.nanos() - grant.sentNanos() > LONGEST_NANOS;
  }

  private Grant ask() {
    long sentAt = clock.nanos();
    return new Grant(
        sentAt,
        requests
            .send(
                connection,
                "grant of a lease",
                false, // a lease that nobody knows of holds no key and ends by itself
                client -> client.getLeaseClient().grant(settings.leaseTtlSeconds()))
            .thenApply(
                granted ->
                    requests.map(
                        granted, grant -> keeper.granted(grant.getID(), sentAt, grant.getTTL()))));
  }
}
