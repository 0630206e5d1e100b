package io.tidemark.election;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.kv.TxnResponse;
import io.grpc.ClientInterceptor;
import io.grpc.Status;
import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.api.port.MonotonicClock;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * Elects by etcd: a leader key bound to a lease, and a record of the in-sync set that every
 * transaction compares (docs/adr/0015).
 *
 * <p>Two connections: one for requests and the watch, one for leases alone, so that nothing that
 * happens to a request can end a leadership (HA-REQ-027). No request is repeated here. A call is
 * one to six requests, each with {@link EtcdSettings#callTimeout}.
 */
public final class EtcdCoordinator implements Coordinator {
  private static final int REVOKE_TRIES = 3;

  private final EtcdSettings settings;
  private final MonotonicClock clock;
  private final Transactions transactions;
  private final EtcdConnection calls;
  private final EtcdRequests requests;
  private final ViewPublication views;
  private final EtcdConnection leases;
  private final LeaseKeeper keeper;
  private final SpareLease spare;
  private final ChangeWatch watch;
  private volatile Listener listener;
  private volatile Held held;

  /** A leadership that was won here and the lease it hangs on. */
  private record Held(long leaderRevision, LeaseKeeper.Lease lease) {}

  /**
   * Makes the connections; whether etcd can be reached shows in the first call.
   *
   * @param clock what {@link #fencedAtNanos} speaks of
   * @throws IllegalArgumentException if a certificate or key can't be used
   */
  public EtcdCoordinator(EtcdSettings settings, MonotonicClock clock) {
    this(settings, clock, List.of());
  }

  /** The same with interceptors next to the network, for tests. */
  EtcdCoordinator(
      EtcdSettings settings, MonotonicClock clock, List<ClientInterceptor> interceptors) {
    this.settings = settings;
    this.clock = clock;
    EtcdKeys keys = new EtcdKeys(settings.clusterId());
    transactions = new Transactions(keys);
    calls = new EtcdConnection("tidemark-etcd-calls", settings, clock, interceptors);
    leases = new EtcdConnection("tidemark-etcd-leases", settings, clock, interceptors);
    keeper = new LeaseKeeper(leases, settings, clock, new KeeperEvents());
    requests = new EtcdRequests(transactions, settings.place());
    spare = new SpareLease(requests, leases, keeper, settings, clock);
    views = new ViewPublication(requests, calls, transactions);
    watch = new ChangeWatch(calls, keys, this::tellChanged);
  }

  @Override
  public void listen(Listener given) {
    listener = given;
    watch.start();
  }

  @Override
  public CompletableFuture<Outcome<ClusterView>> read() {
    return send("read", false, transactions::read)
        .thenApply(a -> requests.map(a, transactions::view));
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> createCluster(UUID cluster, Member first) {
    MembershipRecord record = new MembershipRecord(cluster, 0, first, List.of(first), 0);
    return send("creation of the cluster", true, client -> transactions.create(client, record))
        .thenApply(
            answer ->
                requests.judge(
                    answer,
                    done -> record.at(EtcdRequests.revision(done)),
                    seen -> EtcdRequests.otherOr(cluster, seen, "the cluster was created before")));
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> forceMembership(
      Optional<MembershipRecord> before, MembershipRecord next) {
    return send("forced membership", true, client -> transactions.force(client, before, next))
        .thenApply(
            answer ->
                requests.judge(
                    answer,
                    done -> next.at(EtcdRequests.revision(done)),
                    seen ->
                        EtcdRequests.otherOr(
                            next.cluster(), seen, "somebody leads or the record changed")));
  }

  @Override
  public CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate) {
    return read()
        .thenCompose(
            read ->
                read.isDone()
                    ? campaign(candidate, read.value())
                    : completed(EtcdRequests.not(read)));
  }

  @Override
  public CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate, ClusterView seen) {
    if (candidate.replicationAddress().lines().count() != 1) {
      throw new IllegalArgumentException(
          "replication address \"" + candidate.replicationAddress() + "\" is not one line");
    }
    Optional<Outcome<Leadership>> refusal = Contest.refusal(candidate, seen, settings.place());
    return refusal.isPresent()
        ? completed(refusal.get())
        : spare
            .take()
            .thenCompose(
                granted ->
                    granted.isDone()
                        ? win(candidate, seen.membership().orElseThrow(), granted.value())
                        : completed(EtcdRequests.not(granted)));
  }

  @Override
  public void prepareCampaign() {
    spare.prepare();
  }

  private CompletableFuture<Outcome<Leadership>> win(
      Candidate candidate, MembershipRecord seen, LeaseKeeper.Lease lease) {
    MembershipRecord next = Contest.won(candidate, seen);
    return send(
            "campaign", true, client -> transactions.win(client, candidate, seen, next, lease.id()))
        .thenCompose(
            answer -> {
              Outcome<Leadership> outcome =
                  requests.judge(
                      answer,
                      done -> leadership(candidate, next, EtcdRequests.revision(done)),
                      view ->
                          EtcdRequests.otherOr(candidate.cluster(), view, "somebody was faster"));
              if (outcome.isDone()) {
                held = new Held(outcome.value().leaderCreateRevision(), lease);
                keeper.keep(lease);
                return completed(outcome);
              }
              return revoke(lease, REVOKE_TRIES)
                  .thenApply(end -> end.isDone() ? outcome : alsoLeft(outcome, end));
            });
  }

  /**
   * Does all that a campaign and a publication do, under conditions that can't hold, so that a
   * first campaign in earnest finds everything loaded. Changes nothing; its lease is revoked.
   *
   * @return completes when it is over, whatever came of it
   */
  public CompletableFuture<Void> rehearse(Candidate candidate) {
    MembershipRecord none =
        new MembershipRecord(candidate.cluster(), 0, candidate.self(), List.of(), Long.MAX_VALUE);
    MembershipRecord next = Contest.won(candidate, none);
    return read()
        .thenCompose(read -> spare.take())
        .thenCompose(
            granted ->
                granted.isDone()
                    ? rehearse(candidate, none, next, granted.value())
                    : completed(null));
  }

  private CompletableFuture<Void> rehearse(
      Candidate candidate, MembershipRecord none, MembershipRecord next, LeaseKeeper.Lease lease) {
    return send(
            "rehearsal of a campaign",
            false,
            client -> transactions.win(client, candidate, none, next, lease.id()))
        .thenCompose(lost -> views.publish(Long.MAX_VALUE, lease.id(), "nobody", 0))
        .thenCompose(refused -> revoke(lease, REVOKE_TRIES))
        .thenApply(revoked -> null);
  }

  private static Leadership leadership(
      Candidate candidate, MembershipRecord written, long revision) {
    return new Leadership(written.epoch(), candidate.self(), revision, written.at(revision));
  }

  private static <T> Outcome<T> alsoLeft(Outcome<T> outcome, Outcome<Void> revocation) {
    return Outcome.not(
        outcome.verdict(),
        outcome.detail()
            + "; its lease could not be revoked and ends by itself: "
            + revocation.detail());
  }

  @Override
  public CompletableFuture<Outcome<MembershipRecord>> changeInSync(
      Leadership leadership, MembershipRecord expected, List<Member> inSync) {
    MembershipRecord next = Contest.changed(leadership, expected, inSync);
    long leader = leadership.leaderCreateRevision();
    return send(
            "change of the in-sync set",
            true,
            client -> transactions.change(client, leader, expected, next))
        .thenApply(
            answer ->
                requests.judge(
                    answer,
                    done -> next.at(EtcdRequests.revision(done)),
                    seen ->
                        EtcdRequests.otherOr(
                            expected.cluster(), seen, "the leader or the record changed")));
  }

  @Override
  public CompletableFuture<Outcome<Long>> publishView(
      Leadership leadership, String address, long above) {
    Held own = held;
    if (own == null || own.leaderRevision() != leadership.leaderCreateRevision()) {
      return completed(
          Outcome.not(Verdict.REFUSED, "the leadership is over; no view was published"));
    }
    return views.publish(own.leaderRevision(), own.lease().id(), address, above);
  }

  /** Looks where unmodified clients are sent, whoever published it; for people only. */
  public CompletableFuture<Outcome<Optional<PublishedView>>> readView() {
    return send("read of the view", false, transactions::readView)
        .thenApply(
            answer ->
                requests.map(
                    answer,
                    found ->
                        transactions
                            .published(found)
                            .map(
                                pair ->
                                    new PublishedView(
                                        pair.getValue().toString(StandardCharsets.UTF_8),
                                        pair.getCreateRevision()))));
  }

  @Override
  public CompletableFuture<Outcome<Void>> resign(Leadership leadership) {
    Held own = held;
    if (own == null || own.leaderRevision() != leadership.leaderCreateRevision()) {
      return completed(Outcome.done(null));
    }
    keeper.giveUp(own.lease());
    return revoke(own.lease(), REVOKE_TRIES);
  }

  /** Ends a lease and with it every key on it; one that is gone already counts as ended. */
  private CompletableFuture<Outcome<Void>> revoke(LeaseKeeper.Lease lease, int tries) {
    return leases
        .call(client -> client.getLeaseClient().revoke(lease.id()))
        .handle(
            (answer, failure) -> {
              if (failure == null) {
                return Outcome.<Void>done(null);
              }
              EtcdFailure judged =
                  EtcdFailure.of(failure, true, "revocation of a lease at " + settings.place());
              return judged.code() == Status.Code.NOT_FOUND
                  ? Outcome.<Void>done(null)
                  : Outcome.<Void>not(judged.verdict(), judged.text());
            })
        .thenCompose(
            outcome ->
                outcome.isDone() || outcome.verdict() == Verdict.DENIED || tries <= 1
                    ? completed(outcome)
                    : revoke(lease, tries - 1));
  }

  @Override
  public long fencedAtNanos(Leadership leadership) {
    Held own = held;
    return own != null && own.leaderRevision() == leadership.leaderCreateRevision()
        ? own.lease().fencedAtNanos()
        : Long.MIN_VALUE;
  }

  /** The TTL that etcd granted to the present or last leadership here, in seconds; 0 before any. */
  public long grantedTtlSeconds() {
    Held own = held;
    return own == null ? 0 : own.lease().grantedSeconds();
  }

  /**
   * Why etcd denies what it is asked, if it never did anything else: login, rights or certificate
   * are wrong, and trying again will not help (HA-REQ-076). Empty otherwise.
   */
  public Optional<String> deniedAtFirst() {
    return requests.deniedAtFirst();
  }

  /** Counts for metrics. */
  public EtcdFigures figures() {
    return new EtcdFigures(
        keeper.renewals(),
        keeper.failures(),
        calls.reconnects() + leases.reconnects(),
        watch.restarts(),
        calls.refusedCalls() + leases.refusedCalls(),
        requests.unclear(),
        requests.denied(),
        views.raises());
  }

  /** Ends threads and connections. A leadership that was not resigned ends with its lease. */
  @Override
  public void close() {
    watch.close();
    keeper.close();
    calls.close();
    leases.close();
  }

  private CompletableFuture<Outcome<TxnResponse>> send(
      String what, boolean write, Function<Client, CompletableFuture<TxnResponse>> transaction) {
    return requests.send(calls, what, write, transaction);
  }

  private static <T> CompletableFuture<T> completed(T value) {
    return CompletableFuture.completedFuture(value);
  }

  private void tellChanged() {
    Listener told = listener;
    if (told != null) {
      told.changed();
    }
  }

  private final class KeeperEvents implements LeaseKeeper.Events {
    @Override
    public void health(boolean healthy) {
      Listener told = listener;
      if (told != null) {
        told.connection(healthy);
      }
    }

    @Override
    public void lost() {
      tellChanged();
    }
  }
}
