package io.tidemark.testkit.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a {@link Coordinator} promises that several nodes share. */
public abstract class SharedCoordinatorContract extends CoordinatorContract {
  /** Further members. */
  protected final Member b = member(2);

  /** Another one. */
  protected final Member c = member(3);

  /** The coordinator of the second member. */
  protected Coordinator second;

  /**
   * A key as it lies in the store.
   *
   * @param value its bytes, if it is a view; those of other keys are the store's business
   */
  public record RawKey(byte[] value, long createRevision, boolean leased) {}

  /** The name of this test's view key. */
  protected abstract String viewKey();

  /** Every key in the store that has to do with this test. */
  protected abstract Map<String, RawKey> keys();

  /** Writes the view as a program that is not Tidemark would. */
  protected abstract void putForeignView(String address);

  /** The holder's renewals stop, as if its process hung; it may go on calling. */
  protected abstract void stopRenewals(Coordinator of);

  /** The next transaction that writes is carried out, but its client doesn't learn it. */
  protected abstract void loseAnswerOfNextWrite(Coordinator of);

  /** The store forgets everything, as if it was set up anew. */
  protected abstract void wipe();

  /** Lets time pass until a condition holds; fails if that takes too long. */
  protected abstract void waitUntil(String what, BooleanSupplier condition);

  /** Lets time pass until then. */
  protected abstract void passUntil(long nanos);

  @BeforeEach
  void openSecond() {
    second = open();
  }

  @Test
  void cor16OnlyAnInSyncMemberInItsIncarnationWins() {
    done(first.createCluster(cluster, a));
    Outcome<Leadership> stranger = await(second.campaign(candidate(b, 99)));
    assertThat(stranger.verdict()).isEqualTo(Verdict.NOT_IN_SYNC);
    Member reborn = new Member(a.node(), new UUID(0x2, 1));
    Outcome<Leadership> forgetful = await(second.campaign(candidate(reborn, 99)));
    assertThat(forgetful.verdict()).isEqualTo(Verdict.NOT_IN_SYNC);
    assertThat(forgetful.detail()).contains(reborn.incarnation().toString());
    assertThat(view(first).leader()).isEmpty();
    done(second.campaign(candidate(a, 0)));
  }

  @Test
  void cor15TheLeaderBeforeIsTakenOutOfTheSet() {
    Leadership won = leaderWith(List.of(a, b, c));
    done(first.resign(won));
    Leadership next = done(second.campaign(candidate(b, 0)));
    assertThat(next.membership().inSync()).containsExactly(b, c);
    assertThat(next.membership().leader()).isEqualTo(b);
    assertThat(view(first).membership()).contains(next.membership());
    assertThat(await(first.campaign(candidate(a, 0))).verdict()).isEqualTo(Verdict.REFUSED);
    done(second.resign(next));
    assertThat(await(first.campaign(candidate(a, 0))).verdict()).isEqualTo(Verdict.NOT_IN_SYNC);
  }

  @Test
  void haReq029OfTwoCandidatesAtOnceExactlyOneWins() {
    done(first.resign(leaderWith(List.of(a, b))));
    CompletableFuture<Outcome<Leadership>> one = first.campaign(candidate(a, 0));
    CompletableFuture<Outcome<Leadership>> two = second.campaign(candidate(b, 0));
    List<Verdict> verdicts = List.of(await(one).verdict(), await(two).verdict());
    assertThat(verdicts).contains(Verdict.DONE);
    assertThat(verdicts.stream().filter(v -> v == Verdict.DONE)).hasSize(1);
    assertThat(verdicts.stream().filter(v -> v != Verdict.DONE))
        .containsAnyOf(Verdict.REFUSED, Verdict.NOT_IN_SYNC);
  }

  @Test
  void whoLosesTheLeaseIsFollowedByAnotherAndCanWriteNothing() {
    Leadership old = leaderWith(List.of(a, b));
    MembershipRecord record = view(first).membership().orElseThrow();
    done(first.publishView(old, "10.0.0.1:50051", 0));
    stopRenewals(first);
    assertThat(await(second.campaign(candidate(b, 0))).verdict()).isEqualTo(Verdict.REFUSED);
    waitUntil("the lease has ended", () -> view(second).leader().isEmpty());
    assertThat(keys()).doesNotContainKey(viewKey());

    Leadership next = done(second.campaign(candidate(b, 0)));
    assertThat(next.epoch()).isGreaterThan(old.epoch());
    assertThat(first.fencedAtNanos(old)).isLessThan(nanos());
    assertThat(await(first.changeInSync(old, record, List.of(a))).verdict())
        .isEqualTo(Verdict.REFUSED);
    assertThat(await(first.changeInSync(old, next.membership(), List.of(a))).verdict())
        .isEqualTo(Verdict.REFUSED);
    assertThat(await(first.publishView(old, "10.0.0.1:50051", 0)).verdict())
        .isEqualTo(Verdict.REFUSED);
    assertThat(view(second).membership()).contains(next.membership());
    assertThat(keys()).doesNotContainKey(viewKey());
  }

