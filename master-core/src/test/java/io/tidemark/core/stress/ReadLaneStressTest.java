package io.tidemark.core.stress;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.LogEntry;
import io.tidemark.core.MasterConfig;
import io.tidemark.core.Replayer;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.testkit.log.SimulatedLog;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * COR-06, COR-07, COR-08 and COR-02 under threads: a lease granted against eviction, removal,
 * replacement and reuse of the same range; reads and misses against uncommitted changes; misses
 * while the index moves and grows.
 */
class ReadLaneStressTest {
  private static final long RUN_MS = Long.getLong("tidemark.stress.ms", 4000);
  private static final long SEED = Long.getLong("tidemark.stress.seed", 20261130);

  @ParameterizedTest
  @EnumSource(SimulatedLog.Mode.class)
  @DisplayName("COR-06, 07, 08: no wrong address, no false miss, no uncommitted read")
  void readsHoldAgainstTheLog(SimulatedLog.Mode mode) throws InterruptedException {
    StressRun run = new StressRun(config(), mode, SEED);
    run.run(RUN_MS, 3, 3);
    assertThat(run.violations).as("violations with seed %d, mode %s", SEED, mode).isEmpty();

    KeyHistory history = new KeyHistory();
    Replayer replayer = new Replayer(AllocatorKind.OFFSET);
    for (LogEntry entry : run.entries()) {
      history.entry(entry);
      replayer.entry(entry);
    }
    for (StressRun.Observation seen : run.observations) {
      assertThat(
              history.hadState(
                  seen.key(), seen.state(), seen.committedBefore(), seen.committedAfter()))
          .as("%s was never committed while it was read (seed %d, mode %s)", seen, SEED, mode)
          .isTrue();
    }
    assertThat(replayer.digest())
        .as("digest of a replay")
        .isEqualTo(run.master().view().stateDigest());
    assertThat(run.observations).as("reads made").hasSizeGreaterThan(1000);
    assertThat(run.writes()).as("writes made").isGreaterThan(100);
    assertThat(run.master().view().metrics().get(CoreMetric.EVICTED_KEYS))
        .as("evictions")
        .isPositive();
  }

  /** Short leases, memory for two thirds of the keys, everything else as in production. */
  private static MasterConfig config() {
    MasterConfig d = MasterConfig.defaults();
    return new MasterConfig(
        20,
        d.softPinTtlMs(),
        d.maxSoftPinTtlMs(),
        d.allowEvictSoftPinned(),
        d.evictionRatio(),
        d.highWatermarkRatio(),
        1_000,
        2_000,
        2_000,
        60_000,
        d.clientSuspicionTtlMs(),
        d.reclaimTimeoutMs(),
        d.allocationStrategy(),
        d.allocatorKind(),
        d.multiTenants(),
        d.rootFsDir(),
        d.clusterId(),
        d.enableDiskEviction(),
        d.quotaBytes(),
        d.serviceVersion(),
        d.inboxCapacity(),
        d.parkedReadCapacity(),
        20_000);
  }
}
