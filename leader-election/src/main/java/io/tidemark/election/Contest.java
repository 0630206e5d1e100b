package io.tidemark.election;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.List;
import java.util.Optional;

/** Who may campaign, and what winning changes; no I/O. */
final class Contest {
  private Contest() {}

  /** Why a candidate need not try; empty if it may. */
  static <T> Optional<Outcome<T>> refusal(Candidate candidate, ClusterView seen, String place) {
    if (seen.membership().isEmpty()) {
      return refused(
          Verdict.NOT_IN_SYNC,
          "there is no membership record at "
              + place
              + ": the cluster was never created there, or etcd was emptied (COR-17)");
    }
    MembershipRecord record = seen.membership().get();
    if (!record.cluster().equals(candidate.cluster())) {
      return refused(
          Verdict.OTHER_CLUSTER,
          "the membership record at "
              + place
              + " is of cluster "
              + record.cluster()
              + ", this node's log is of "
              + candidate.cluster());
    }
    if (seen.leader().isPresent()) {
      return refused(Verdict.REFUSED, "leading is " + seen.leader().get());
    }
    if (!record.inSync().contains(candidate.self())) {
      return refused(
          Verdict.NOT_IN_SYNC,
          candidate.self() + " is not among the in-sync members " + record.inSync());
    }
    return Optional.empty();
  }

  /**
   * COR-15, HA-REQ-020: above every epoch seen; without the leader before, unless it is this one.
   */
  static MembershipRecord won(Candidate candidate, MembershipRecord seen) {
    long epoch = Math.addExact(Math.max(seen.epoch(), candidate.highestEpoch()), 1);
    List<Member> inSync =
        seen.inSync().stream()
            .filter(member -> member.equals(candidate.self()) || !member.equals(seen.leader()))
            .toList();
    return new MembershipRecord(
        seen.cluster(), epoch, candidate.self(), inSync, 0, seen.forcedEpoch());
  }

  /** What a leader wants to write, for comparing and putting. */
  static MembershipRecord changed(
      Leadership leadership, MembershipRecord expected, List<Member> inSync) {
    if (!inSync.contains(leadership.self())) {
      throw new IllegalArgumentException("the leader is not in its in-sync set " + inSync);
    }
    if (inSync.stream().distinct().count() != inSync.size()) {
      throw new IllegalArgumentException("a member twice in the in-sync set " + inSync);
    }
    return new MembershipRecord(
        expected.cluster(),
        leadership.epoch(),
        leadership.self(),
        inSync,
        0,
        expected.forcedEpoch());
  }

  private static <T> Optional<Outcome<T>> refused(Verdict verdict, String detail) {
    return Optional.of(Outcome.not(verdict, detail));
  }
}
