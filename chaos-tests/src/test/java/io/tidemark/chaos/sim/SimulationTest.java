package io.tidemark.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Seeds of whole clusters. */
class SimulationTest {
  private static final int SEEDS = Integer.getInteger("tidemark.sim.seeds", 200);
  private static final int LONG_SEEDS = Integer.getInteger("tidemark.sim.seeds", 20_000);

  /** The seed that the command line names, or the first {@code count}. */
  private static LongStream seeds(int count) {
    Long one = Long.getLong("tidemark.sim.seed");
    return one == null ? LongStream.range(0, count) : LongStream.of(one);
  }

  private static void run(int count) {
    long answers = 0;
    long epochs = 0;
    long installed = 0;
    long tailsLost = 0;
    long[] all = seeds(count).toArray();
    for (long seed : all) {
      SimRun.Summary summary = SimRun.ofSeed(seed).run();
      answers += summary.answers();
      epochs += summary.epochs();
      installed += summary.installed();
      tailsLost += summary.tailsLost();
    }
    System.out.printf(
        "%d seeds: %d answers, %d epochs, %d snapshots installed, %d tails lost below a snapshot%n",
        all.length, answers, epochs, installed, tailsLost);
    assertThat(answers).as("the clusters served").isGreaterThan(100L * all.length);
    assertThat(epochs).as("leaders changed").isGreaterThan(2L * all.length);
    if (all.length > 100) {
      assertThat(installed).as("snapshots were shipped").isPositive();
      assertThat(tailsLost).as("logs ended below a snapshot").isPositive();
    }
  }

  @Test
  void promisesHoldUnderFaults() {
    run(SEEDS);
  }

  @Test
  @Tag("long")
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void promisesHoldUnderFaultsForLong() {
    run(LONG_SEEDS);
  }
}
