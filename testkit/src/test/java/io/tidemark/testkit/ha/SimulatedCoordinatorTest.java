package io.tidemark.testkit.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The faults of the simulated store and of the way to it happen as they are asked for. */
class SimulatedCoordinatorTest {
  private static final long SECOND = 1_000_000_000L;
  private static final UUID CLUSTER = new UUID(0xC, 1);
  private static final Member A = CoordinatorContract.member(1);
  private static final Member B = CoordinatorContract.member(2);

  private final SimulatedStore store = new SimulatedStore();
  private final SimulatedCoordinator a = new SimulatedCoordinator(store, "c1");
  private final SimulatedCoordinator b = new SimulatedCoordinator(store, "c1");

  @Test
  void nothingHappensInsideACall() {
    CompletableFuture<?> call = a.read();
    assertThat(call).isNotDone();
    store.advance(0);
    assertThat(call).isDone();
  }

  @Test
  void aLostRequestIsUnclearAndNotDone() {
    MembershipRecord record = done(a.createCluster(CLUSTER, A));
    Leadership won = done(a.campaign(candidate(A)));
    a.link().next(Fate.Step.WRITE, Fate.REQUEST_LOST);
    CompletableFuture<Outcome<MembershipRecord>> change =
        a.changeInSync(won, won.membership(), List.of(A, B));
    store.advance(SimulatedCoordinator.Times.DEFAULT.callTimeout() - 1);
    assertThat(change).isNotDone();
    store.advance(1);
    assertThat(change.join().verdict()).isEqualTo(Verdict.UNCLEAR);
    assertThat(record.inSync()).isEqualTo(done(a.read()).membership().orElseThrow().inSync());
  }

  /** The accident of COR-14: read as not done, and carried out afterwards. */
  @Test
  void aTransactionMayBeCarriedOutAfterItsClientGaveUp() {
    done(a.createCluster(CLUSTER, A));
    Leadership won = done(a.campaign(candidate(A)));
    a.link().next(Fate.Step.WRITE, Fate.delayed(3 * SECOND));
    assertThat(end(a.changeInSync(won, won.membership(), List.of(A, B))).verdict())
        .isEqualTo(Verdict.UNCLEAR);
    assertThat(done(a.read()).membership().orElseThrow().inSync()).containsExactly(A);
    store.advance(3 * SECOND);
    assertThat(done(a.read()).membership().orElseThrow().inSync()).containsExactly(A, B);
  }

  @Test
  void aFurtherWriteStopsADelayedTransaction() {
    done(a.createCluster(CLUSTER, A));
    Leadership won = done(a.campaign(candidate(A)));
    a.link().next(Fate.Step.WRITE, Fate.delayed(3 * SECOND));
    assertThat(end(a.changeInSync(won, won.membership(), List.of(A, B))).isDone()).isFalse();
    MembershipRecord settled = done(a.changeInSync(won, won.membership(), List.of(A)));
    store.advance(5 * SECOND);
    assertThat(done(a.read()).membership()).contains(settled);
  }

  @Test
  void aDelayedCampaignWinsNothingOnARevokedLease() {
    done(a.createCluster(CLUSTER, A));
    a.link().next(Fate.Step.WRITE, Fate.delayed(3 * SECOND));
    assertThat(end(a.campaign(candidate(A))).verdict()).isEqualTo(Verdict.UNCLEAR);
    assertThat(store.leases()).isZero();
    store.advance(5 * SECOND);
    assertThat(done(a.read()).leader()).isEmpty();
  }

