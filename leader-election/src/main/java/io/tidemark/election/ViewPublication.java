package io.tidemark.election;

import io.etcd.jetcd.KeyValue;
import io.etcd.jetcd.kv.TxnResponse;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the key by which unmodified clients find the leader. It is made anew each time, because
 * clients go by its create revision, and one transaction can't delete and make a key; a view that
 * hangs on another lease is some other program's and left alone.
 */
final class ViewPublication {
  private final EtcdRequests requests;
  private final EtcdConnection connection;
  private final Transactions transactions;
  private final AtomicLong raises = new AtomicLong();

  ViewPublication(EtcdRequests requests, EtcdConnection connection, Transactions transactions) {
    this.requests = requests;
    this.connection = connection;
    this.transactions = transactions;
  }

  /** Writes that only raised the revision. */
  long raises() {
    return raises.get();
  }

  /**
   * Publishes under a leadership; the value is the revision at which the key was made.
   *
   * @param above what that has to be above
   */
  CompletableFuture<Outcome<Long>> publish(
      long leaderRevision, long lease, String address, long above) {
    if (leaderRevision > above) {
      return publish(leaderRevision, lease, address);
    }
    return new RevisionRaise(requests, connection, transactions, raises, leaderRevision)
        .above(above)
        .thenCompose(
            raised ->
                raised.isDone()
                    ? publish(leaderRevision, lease, address)
                    : completed(EtcdRequests.not(raised)));
  }

  private CompletableFuture<Outcome<Long>> publish(
      long leaderRevision, long lease, String address) {
    return make(leaderRevision, lease, address)
        .thenCompose(
            first -> {
              Optional<KeyValue> own =
                  first.isDone()
                      ? transactions.published(first.value()).filter(v -> v.getLease() == lease)
                      : Optional.empty();
              return own.isPresent()
                  ? replace(leaderRevision, lease, address, own.get())
                  : completed(meaning(leaderRevision, first));
            });
  }

  private CompletableFuture<Outcome<Long>> replace(
      long leaderRevision, long lease, String address, KeyValue before) {
    return requests
        .send(
            connection,
            "removal of the view before",
            true,
            client -> transactions.removeView(client, leaderRevision, before))
        .thenCompose(
            removed ->
                removed.isDone() && removed.value().isSucceeded()
                    ? make(leaderRevision, lease, address)
                        .thenApply(made -> meaning(leaderRevision, made))
                    : completed(meaning(leaderRevision, removed)));
  }

  private CompletableFuture<Outcome<TxnResponse>> make(
      long leaderRevision, long lease, String address) {
    return requests.send(
        connection,
        "publication of the view",
        true,
        client -> transactions.makeView(client, leaderRevision, address, lease));
  }

  private Outcome<Long> meaning(long leaderRevision, Outcome<TxnResponse> answer) {
    return requests.judge(
        answer,
        EtcdRequests::revision,
        seen -> Outcome.not(Verdict.REFUSED, refusal(leaderRevision, seen, answer.value())));
  }

  private String refusal(long leaderRevision, ClusterView seen, TxnResponse answer) {
    boolean leads = seen.leader().filter(l -> l.createRevision() == leaderRevision).isPresent();
    Optional<KeyValue> other = transactions.published(answer);
    return leads && other.isPresent()
        ? "the view names "
            + other.get().getValue().toString(StandardCharsets.UTF_8)
            + ", and not by this leadership; does a mooncake_master run under this cluster id?"
        : "the leadership is over";
  }

  private static <T> CompletableFuture<T> completed(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
