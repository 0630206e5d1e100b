package io.tidemark.api.ha;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * What decides who leads: etcd, or nothing but this process on a single node.
 *
 * <p>Every call returns at once; its future completes exactly once, within the call's own deadline,
 * with a value of {@link Outcome}, also when the store can't be reached. Futures may complete on
 * any thread. Any thread may call.
 */
public interface Coordinator extends AutoCloseable {

  /** Looks at the store, linearizably. */
  CompletableFuture<Outcome<ClusterView>> read();

  /**
   * Creates the record of a cluster that has none, with {@code first} as its only member. Only for
   * a cluster that is proved to be new (COR-17).
   */
  CompletableFuture<Outcome<MembershipRecord>> createCluster(UUID cluster, Member first);

  /**
   * Rewrites the membership record by an operator's word, whoever was in it: done only if nobody
   * leads and the record is still the one that was seen (COR-16, COR-17).
   *
   * @param seen the record as it was read; empty if there was none, and there must be none then
   * @param next what is written; its {@link MembershipRecord#forcedEpoch} is its epoch
   */
  CompletableFuture<Outcome<MembershipRecord>> forceMembership(
      Optional<MembershipRecord> seen, MembershipRecord next);

  /**
   * Tries to become leader (COR-14 to COR-16): wins only if nobody leads and the candidate, in its
   * incarnation, is in the recorded in-sync set. The same transaction takes the leader before, if
   * it is another node, out of the set. A campaign whose outcome is unclear is given up: its lease
   * is revoked before the future completes.
   */
  CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate);

  /**
   * The same by what was just read, so that it need not be read again: refused also if anything
   * changed since.
   */
  CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate, ClusterView seen);

  /**
   * A campaign will probably follow within a second: what it needs may be got beforehand. Changes
   * nothing that another node can see, and what was got for nothing ends by itself.
   */
  default void prepareCampaign() {}

  /**
   * Writes another in-sync set if the record is still {@code expected} and the leadership holds.
   * Unclear outcomes are for the caller to settle, by a further write (COR-14).
   */
  CompletableFuture<Outcome<MembershipRecord>> changeInSync(
      Leadership leadership, MembershipRecord expected, List<Member> inSync);

  /**
   * Names the leader to unmodified clients, under the leadership's lease. Clients ignore a view
   * whose version is below the one they hold, so a store that begins anew is raised first, by
   * writes; that may take longer than a call's deadline. If it is too far behind for that, nothing
   * is published and the outcome is {@link Verdict#UNAVAILABLE} (HA-REQ-014).
   *
   * @param address {@code HOST:PORT}, without anything around it
   * @param above highest version that clients may hold, 0 for none
   * @return the view's version: the revision at which the key was made, more than {@code above}
   */
  CompletableFuture<Outcome<Long>> publishView(Leadership leadership, String address, long above);

  /** Ends a leadership at once: its key and the view vanish. */
  CompletableFuture<Outcome<Void>> resign(Leadership leadership);

  /**
   * Until when the leadership surely holds: a value of the monotonic clock in ns, the time at which
   * the last confirmed renewal was sent + granted TTL − margin. {@link Long#MIN_VALUE} once it is
   * known to be lost.
   */
  long fencedAtNanos(Leadership leadership);

  /** Registers the one listener; to be called before anything else. */
  void listen(Listener listener);

  @Override
  void close();

  /** What became of a call. */
  enum Verdict {
    /** Done. */
    DONE,
    /** Refused by a condition: somebody else leads, or the record changed. Surely not done. */
    REFUSED,
    /** The candidate is not in the in-sync set, in this incarnation. Surely not done. */
    NOT_IN_SYNC,
    /** The store holds another cluster under this name (COR-17). Surely not done. */
    OTHER_CLUSTER,
    /** The store can't be reached or did not answer; surely not done. */
    UNAVAILABLE,
    /** The store may or may not have done it. */
    UNCLEAR,
    /** Wrong credentials or settings; trying again will not help. */
    DENIED
  }

  /**
   * What became of a call, with its value if it was done.
   *
   * @param value null unless {@link Verdict#DONE}
   * @param detail for people: what happened, to what, what to do; empty if done
   */
  record Outcome<T>(Verdict verdict, T value, String detail) {

    public static <T> Outcome<T> done(T value) {
      return new Outcome<>(Verdict.DONE, value, "");
    }

    public static <T> Outcome<T> not(Verdict verdict, String detail) {
      return new Outcome<>(verdict, null, detail);
    }

    public boolean isDone() {
      return verdict == Verdict.DONE;
    }
  }

  /** Hints; they may be late, repeated or lost, so that a node also looks by itself. Any thread. */
  interface Listener {
    /** The leader key or the membership record changed. */
    void changed();

    /** Renewals fail or go through again. */
    void connection(boolean healthy);
  }
}
