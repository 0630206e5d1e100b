package io.tidemark.testkit.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Coordinator} promises, also that of a single node. A subclass says how to open
 * one and how its calls come to an end; {@link SharedCoordinatorContract} has what takes several
 * nodes.
 */
public abstract class CoordinatorContract {
  /** The cluster of the test. */
  protected final UUID cluster = new UUID(0xC, 1);

  /** Its first member. */
  protected final Member a = member(1);

  private final List<Coordinator> opened = new ArrayList<>();

  /** The coordinator of the first member. */
  protected Coordinator first;

  /** Opens a coordinator on this test's store, as another process would. */
  protected abstract Coordinator openCoordinator();

  /** Lets a call come to its end. */
  protected abstract <T> T await(CompletableFuture<T> call);

  /** The clock of which the fence speaks. */
  protected abstract long nanos();

  @BeforeEach
  void openFirst() {
    first = open();
  }

  @AfterEach
  void closeAll() {
    opened.forEach(Coordinator::close);
  }

  /** Opens a coordinator that is closed with the test. */
  protected final Coordinator open() {
    Coordinator coordinator = openCoordinator();
    opened.add(coordinator);
    return coordinator;
  }

  @Test
  void aStoreThatKnowsNoClusterShowsNothing() {
    ClusterView seen = view(first);
    assertThat(seen.membership()).isEmpty();
    assertThat(seen.leader()).isEmpty();
  }

  @Test
  void cor17AClusterIsCreatedOnceAndNeverAsAnother() {
    MembershipRecord created = done(first.createCluster(cluster, a));
    assertThat(created.cluster()).isEqualTo(cluster);
    assertThat(created.inSync()).containsExactly(a);
    assertThat(created.leader()).isEqualTo(a);
    assertThat(view(first).membership()).contains(created);

    assertThat(await(first.createCluster(cluster, a)).verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(await(first.createCluster(new UUID(0xC, 2), a)).verdict())
        .isEqualTo(Verdict.OTHER_CLUSTER);
    assertThat(view(first).membership()).contains(created);
  }

  @Test
  void haReq020TheEpochIsAboveTheCandidatesAndTheRecords() {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 41)));
    assertThat(won.epoch()).isEqualTo(42);
    assertThat(won.self()).isEqualTo(a);
    ClusterView seen = view(first);
    assertThat(seen.membership()).contains(won.membership());
    assertThat(seen.membership().orElseThrow().epoch()).isEqualTo(42);
    assertThat(seen.membership().orElseThrow().inSync()).containsExactly(a);
    assertThat(seen.leader().orElseThrow().member()).isEqualTo(a);
    assertThat(seen.leader().orElseThrow().epoch()).isEqualTo(42);
    assertThat(seen.leader().orElseThrow().replicationAddress()).isEqualTo(address(a));
    assertThat(seen.leader().orElseThrow().createRevision()).isEqualTo(won.leaderCreateRevision());

    done(first.resign(won));
    Leadership again = done(first.campaign(candidate(a, 3)));
    assertThat(again.epoch()).isEqualTo(43);
    assertThat(again.leaderCreateRevision()).isGreaterThan(won.leaderCreateRevision());
  }

  @Test
  void whileSomebodyLeadsNobodyElseWins() {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 0)));
    assertThat(await(first.campaign(candidate(a, 9))).verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(view(first).membership()).contains(won.membership());
  }

  @Test
  void cor17ACandidateOfAnotherClusterIsTurnedAway() {
    done(first.createCluster(cluster, a));
    Candidate stranger = new Candidate(a, new UUID(0xC, 2), 0, address(a));
    Outcome<Leadership> outcome = await(first.campaign(stranger));
    assertThat(outcome.verdict()).isEqualTo(Verdict.OTHER_CLUSTER);
    assertThat(outcome.detail()).contains(cluster.toString());
  }

  @Test
  void cor18ALeadershipHoldsForAWhileAndNotAfterItWasResigned() {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 0)));
    assertThat(first.fencedAtNanos(won)).isGreaterThan(nanos());
    done(first.resign(won));
    assertThat(first.fencedAtNanos(won)).isEqualTo(Long.MIN_VALUE);
    assertThat(view(first).leader()).isEmpty();
    done(first.resign(won));
  }

  @Test
  void aLeadershipNeverWonHereIsFenced() {
    MembershipRecord record = new MembershipRecord(cluster, 5, a, List.of(a), 3);
    assertThat(first.fencedAtNanos(new Leadership(5, a, 987_654_321, record)))
        .isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void cor14AChangeComparesTheRecordsRevision() {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 0)));
    MembershipRecord changed = done(first.changeInSync(won, won.membership(), List.of(a)));
    assertThat(changed.modRevision()).isGreaterThan(won.membership().modRevision());
    assertThat(changed.epoch()).isEqualTo(won.epoch());
    assertThat(view(first).membership()).contains(changed);

    assertThat(await(first.changeInSync(won, won.membership(), List.of(a))).verdict())
        .isEqualTo(Verdict.REFUSED);
    assertThat(view(first).membership()).contains(changed);
    done(first.changeInSync(won, changed, List.of(a)));
  }

  @Test
  void aResignedLeadershipChangesNothing() {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 0)));
    done(first.resign(won));
    assertThat(await(first.changeInSync(won, won.membership(), List.of(a))).verdict())
        .isEqualTo(Verdict.REFUSED);
    assertThat(await(first.publishView(won, "10.0.0.1:50051", 0)).verdict())
        .isEqualTo(Verdict.REFUSED);
    assertThat(view(first).membership()).contains(won.membership());
  }

  @Test
  void viewVersionsRise() {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 0)));
    long one = done(first.publishView(won, "10.0.0.1:50051", 0));
    long two = done(first.publishView(won, "10.0.0.1:50051", 0));
    done(first.resign(won));
    Leadership again = done(first.campaign(candidate(a, 0)));
    long three = done(first.publishView(again, "10.0.0.1:50051", 0));
    assertThat(one).isGreaterThan(won.leaderCreateRevision());
    assertThat(two).isGreaterThan(one);
    assertThat(three).isGreaterThan(two);
  }

  /** HA-REQ-014: as for a store that began anew below what clients hold. */
  @Test
  void haReq014AViewIsAboveWhatClientsMayHold() {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 0)));
    long held = won.leaderCreateRevision() + 40;
    long one = done(first.publishView(won, "10.0.0.1:50051", held));
    assertThat(one).isGreaterThan(held);
    assertThat(done(first.publishView(won, "10.0.0.1:50051", held))).isGreaterThan(one);
  }

  /** A member by number. */
  protected static Member member(int number) {
    return new Member(new UUID(0xA, number), new UUID(0x1, number));
  }

  /** A candidate of this cluster. */
  protected final Candidate candidate(Member self, long highestEpoch) {
    return new Candidate(self, cluster, highestEpoch, address(self));
  }

  /** Where a member would be replicated from. */
  protected static String address(Member self) {
    return "10.0.0." + self.node().getLeastSignificantBits() + ":50052";
  }

  /** The value of a call that has to succeed. */
  protected final <T> T done(CompletableFuture<Outcome<T>> call) {
    Outcome<T> outcome = await(call);
    assertThat(outcome.verdict()).as(outcome.detail()).isEqualTo(Verdict.DONE);
    assertThat(outcome.detail()).isEmpty();
    return outcome.value();
  }

  /** What a coordinator sees. */
  protected final ClusterView view(Coordinator by) {
    return done(by.read());
  }
}