  @Test
  void cor18TheFenceIsNotLaterThanTheLeasesEnd() {
    Leadership won = leaderWith(List.of(a));
    stopRenewals(first);
    long fence = first.fencedAtNanos(won);
    passUntil(fence);
    // This look begins behind the fence, and the key is still there.
    assertThat(view(second).leader()).isPresent();
    assertThat(first.fencedAtNanos(won)).isEqualTo(fence);
    waitUntil("the lease has ended", () -> view(second).leader().isEmpty());
    assertThat(fence).isLessThan(nanos());
  }

  @Test
  void aLeadershipIsHeldAcrossManyLeaseTimes() {
    Leadership won = leaderWith(List.of(a));
    long begin = first.fencedAtNanos(won);
    waitUntil("the fence moved", () -> first.fencedAtNanos(won) > begin);
    passUntil(begin + 1);
    assertThat(view(second).leader().orElseThrow().createRevision())
        .isEqualTo(won.leaderCreateRevision());
  }

  /** COR-15: an heir campaigns by what it saw last, which counts only as long as it holds. */
  @Test
  void cor15ACampaignByAnOlderViewWinsOnlyIfNothingChangedSince() {
    Leadership won = leaderWith(List.of(a, b));
    ClusterView led = view(second);
    ClusterView hoped = new ClusterView(led.membership(), Optional.empty(), led.revision());
    assertThat(await(second.campaign(candidate(b, 0), hoped)).verdict())
        .as("the leader is still there")
        .isEqualTo(Verdict.REFUSED);
    done(first.changeInSync(won, led.membership().orElseThrow(), List.of(a, b, c)));
    done(first.resign(won));
    assertThat(await(second.campaign(candidate(b, 0), hoped)).verdict())
        .as("the set is another one")
        .isEqualTo(Verdict.REFUSED);
    Leadership next = done(second.campaign(candidate(b, 0), view(second)));
    assertThat(next.membership().inSync()).containsExactly(b, c);
  }

  @Test
  void cor14AnUnclearCampaignLeavesNoLease() {
    done(first.createCluster(cluster, a));
    loseAnswerOfNextWrite(first);
    Outcome<Leadership> unclear = await(first.campaign(candidate(a, 6)));
    assertThat(unclear.verdict()).isEqualTo(Verdict.UNCLEAR);
    assertThat(view(second).leader()).isEmpty();
    assertThat(keys().values().stream().filter(RawKey::leased)).isEmpty();

    Leadership won = done(second.campaign(candidate(a, 0)));
    assertThat(won.epoch()).as("above the epoch of the campaign that was given up").isEqualTo(8);
  }

  @Test
  void cor14AnUnclearChangeIsSettledByAFurtherWrite() {
    Leadership won = leaderWith(List.of(a));
    MembershipRecord before = view(first).membership().orElseThrow();
    loseAnswerOfNextWrite(first);
    assertThat(await(first.changeInSync(won, before, List.of(a, b))).verdict())
        .isEqualTo(Verdict.UNCLEAR);
    assertThat(await(first.changeInSync(won, before, List.of(a))).verdict())
        .isEqualTo(Verdict.REFUSED);
    MembershipRecord seen = view(first).membership().orElseThrow();
    assertThat(seen.inSync()).containsExactly(a, b);
    assertThat(done(first.changeInSync(won, seen, List.of(a, b))).inSync()).containsExactly(a, b);
  }

