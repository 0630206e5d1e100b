package io.tidemark.election;

import io.etcd.jetcd.Client;
import io.etcd.jetcd.kv.TxnResponse;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.MembershipRecord;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends requests and says what became of them. Futures never complete exceptionally. */
final class EtcdRequests {
  private static final Logger LOG = LoggerFactory.getLogger(EtcdRequests.class);

  private final Transactions transactions;
  private final String place;
  private final AtomicLong unclear = new AtomicLong();
  private final AtomicLong denied = new AtomicLong();
  private volatile boolean everAnswered;
  private volatile String deniedAtFirst = "";
  private volatile boolean deniedNow;

  /**
   * Sends for one cluster.
   *
   * @param place where etcd is, for messages
   */
  EtcdRequests(Transactions transactions, String place) {
    this.transactions = transactions;
    this.place = place;
  }

  /** Requests whose outcome is not known. */
  long unclear() {
    return unclear.get();
  }

  /** Requests that etcd refused for the login, the rights or the certificate. */
  long denied() {
    return denied.get();
  }

  /** Why requests are denied if none was ever answered; empty otherwise. */
  Optional<String> deniedAtFirst() {
    return everAnswered || deniedAtFirst.isEmpty() ? Optional.empty() : Optional.of(deniedAtFirst);
  }

  /**
   * Sends a request.
   *
   * @param what it is, for messages
   * @param write whether a lost answer makes it unclear
   */
  <A> CompletableFuture<Outcome<A>> send(
      EtcdConnection over,
      String what,
      boolean write,
      Function<Client, CompletableFuture<A>> request) {
    return over.call(request)
        .handle(
            (answer, failure) -> {
              if (failure != null) {
                return failed(what, write, failure);
              }
              everAnswered = true;
              if (deniedNow) {
                deniedNow = false;
                LOG.warn("event=etcd_denies_no_more");
              }
              return Outcome.done(answer);
            });
  }

  /** What a transaction's answer means: carried out, or refused with the keys as they are. */
  <T> Outcome<T> judge(
      Outcome<TxnResponse> answer,
      Function<TxnResponse, T> carriedOut,
      Function<ClusterView, Outcome<T>> refused) {
    if (answer.isDone() && !answer.value().isSucceeded()) {
      Outcome<ClusterView> seen = map(answer, transactions::view);
      return seen.isDone() ? refused.apply(seen.value()) : not(seen);
    }
    return map(answer, carriedOut);
  }

  /**
   * The same for what is always carried out; a key that can't be read is {@link Verdict#DENIED}.
   */
  <A, T> Outcome<T> map(Outcome<A> answer, Function<A, T> meaning) {
    if (!answer.isDone()) {
      return not(answer);
    }
    try {
      return Outcome.done(meaning.apply(answer.value()));
    } catch (EtcdRecords.UnreadableRecordException e) {
      return failed("read", false, e);
    }
  }

  /** A refusal: another cluster's store, or the reason given. */
  static <T> Outcome<T> otherOr(UUID cluster, ClusterView seen, String reason) {
    Optional<UUID> there = seen.membership().map(MembershipRecord::cluster);
    if (there.isPresent() && !there.get().equals(cluster)) {
      return Outcome.not(
          Verdict.OTHER_CLUSTER, "etcd has cluster " + there.get() + ", not " + cluster);
    }
    return Outcome.not(Verdict.REFUSED, reason + "; now: " + seen);
  }

  /** What was not done, as the outcome of something else. */
  static <T> Outcome<T> not(Outcome<?> outcome) {
    return Outcome.not(outcome.verdict(), outcome.detail());
  }

  static long revision(TxnResponse answer) {
    return answer.getHeader().getRevision();
  }

  private <A> Outcome<A> failed(String what, boolean write, Throwable failure) {
    EtcdFailure judged = EtcdFailure.of(failure, write, what + " at " + place);
    if (judged.verdict() == Verdict.UNCLEAR) {
      unclear.incrementAndGet();
    } else if (judged.verdict() == Verdict.DENIED) {
      noteDenied(judged.text());
    }
    return Outcome.not(judged.verdict(), judged.text());
  }

  /** Said once; the count goes on. */
  private void noteDenied(String why) {
    denied.incrementAndGet();
    deniedAtFirst = why;
    if (!deniedNow) {
      deniedNow = true;
      LOG.error(
          "event=etcd_denies effect=\"this member can neither lead nor follow anew\" why=\"{}\"",
          why);
    }
  }
}
