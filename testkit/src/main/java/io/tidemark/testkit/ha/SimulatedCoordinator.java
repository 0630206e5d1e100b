package io.tidemark.testkit.ha;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * One node's client of a {@link SimulatedStore}: the same requests in the same order as the real
 * one makes of etcd, each with its own time-out and its own {@link Fate}.
 *
 * <p>Futures complete inside {@link SimulatedStore#advanceTo}, never inside the call. A closed
 * client renews nothing and tells nothing; what it sent before still arrives.
 */
public final class SimulatedCoordinator implements Coordinator {
  private static final long MOST_RAISES = 500_000;
  private static final String OWN_VIEW = "the view is this leadership's own";

  private final SimulatedStore store;
  private final SimulatedLink link;
  private final Times times;
  private final SimulatedKeys keys;
  private final Runnable watcher = this::changed;
  private SimulatedLease held;
  private Listener listener;
  private boolean closed;

  /**
   * Times of a client, in ns of simulated time.
   *
   * @param hint from a change to the listener being told
   */
  public record Times(long callTimeout, long leaseTtl, long fenceMargin, long hint) {
    /** Those of the real coordinator; hints arrive at once. */
    public static final Times DEFAULT =
        new Times(1_500_000_000L, 5_000_000_000L, 1_000_000_000L, 0);
  }

  /** A client with the real one's times. */
  public SimulatedCoordinator(SimulatedStore store, String clusterId) {
    this(store, clusterId, Times.DEFAULT);
  }

  /** A client of a store. */
  public SimulatedCoordinator(SimulatedStore store, String clusterId, Times times) {
    this.store = store;
    this.times = times;
    link = new SimulatedLink(store);
    keys = new SimulatedKeys(store, clusterId);
    store.watch(watcher);
  }

  /** What may happen to this client's requests. */
  public SimulatedLink link() {
    return link;
  }

  /** Stops renewing, as a process that hangs, or goes on. */
  public void pauseRenewals(boolean paused) {
    if (held != null) {
      held.pause(paused);
    }
  }

  @Override
  public CompletableFuture<Outcome<ClusterView>> read() {
    return link.send(Fate.Step.READ, times.callTimeout(), () -> Outcome.done(keys.seen()));
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> createCluster(UUID cluster, Member first) {
    return link.send(
        Fate.Step.WRITE,
        times.callTimeout(),
        () -> {
          if (keys.record().isPresent()) {
            return keys.refused(cluster, "the cluster was created before");
          }
          return Outcome.done(
              keys.write(new MembershipRecord(cluster, 0, first, List.of(first), 0)));
        });
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> forceMembership(
      Optional<MembershipRecord> seen, MembershipRecord next) {
    return link.send(
        Fate.Step.WRITE,
        times.callTimeout(),
        () -> {
          boolean same = seen.map(keys::unchanged).orElse(keys.record().isEmpty());
          return same && keys.leader().isEmpty()
              ? Outcome.done(keys.write(next))
              : keys.refused(next.cluster(), "somebody leads or the record changed");
        });
  }

  @Override
  public CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate) {
    return read()
        .thenCompose(
            read ->
                read.isDone()
                    ? campaign(candidate, read.value())
                    : completed(Outcome.not(read.verdict(), read.detail())));
  }

  @Override
  public CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate, ClusterView seen) {
    Optional<Outcome<Leadership>> refusal = judge(candidate, seen);
    return refusal.isPresent()
        ? completed(refusal.get())
        : grantAndWin(candidate, seen.membership().orElseThrow());
  }

  private static Optional<Outcome<Leadership>> judge(Candidate candidate, ClusterView seen) {
    if (seen.membership().isEmpty()) {
      return Optional.of(Outcome.not(Verdict.NOT_IN_SYNC, "there is no membership record"));
    }
    MembershipRecord record = seen.membership().get();
    if (!record.cluster().equals(candidate.cluster())) {
      return Optional.of(Outcome.not(Verdict.OTHER_CLUSTER, "there is " + record.cluster()));
    }
    if (seen.leader().isPresent()) {
      return Optional.of(Outcome.not(Verdict.REFUSED, "leading is " + seen.leader().get()));
    }
    return record.inSync().contains(candidate.self())
        ? Optional.empty()
        : Optional.of(
            Outcome.not(
                Verdict.NOT_IN_SYNC, candidate.self() + " is not among " + record.inSync()));
  }

  private CompletableFuture<Outcome<Leadership>> grantAndWin(
      Candidate candidate, MembershipRecord seen) {
    long sentAt = store.nowNanos();
    return link.send(
            Fate.Step.GRANT, times.callTimeout(), () -> Outcome.done(store.grant(times.leaseTtl())))
        .thenCompose(
            granted ->
                granted.isDone()
                    ? win(candidate, seen, granted.value(), sentAt)
                    : completed(Outcome.not(granted.verdict(), granted.detail())));
  }

  private CompletableFuture<Outcome<Leadership>> win(
      Candidate candidate, MembershipRecord seen, long lease, long sentAt) {
    return link.send(
            Fate.Step.WRITE, times.callTimeout(), () -> carryOutWin(candidate, seen, lease))
        .thenCompose(
            outcome -> {
              if (outcome.isDone() && !closed) {
                long revision = outcome.value().leaderCreateRevision();
                held = new SimulatedLease(store, link, times, lease, revision, sentAt);
                held.start(new LeaseEvents());
                return completed(outcome);
              }
              return SimulatedLease.revoke(link, store, times, lease).thenApply(end -> outcome);
            });
  }

  private Outcome<Leadership> carryOutWin(Candidate candidate, MembershipRecord seen, long lease) {
    if (!store.hasLease(lease)) {
      return Outcome.not(Verdict.UNAVAILABLE, "the lease is gone");
    }
    if (keys.leader().isPresent() || !keys.unchanged(seen)) {
      return keys.refused(candidate.cluster(), "somebody was faster");
    }
    Member self = candidate.self();
    long epoch = Math.addExact(Math.max(seen.epoch(), candidate.highestEpoch()), 1);
    List<Member> inSync =
        seen.inSync().stream()
            .filter(member -> member.equals(self) || !member.equals(seen.leader()))
            .toList();
    MembershipRecord next =
        new MembershipRecord(seen.cluster(), epoch, self, inSync, 0, seen.forcedEpoch());
    LeaderInfo leader = new LeaderInfo(self, epoch, candidate.replicationAddress(), 0);
    long revision = store.put(keys.leader, leader, lease, keys.inSync, next);
    return Outcome.done(new Leadership(epoch, self, revision, next.at(revision)));
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> changeInSync(
      Leadership leadership, MembershipRecord expected, List<Member> inSync) {
    if (!inSync.contains(leadership.self()) || inSync.stream().distinct().count() < inSync.size()) {
      throw new IllegalArgumentException("no in-sync set of this leader: " + inSync);
    }
    MembershipRecord next =
        new MembershipRecord(
            expected.cluster(),
            leadership.epoch(),
            leadership.self(),
            inSync,
            0,
            expected.forcedEpoch());
    return link.send(
        Fate.Step.WRITE,
        times.callTimeout(),
        () ->
            keys.leads(leadership.leaderCreateRevision()) && keys.unchanged(expected)
                ? Outcome.done(keys.write(next))
                : keys.refused(expected.cluster(), "the leader or the record changed"));
  }

  @Override
  public CompletableFuture<Outcome<Long>> publishView(
      Leadership leadership, String address, long above) {
    if (held == null || held.leaderRevision() != leadership.leaderCreateRevision()) {
      return completed(Outcome.not(Verdict.REFUSED, "the leadership is over"));
    }
    SimulatedLease own = held;
    return makeView(own, address, above)
        .thenCompose(
            first ->
                first.verdict() == Verdict.REFUSED && first.detail().equals(OWN_VIEW)
                    ? removeView(own)
                        .thenCompose(
                            removed ->
                                removed.isDone()
                                    ? makeView(own, address, above)
                                    : completed(Outcome.not(removed.verdict(), removed.detail())))
                    : completed(first));
  }

  private CompletableFuture<Outcome<Long>> makeView(
      SimulatedLease own, String address, long above) {
    return link.send(
        Fate.Step.WRITE,
        times.callTimeout(),
        () -> {
          Optional<SimulatedStore.Entry> present = store.get(keys.view);
          if (!keys.leads(own.leaderRevision()) || !store.hasLease(own.id())) {
            return Outcome.not(Verdict.REFUSED, "the leadership is over");
          }
          if (above - store.revision() > MOST_RAISES) {
            return Outcome.not(Verdict.UNAVAILABLE, "the store is too far below " + above);
          }
          store.raiseTo(above);
          if (present.isPresent()) {
            return Outcome.not(
                Verdict.REFUSED,
                present.get().lease() == own.id() ? OWN_VIEW : "the view is another program's");
          }
          return Outcome.done(store.put(Map.of(keys.view, address), own.id()));
        });
  }

  private CompletableFuture<Outcome<Boolean>> removeView(SimulatedLease own) {
    return link.send(
        Fate.Step.WRITE,
        times.callTimeout(),
        () -> {
          boolean ours =
              keys.leads(own.leaderRevision())
                  && store.get(keys.view).filter(view -> view.lease() == own.id()).isPresent();
          if (ours) {
            store.delete(keys.view);
          }
          return ours ? Outcome.done(true) : Outcome.not(Verdict.REFUSED, "the leadership is over");
        });
  }

  @Override
  public CompletableFuture<Outcome<Void>> resign(Leadership leadership) {
    if (held == null || held.leaderRevision() != leadership.leaderCreateRevision()) {
      return completed(Outcome.done(null));
    }
    held.giveUp();
    return SimulatedLease.revoke(link, store, times, held.id());
  }

  @Override
  public long fencedAtNanos(Leadership leadership) {
    return held != null && held.leaderRevision() == leadership.leaderCreateRevision()
        ? held.fencedAtNanos()
        : Long.MIN_VALUE;
  }

  @Override
  public void listen(Listener given) {
    listener = given;
  }

  @Override
  public void close() {
    closed = true;
    listener = null;
    store.unwatch(watcher);
    if (held != null) {
      held.giveUp();
    }
  }

  private void changed() {
    store.at(
        store.nowNanos() + times.hint(),
        () -> {
          if (listener != null && !link.isCut()) {
            listener.changed();
          }
        });
  }

  private static <T> CompletableFuture<T> completed(T value) {
    return CompletableFuture.completedFuture(value);
  }

  private final class LeaseEvents implements SimulatedLease.Events {
    @Override
    public void health(boolean healthy) {
      if (listener != null) {
        listener.connection(healthy);
      }
    }

    @Override
    public void lost() {
      if (listener != null) {
        listener.changed();
      }
    }
  }
}
