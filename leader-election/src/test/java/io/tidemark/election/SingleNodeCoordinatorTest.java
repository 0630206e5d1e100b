package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.testkit.ha.CoordinatorContract;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A process alone keeps the contract as far as it concerns one node. */
class SingleNodeCoordinatorTest extends CoordinatorContract {

  @Override
  protected Coordinator openCoordinator() {
    return new SingleNodeCoordinator();
  }

  @Override
  protected <T> T await(CompletableFuture<T> call) {
    assertThat(call).as("nobody to wait for").isDone();
    return call.join();
  }

  @Override
  protected long nanos() {
    return System.nanoTime();
  }

  @Test
  void itWinsWithoutAClusterBeingCreatedAndIsNeverFenced() {
    Leadership won = done(first.campaign(candidate(a, 12)));
    assertThat(won.epoch()).isEqualTo(13);
    assertThat(won.membership().inSync()).containsExactly(a);
    assertThat(first.fencedAtNanos(won)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void thereAreNoOtherMembers() {
    Leadership won = done(first.campaign(candidate(a, 0)));
    assertThat(await(first.changeInSync(won, won.membership(), List.of(a, member(2)))).verdict())
        .isEqualTo(Verdict.REFUSED);
  }
}
