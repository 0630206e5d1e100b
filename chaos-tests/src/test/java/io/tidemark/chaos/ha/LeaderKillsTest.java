package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The leader is killed with -9 again and again under sixteen writers; a checker that knows only
 * what clients were told looks for anything lost, given out twice, or seen that was not there
 * (HA-REQ-010, HA-REQ-012, HA-REQ-013, HA-REQ-082).
 *
 * <p>{@code -Dtidemark.ha.kills=500} for more, {@code -Dtidemark.seed=…} for another run.
 */
@RealProcesses
@Timeout(value = 4, unit = TimeUnit.HOURS)
class LeaderKillsTest {
  private static final int KILLS = Integer.getInteger("tidemark.ha.kills", 20);
  private static final int TTL_SEC = 2;
  private static final int CHANGES_BETWEEN_KILLS = 100;
  private static final int MORE_MICROS = 200_000;
  private static final int LONGEST_SHOWN = 3;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /**
   * Time without a change.
   *
   * @param inSync members of the set when the leader was killed, itself among them
   * @param atOnce whether it was started again at once
   */
  private record Gap(int kill, long ms, int inSync, boolean atOnce) {}

  @Test
  void nothingThatAnybodyWasToldIsLostWithTheLeader(Evidence evidence) throws Exception {
    long seed = Long.getLong("tidemark.seed", 20_261_130L);
    System.out.println("leader kills: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    HaCluster cluster = HaCluster.start(evidence, ClusterLoad.plan(TTL_SEC));
    ClusterLoad load = ClusterLoad.begin(cluster, seed);
    List<Gap> gaps = new ArrayList<>();
    for (int kill = 1; kill <= KILLS; kill++) {
      load.awaitMore(CHANGES_BETWEEN_KILLS);
      // At any instant: nothing is waited for here.
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(MORE_MICROS)));
      gaps.add(killTheLeader(kill, cluster, load, random));
    }
    load.awaitMore(CHANGES_BETWEEN_KILLS);
    load.check(evidence, KILLS + " leaders killed");
    gaps.sort(Comparator.comparingLong(Gap::ms).reversed());
    System.out.printf(
        "leader kills: from the kill to the next change acknowledged %d to %d ms, median %d ms;"
            + " longest: %s%n",
        gaps.get(gaps.size() - 1).ms(),
        gaps.get(0).ms(),
        gaps.get(gaps.size() / 2).ms(),
        gaps.subList(0, Math.min(LONGEST_SHOWN, gaps.size())));
    assertThat(load.acknowledged()).isGreaterThan((long) KILLS * CHANGES_BETWEEN_KILLS);
  }

  /** Gives the time to the next acknowledged change. */
  private static Gap killTheLeader(
      int kill, HaCluster cluster, ClusterLoad load, SplittableRandom random) {
    int leader = cluster.awaitLeader(LIMIT);
    MasterProcess killed = cluster.member(leader);
    int inSync = cluster.inSync(leader);
    killed.kill();
    long begun = System.nanoTime();
    // Either it is back before its lease ends, or somebody else leads first.
    boolean atOnce = random.nextBoolean();
    if (atOnce) {
      killed.launch();
    }
    load.awaitMore(1);
    long gap = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    if (!atOnce) {
      killed.launch();
    }
    // Otherwise the next leader has one standby less: it is killed with the set at its minimum.
    if (random.nextInt(4) > 0) {
      cluster.awaitInSync(cluster.size(), LIMIT);
    }
    return new Gap(kill, gap, inSync, atOnce);
  }
}