  @Test
  void aCutLinkFencesTheLeaderBeforeAnotherWins() {
    Leadership won = leaderOfTwo();
    a.link().cut(true);
    assertThat(end(a.changeInSync(won, won.membership(), List.of(A))).verdict())
        .isEqualTo(Verdict.UNAVAILABLE);
    while (!end(b.campaign(candidate(B))).isDone()) {
      store.advance(SECOND / 100);
    }
    assertThat(a.fencedAtNanos(won))
        .isLessThanOrEqualTo(store.nowNanos() - SimulatedCoordinator.Times.DEFAULT.fenceMargin());
    a.link().cut(false);
    store.advance(2 * SECOND);
    assertThat(a.fencedAtNanos(won)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void theConnectionsHealthIsToldWhenItChanges() {
    List<Boolean> told = new ArrayList<>();
    a.listen(
        new Coordinator.Listener() {
          @Override
          public void changed() {}

          @Override
          public void connection(boolean healthy) {
            told.add(healthy);
          }
        });
    leaderOfTwo();
    a.link().cut(true);
    store.advance(4 * SECOND);
    a.link().cut(false);
    store.advance(2 * SECOND);
    assertThat(told).containsExactly(false, true);
  }

  @Test
  void anOlderCopyBringsBackTheOldMembershipAndLowerRevisions() {
    done(a.createCluster(CLUSTER, A));
    SimulatedStore.Copy copy = store.copy();
    Leadership won = done(a.campaign(candidate(A)));
    done(a.changeInSync(won, won.membership(), List.of(A, B)));
    long revision = store.revision();
    store.restore(copy);
    assertThat(store.revision()).isLessThan(revision);
    assertThat(done(b.read()).membership().orElseThrow().inSync()).containsExactly(A);
    assertThat(done(b.read()).leader()).isEmpty();
    assertThat(end(a.changeInSync(won, won.membership(), List.of(A))).verdict())
        .isEqualTo(Verdict.REFUSED);
  }

  /** HA-REQ-029 under lost, late and cut messages. */
  @Test
  void leadershipsNeverOverlapWhateverGetsLost() {
    int won = 0;
    for (long seed = 1; seed <= 60; seed++) {
      won += new Election(seed).run();
    }
    assertThat(won).as("leaderships in all runs").isGreaterThan(120);
  }

  private Leadership leaderOfTwo() {
    done(a.createCluster(CLUSTER, A));
    Leadership won = done(a.campaign(candidate(A)));
    done(a.changeInSync(won, won.membership(), List.of(A, B)));
    return won;
  }

  private <T> T done(CompletableFuture<Outcome<T>> call) {
    Outcome<T> outcome = end(call);
    assertThat(outcome.verdict()).as(outcome.detail()).isEqualTo(Verdict.DONE);
    return outcome.value();
  }

  private <T> Outcome<T> end(CompletableFuture<Outcome<T>> call) {
    while (!call.isDone()) {
      store.advanceTo(store.nextEventNanos().orElseThrow());
    }
    return call.join();
  }

  private static Candidate candidate(Member self) {
    return new Candidate(self, CLUSTER, 0, "10.0.0.1:50052");
  }

  /** Two nodes campaign again and again while everything goes wrong. */
  private static final class Election {
    private final SimulatedStore store = new SimulatedStore();
    private final Random dice;
    private final String name;
    private final List<SimulatedCoordinator> nodes = new ArrayList<>();
    private final List<Leadership> leaderships = new ArrayList<>();
    private long highestEpoch;
    private int won;

    Election(long seed) {
      dice = new Random(seed);
      name = "seed " + seed;
      for (int i = 0; i < 2; i++) {
        SimulatedCoordinator node = new SimulatedCoordinator(store, "c1");
        nodes.add(node);
        leaderships.add(null);
      }
    }

    /** Gives the number of leaderships. */
    int run() {
      store.follow(nodes.get(0).createCluster(CLUSTER, A));
      store.advance(SECOND);
      nodes.forEach(node -> node.link().always(step -> fate()));
      for (int step = 0; step < 400; step++) {
        act(dice.nextInt(2));
        store.advance(dice.nextInt(300) * 1_000_000L);
        atMostOneUnfenced();
      }
      return won;
    }

    private Fate fate() {
      return switch (dice.nextInt(12)) {
        case 0 -> Fate.REQUEST_LOST;
        case 1 -> Fate.ANSWER_LOST;
        case 2 -> Fate.delayed(dice.nextInt(6000) * 1_000_000L);
        default -> Fate.delayed(dice.nextInt(20) * 1_000_000L);
      };
    }

    private void act(int node) {
      SimulatedCoordinator by = nodes.get(node);
      Leadership mine = leaderships.get(node);
      switch (dice.nextInt(6)) {
        case 0 -> by.link().cut(dice.nextInt(4) == 0);
        case 1 -> {
          if (mine != null) {
            store.follow(by.changeInSync(mine, mine.membership(), List.of(A, B)));
          }
        }
        case 2 -> {
          if (mine != null && dice.nextInt(5) == 0) {
            store.follow(by.resign(mine));
          }
        }
        default ->
            store.follow(
                by.campaign(candidate(node == 0 ? A : B)).thenAccept(won -> wonBy(node, won)));
      }
    }

    private void wonBy(int node, Outcome<Leadership> outcome) {
      if (outcome.isDone()) {
        assertThat(outcome.value().epoch()).as(name).isGreaterThan(highestEpoch);
        highestEpoch = outcome.value().epoch();
        leaderships.set(node, outcome.value());
        won++;
      }
    }

    private void atMostOneUnfenced() {
      int unfenced = 0;
      for (int node = 0; node < 2; node++) {
        Leadership mine = leaderships.get(node);
        if (mine != null && store.nowNanos() < nodes.get(node).fencedAtNanos(mine)) {
          unfenced++;
        }
      }
      assertThat(unfenced).as(name).isLessThanOrEqualTo(1);
    }
  }
}
