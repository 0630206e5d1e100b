package io.tidemark.election;

import io.etcd.jetcd.kv.TxnResponse;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Raises etcd's revision above the views that clients have seen, by writes: an etcd that was set up
 * anew counts from 1, and running clients ignore a view whose version is below the one they hold,
 * without a word (HA-REQ-014). Each write is one under the leadership, so that it ends with it.
 *
 * <p>One raise an instance. Futures complete on etcd's thread.
 */
final class RevisionRaise {
  /**
   * Most revisions that are made up by writes. Each costs etcd some 100 bytes until it compacts, of
   * 2 GB by default, and all of them some minutes.
   */
  static final long MOST_WRITES = 500_000;

  private static final int WRITES_AT_ONCE = 16;
  private static final Logger LOG = LoggerFactory.getLogger(RevisionRaise.class);

  private final EtcdRequests requests;
  private final EtcdConnection connection;
  private final Transactions transactions;
  private final AtomicLong counted;
  private final long leaderRevision;
  private final CompletableFuture<Outcome<Long>> result = new CompletableFuture<>();
  private long above;
  private long reached;

  RevisionRaise(
      EtcdRequests requests,
      EtcdConnection connection,
      Transactions transactions,
      AtomicLong counted,
      long leaderRevision) {
    this.requests = requests;
    this.connection = connection;
    this.transactions = transactions;
    this.counted = counted;
    this.leaderRevision = leaderRevision;
  }

  /** Raises it at least to {@code revision}; the value is where it is then. */
  CompletableFuture<Outcome<Long>> above(long revision) {
    above = revision;
    requests
        .send(connection, "read of the revision", false, transactions::read)
        .thenAccept(
            read -> {
              if (read.isDone()) {
                begin(EtcdRequests.revision(read.value()));
              } else {
                result.complete(EtcdRequests.not(read));
              }
            });
    return result;
  }

  private void begin(long now) {
    reached = now;
    long missing = above - now;
    if (missing > MOST_WRITES) {
      String why =
          "clients may hold a view of version "
              + above
              + ", etcd counts "
              + now
              + ": too far to be made up by writes. Restore etcd with a revision above that"
              + " (etcdutl snapshot restore --bump-revision), or start all clients anew and force"
              + " the start with --forget-views";
      LOG.error(
          "event=view_below_what_clients_hold effect=\"no view is published\" why=\"{}\"", why);
      result.complete(Outcome.not(Verdict.UNAVAILABLE, why));
      return;
    }
    if (missing > 0) {
      LOG.warn("event=etcd_revision_raised from={} to={} writes={}", now, above, missing);
    }
    step();
  }

  private void step() {
    long missing = above - reached;
    if (missing <= 0) {
      result.complete(Outcome.done(reached));
      return;
    }
    List<CompletableFuture<Outcome<TxnResponse>>> writes = new ArrayList<>();
    for (int i = 0; i < Math.min(missing, WRITES_AT_ONCE); i++) {
      writes.add(
          requests.send(
              connection,
              "raise of the revision",
              true,
              client -> transactions.raise(client, leaderRevision)));
    }
    CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new))
        .thenRun(() -> written(writes));
  }

  private void written(List<CompletableFuture<Outcome<TxnResponse>>> writes) {
    for (CompletableFuture<Outcome<TxnResponse>> write : writes) {
      Outcome<TxnResponse> outcome = write.join();
      if (!outcome.isDone()) {
        result.complete(EtcdRequests.not(outcome));
        return;
      }
      if (!outcome.value().isSucceeded()) {
        result.complete(Outcome.not(Verdict.REFUSED, "the leadership is over"));
        return;
      }
      counted.incrementAndGet();
      reached = Math.max(reached, EtcdRequests.revision(outcome.value()));
    }
    // A thread of its own stack: an answer may be there already, and there may be thousands.
    CompletableFuture.delayedExecutor(0, TimeUnit.MILLISECONDS).execute(this::step);
  }
}
