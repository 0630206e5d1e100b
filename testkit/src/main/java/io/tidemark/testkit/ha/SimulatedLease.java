package io.tidemark.testkit.ha;

import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import java.util.concurrent.CompletableFuture;

/** The lease of a leadership held by a simulated client: its renewals and its fence. */
final class SimulatedLease {
  private static final long RETRY_NANOS = 100_000_000L;
  private static final int ATTEMPTS_IN_TTL = 5;
  private static final int REVOKE_TRIES = 3;

  private final SimulatedStore store;
  private final SimulatedLink link;
  private final SimulatedCoordinator.Times times;
  private final long id;
  private final long leaderRevision;
  private Events events;
  private long fencedAtNanos;
  private boolean over;
  private boolean paused;
  private boolean healthy = true;

  /** What is told; inside the store's {@code advanceTo}. */
  interface Events {
    void health(boolean healthy);

    void lost();
  }

  SimulatedLease(
      SimulatedStore store,
      SimulatedLink link,
      SimulatedCoordinator.Times times,
      long id,
      long leaderRevision,
      long sentAtNanos) {
    this.store = store;
    this.link = link;
    this.times = times;
    this.id = id;
    this.leaderRevision = leaderRevision;
    confirm(sentAtNanos);
  }

  /** Ends a lease; tried three times, then it ends by itself. */
  static CompletableFuture<Outcome<Void>> revoke(
      SimulatedLink link, SimulatedStore store, SimulatedCoordinator.Times times, long id) {
    return revoke(link, store, times, id, REVOKE_TRIES);
  }

  private static CompletableFuture<Outcome<Void>> revoke(
      SimulatedLink link,
      SimulatedStore store,
      SimulatedCoordinator.Times times,
      long id,
      int tries) {
    return link.<Void>send(
            Fate.Step.REVOKE,
            times.callTimeout(),
            () -> {
              store.revoke(id);
              return Outcome.done(null);
            })
        .thenCompose(
            outcome ->
                outcome.isDone() || tries <= 1
                    ? CompletableFuture.completedFuture(outcome)
                    : revoke(link, store, times, id, tries - 1));
  }

  void start(Events told) {
    events = told;
    store.at(store.nowNanos() + times.leaseTtl() / 3, this::renew);
  }

  long id() {
    return id;
  }

  long leaderRevision() {
    return leaderRevision;
  }

  long fencedAtNanos() {
    return fencedAtNanos;
  }

  void pause(boolean value) {
    paused = value;
  }

  void giveUp() {
    over = true;
    fencedAtNanos = Long.MIN_VALUE;
  }

  private void renew() {
    if (over) {
      return;
    }
    if (paused) {
      store.at(store.nowNanos() + RETRY_NANOS, this::renew);
      return;
    }
    long sentAt = store.nowNanos();
    long limit = Math.min(times.callTimeout(), times.leaseTtl() / ATTEMPTS_IN_TTL);
    CompletableFuture<Outcome<Boolean>> answer =
        link.send(
            Fate.Step.RENEW,
            limit,
            () ->
                store.renew(id)
                    ? Outcome.done(true)
                    : Outcome.not(Verdict.REFUSED, "the lease has ended"));
    store.follow(answer.thenAccept(outcome -> renewed(outcome, sentAt)));
  }

  private void renewed(Outcome<Boolean> answer, long sentAt) {
    if (over) {
      return;
    }
    if (answer.verdict() == Verdict.REFUSED) {
      giveUp();
      events.lost();
      return;
    }
    long next = store.nowNanos() + RETRY_NANOS;
    if (answer.isDone()) {
      confirm(sentAt);
      next = sentAt + times.leaseTtl() / 3;
    }
    store.at(next, this::renew);
    if (healthy != answer.isDone()) {
      healthy = answer.isDone();
      events.health(healthy);
    }
  }

  private void confirm(long sentAt) {
    fencedAtNanos = sentAt + times.leaseTtl() - times.fenceMargin();
  }
}