  @Test
  void aChangeKeepsTheLeaderAndNamesNobodyTwice() {
    Leadership won = leaderWith(List.of(a));
    MembershipRecord record = view(first).membership().orElseThrow();
    assertThatThrownBy(() -> first.changeInSync(won, record, List.of(b)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> first.changeInSync(won, record, List.of(a, b, b)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void cor17AnEmptiedStoreElectsNobody() {
    done(first.resign(leaderWith(List.of(a, b))));
    wipe();
    waitUntil("the store answers", () -> await(first.read()).isDone());
    waitUntil("for the other, too", () -> await(second.read()).isDone());
    Outcome<Leadership> outcome = await(first.campaign(candidate(a, 7)));
    assertThat(outcome.verdict()).isEqualTo(Verdict.NOT_IN_SYNC);
    assertThat(outcome.detail()).contains("no membership record");
    assertThat(await(second.campaign(candidate(b, 7))).verdict()).isEqualTo(Verdict.NOT_IN_SYNC);
  }

  /** COR-16, 17: an operator's word makes one node the only member, also where nothing is left. */
  @Test
  void cor16AnOperatorsWordMakesAMemberTheOnlyOne() {
    Leadership won = leaderWith(List.of(a));
    Optional<MembershipRecord> seen = view(second).membership();
    MembershipRecord forced = new MembershipRecord(cluster, 9, b, List.of(b), 0, 9);
    assertThat(await(second.forceMembership(seen, forced)).verdict()).isEqualTo(Verdict.REFUSED);
    done(first.resign(won));

    MembershipRecord written = done(second.forceMembership(seen, forced));
    assertThat(view(first).membership()).contains(written);
    assertThat(written.forcedEpoch()).isEqualTo(9);
    assertThat(await(second.forceMembership(seen, forced)).verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(await(first.campaign(candidate(a, 7))).verdict()).isEqualTo(Verdict.NOT_IN_SYNC);
    Leadership taken = done(second.campaign(candidate(b, 0)));
    assertThat(taken.epoch()).isEqualTo(10);
    assertThat(taken.membership().forcedEpoch()).as("is kept").isEqualTo(9);
    MembershipRecord grown = done(second.changeInSync(taken, taken.membership(), List.of(b, a)));
    assertThat(grown.forcedEpoch()).as("is kept").isEqualTo(9);
  }

  @Test
  void cor17AnEmptiedStoreTakesAnOperatorsWordOnce() {
    done(first.resign(leaderWith(List.of(a, b))));
    wipe();
    waitUntil("the store answers", () -> await(second.read()).isDone());
    MembershipRecord forced = new MembershipRecord(cluster, 9, b, List.of(b), 0, 9);
    MembershipRecord written = done(second.forceMembership(Optional.empty(), forced));
    assertThat(view(second).membership()).contains(written);
    assertThat(await(second.forceMembership(Optional.empty(), forced)).verdict())
        .isEqualTo(Verdict.REFUSED);
  }

  /** HA-REQ-014: nothing is published that clients would ignore. */
  @Test
  void haReq014AStoreThatIsTooFarBehindPublishesNothing() {
    Leadership won = leaderWith(List.of(a));
    Outcome<Long> outcome = await(first.publishView(won, "10.0.0.1:50051", 1L << 50));
    assertThat(outcome.verdict()).isEqualTo(Verdict.UNAVAILABLE);
    assertThat(outcome.detail()).contains(Long.toString(1L << 50));
    assertThat(keys()).doesNotContainKey(viewKey());
  }

  @Test
  void haReq001TheViewIsTheAddressAndNothingElseOnTheLease() {
    Leadership won = leaderWith(List.of(a));
    long version = done(first.publishView(won, "master-1.example:50051", 0));
    RawKey view = keys().get(viewKey());
    assertThat(view.value()).asString().isEqualTo("master-1.example:50051");
    assertThat(view.createRevision()).isEqualTo(version);
    assertThat(view.leased()).isTrue();

    long moved = done(first.publishView(won, "master-2.example:50051", 0));
    assertThat(moved).isGreaterThan(version);
    assertThat(keys().get(viewKey()).value()).asString().isEqualTo("master-2.example:50051");
    assertThat(keys().get(viewKey()).createRevision()).isEqualTo(moved);
    done(first.resign(won));
    assertThat(keys()).doesNotContainKey(viewKey());
  }

  @Test
  void aViewOfAnotherProgramIsLeftAlone() {
    Leadership won = leaderWith(List.of(a));
    putForeignView("10.9.9.9:50051");
    Outcome<Long> outcome = await(first.publishView(won, "10.0.0.1:50051", 0));
    assertThat(outcome.verdict()).isEqualTo(Verdict.REFUSED);
    assertThat(keys().get(viewKey()).value()).asString().isEqualTo("10.9.9.9:50051");
  }

  @Test
  void haReq006NoOtherKeyBeginsWithTheViews() {
    Leadership won = leaderWith(List.of(a, b));
    done(first.publishView(won, "10.0.0.1:50051", 0));
    assertThat(keys()).hasSize(3);
    assertThat(keys().keySet().stream().filter(key -> key.startsWith(viewKey())))
        .containsExactly(viewKey());
  }

  @Test
  void aChangeIsTold() {
    AtomicInteger told = new AtomicInteger();
    Coordinator third = open();
    third.listen(
        new Coordinator.Listener() {
          @Override
          public void changed() {
            told.incrementAndGet();
          }

          @Override
          public void connection(boolean healthy) {}
        });
    Leadership won = leaderWith(List.of(a));
    Stream.of("the win", "the resignation")
        .forEach(
            what -> {
              waitUntil(what + " is told", () -> told.get() > 0);
              told.set(0);
              await(first.resign(won));
            });
  }

  /** The first member leads, with these in sync. */
  protected final Leadership leaderWith(List<Member> inSync) {
    done(first.createCluster(cluster, a));
    Leadership won = done(first.campaign(candidate(a, 0)));
    if (inSync.size() > 1) {
      done(first.changeInSync(won, won.membership(), inSync));
    }
    return won;
  }
}
