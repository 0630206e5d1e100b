package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.KeyWatch;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The leader's process is stopped for longer than its lease, another one leads, and then it goes on
 * as if no time had passed, with calls that it took before in its hands: it answers none of them
 * with anything that the new leader does not have, and changes nothing in etcd (HA-REQ-022,
 * HA-REQ-023, HA-REQ-030, COR-18).
 */
@RealProcesses
@Timeout(600)
class StoppedLeaderTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.ha.stops", 3);
  private static final int TTL_SEC = 2;
  private static final int CHANGES = 200;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void aLeaderThatWasStoppedForLongerThanItsLeaseAnswersNothingMore(Evidence evidence)
      throws Exception {
    long seed = Long.getLong("tidemark.seed", 20_261_130L);
    System.out.println("stopped leader: seed " + seed);
    HaCluster cluster = HaCluster.start(evidence, ClusterLoad.plan(TTL_SEC));
    ClusterLoad load = ClusterLoad.begin(cluster, seed);
    for (int i = 0; i < ROUNDS; i++) {
      load.awaitMore(CHANGES);
      stopTheLeader(cluster, load);
    }
    load.check(evidence, ROUNDS + " leaders stopped");
    assertThat(ElectionRecord.check(cluster)).isGreaterThan(ROUNDS);
  }

  private static void stopTheLeader(HaCluster cluster, ClusterLoad load) {
    int stopped = cluster.awaitLeader(LIMIT);
    MasterProcess leader = cluster.member(stopped);
    leader.suspend(true);
    Await.until(
        "another one is published",
        LIMIT,
        () -> cluster.published().filter(next -> next != stopped).isPresent());
    // The new leader has to have something that the old one lacks.
    load.awaitMore(CHANGES);
    long resumed = System.nanoTime();
    leader.suspend(false);
    cluster.awaitInSync(cluster.size(), LIMIT);
    long until = ledAgain(cluster, leader.address(), resumed).orElseGet(System::nanoTime);
    // It follows. Whatever it was asked since it went on, it did not decide.
    assertThat(load.readsSentBetween(resumed, until))
        .as("answers of master-%s after it was stopped", stopped)
        .noneMatch(read -> read.from().equals(leader.address()));
  }

  /** When it was published in a leadership of its own after that moment, if at all. */
  private static Optional<Long> ledAgain(HaCluster cluster, String address, long nanos) {
    return cluster.watch().all().stream()
        .filter(sight -> sight.nanos() > nanos && sight.value().equals(Optional.of(address)))
        .map(KeyWatch.Sight::nanos)
        .findFirst();
  }
}
