package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * All masters are restarted in turn by SIGTERM, standbys first and the leader last, round after
 * round under writers and readers (HA-REQ-048, HA-REQ-079). {@code -Dtidemark.ha.rounds=20} for
 * more.
 */
@RealProcesses
@Timeout(value = 2, unit = TimeUnit.HOURS)
class RollingRestartTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.ha.rounds", 5);
  private static final int TTL_SEC = 3;
  private static final int CHANGES = 50;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void nothingIsLostWhenAllMastersAreRestartedInTurn(Evidence evidence) throws Exception {
    restartAll(evidence, ClusterLoad.plan(TTL_SEC), ROUNDS);
  }

  /** With one standby, whose leader is alone while it is away. */
  @Test
  void nothingIsLostWhenTwoMastersAreRestartedInTurn(Evidence evidence) throws Exception {
    restartAll(evidence, ClusterLoad.planOfTwo(TTL_SEC), Math.max(2, ROUNDS / 2));
  }

  private static void restartAll(Evidence evidence, HaCluster.Plan plan, int rounds)
      throws Exception {
    long seed = Long.getLong("tidemark.seed", 20_261_130L);
    System.out.println("rolling restart: seed " + seed);
    HaCluster cluster = HaCluster.start(evidence, plan);
    // Readers that stay with a master would have it wait for them before it ends.
    ClusterLoad load = ClusterLoad.begin(cluster, seed, ClusterLoad.Readers.FOLLOWING);
    load.awaitMore(CHANGES);
    List<Long> handOvers = new ArrayList<>();
    for (int round = 0; round < rounds; round++) {
      int leader = cluster.awaitLeader(LIMIT);
      for (int i = 1; i < cluster.size(); i++) {
        restart(cluster, (leader + i) % cluster.size());
        load.awaitMore(CHANGES);
      }
      // Usually still the same one.
      handOvers.add(restart(cluster, cluster.awaitLeader(LIMIT)));
      load.awaitMore(CHANGES);
    }
    load.check(evidence, rounds + " rounds of restarts");
    ElectionRecord.check(cluster);
    System.out.println("rolling restart: ms until another leader was named: " + handOvers);
  }

  /** Gives the time until a leader is named that is another one, in ms. */
  private static long restart(HaCluster cluster, int number) {
    MasterProcess member = cluster.member(number);
    long begun = System.nanoTime();
    member.process().process().destroy();
    Await.until(
        "another one is published",
        LIMIT,
        () -> cluster.published().filter(next -> next != number).isPresent());
    long named = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    assertThat(member.process().awaitExit(LIMIT)).as("exit code of master-%s", number).isZero();
    member.start();
    cluster.awaitBack(number, LIMIT);
    return named;
  }
}
