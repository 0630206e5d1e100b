package io.tidemark.election;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * A cluster of this process alone: nobody to agree with, so it always wins and is never fenced. The
 * log directory's lock keeps a second process away. Nothing outlives the process; the epoch comes
 * from the log. Thread-safe.
 */
public final class SingleNodeCoordinator implements Coordinator {
  private MembershipRecord record;
  private LeaderInfo leader;
  private long revision = 1;

  @Override
  public synchronized CompletableFuture<Outcome<ClusterView>> read() {
    return done(
        new ClusterView(Optional.ofNullable(record), Optional.ofNullable(leader), revision));
  }

  @Override
  public synchronized CompletableFuture<Outcome<MembershipRecord>> createCluster(
      UUID cluster, Member first) {
    if (record != null) {
      return not(
          record.cluster().equals(cluster) ? Verdict.REFUSED : Verdict.OTHER_CLUSTER,
          "the cluster was created before: " + record);
    }
    record = new MembershipRecord(cluster, 0, first, List.of(first), ++revision);
    return done(record);
  }

  /** There is nobody else whose word could be missing. */
  @Override
  public CompletableFuture<Outcome<MembershipRecord>> forceMembership(
      Optional<MembershipRecord> seen, MembershipRecord next) {
    return not(Verdict.REFUSED, "a single node has no membership to force");
  }

  /** Wins, unless it leads already; a cluster that was not created is created by that. */
  /** Nobody else can have changed anything since. */
  @Override
  public CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate, ClusterView seen) {
    return campaign(candidate);
  }

  @Override
  public synchronized CompletableFuture<Outcome<Leadership>> campaign(Candidate candidate) {
    if (leader != null) {
      return not(Verdict.REFUSED, "leading is " + leader);
    }
    if (record != null && !record.cluster().equals(candidate.cluster())) {
      return not(Verdict.OTHER_CLUSTER, "this process has cluster " + record.cluster());
    }
    long before = record == null ? 0 : record.epoch();
    long epoch = Math.addExact(Math.max(before, candidate.highestEpoch()), 1);
    revision++;
    record =
        new MembershipRecord(
            candidate.cluster(), epoch, candidate.self(), List.of(candidate.self()), revision);
    leader = new LeaderInfo(candidate.self(), epoch, candidate.replicationAddress(), revision);
    return done(new Leadership(epoch, candidate.self(), revision, record));
  }

  /** There are no other members; the set of this one may be written again. */
  @Override
  public synchronized CompletableFuture<Outcome<MembershipRecord>> changeInSync(
      Leadership leadership, MembershipRecord expected, List<Member> inSync) {
    if (!holds(leadership)) {
      return not(Verdict.REFUSED, "the leadership is over");
    }
    if (expected.modRevision() != record.modRevision()) {
      return not(Verdict.REFUSED, "the record changed; now: " + record);
    }
    if (!inSync.equals(List.of(leadership.self()))) {
      return not(Verdict.REFUSED, "a single node has no other members");
    }
    record =
        new MembershipRecord(
            record.cluster(), leadership.epoch(), leadership.self(), inSync, ++revision);
    return done(record);
  }

  /** Nobody looks for it: clients of a single node know its address. */
  @Override
  public synchronized CompletableFuture<Outcome<Long>> publishView(
      Leadership leadership, String address, long above) {
    if (holds(leadership)) {
      revision = Math.max(revision, above) + 1;
      return done(revision);
    }
    return not(Verdict.REFUSED, "the leadership is over; no view was published");
  }

  @Override
  public synchronized CompletableFuture<Outcome<Void>> resign(Leadership leadership) {
    if (holds(leadership)) {
      leader = null;
      revision++;
    }
    return done(null);
  }

  @Override
  public synchronized long fencedAtNanos(Leadership leadership) {
    return holds(leadership) ? Long.MAX_VALUE : Long.MIN_VALUE;
  }

  /** Nothing ever changes but by this process. */
  @Override
  public void listen(Listener listener) {}

  @Override
  public void close() {}

  private boolean holds(Leadership leadership) {
    return leader != null && leader.createRevision() == leadership.leaderCreateRevision();
  }

  private static <T> CompletableFuture<Outcome<T>> done(T value) {
    return CompletableFuture.completedFuture(Outcome.done(value));
  }

  private static <T> CompletableFuture<Outcome<T>> not(Verdict verdict, String detail) {
    return CompletableFuture.completedFuture(Outcome.not(verdict, detail));
  }
}
