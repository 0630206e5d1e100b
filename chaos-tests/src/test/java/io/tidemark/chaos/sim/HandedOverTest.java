package io.tidemark.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.log.SimulatedLog;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A leadership that is given to a standby (HA-REQ-048): it has it, and others only if it fails. */
class HandedOverTest {
  private static final int CLIENTS = 2;
  private static final int SEEDS = 20;
  private static final long ABSTAIN_NANOS = 10_000_000_000L;

  private static SimCluster running(long seed) {
    SimConfig config = SimConfig.standard(SimulatedLog.Mode.PAGE);
    SimCluster cluster = SimCluster.started(config, seed, CLIENTS);
    cluster.awaitAllInSync();
    return cluster;
  }

  private static void give(SimCluster cluster, SimNode from, SimNode to) {
    long until = cluster.time().nanos() + ABSTAIN_NANOS;
    from.node().stepDown("handed over", Optional.of(to.disk().self()), until);
  }

  @Test
  void whoIsNamedLeadsNextWhateverTheDiceSay() {
    for (long seed = 0; seed < SEEDS; seed++) {
      SimCluster cluster = running(seed);
      SimNode leader = cluster.awaitLeader();
      SimNode heir = cluster.standbys().get((int) (seed % cluster.standbys().size()));
      give(cluster, leader, heir);
      assertThat(cluster.awaitLeader()).as("seed %d", seed).isSameAs(heir);
      cluster.awaitAllInSync();
      cluster.checkNothingLost();
    }
  }

  @Test
  void anHeirThatDiesIsNotWaitedForLong() {
    SimCluster cluster = running(1);
    SimNode leader = cluster.awaitLeader();
    SimNode heir = cluster.standbys().get(0);
    give(cluster, leader, heir);
    heir.kill();
    SimNode next = cluster.awaitLeader();
    assertThat(next).isNotSameAs(heir).isNotSameAs(leader);
    cluster.checkNothingLost();
  }
}
