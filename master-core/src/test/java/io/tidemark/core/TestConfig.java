package io.tidemark.core;

import io.tidemark.core.segment.AllocationStrategy;
import io.tidemark.core.segment.AllocatorKind;

/** Settings for tests: Mooncake's defaults, with what a scenario changes. */
final class TestConfig {
  long leaseTtlMs = 10_000;
  long softPinTtlMs = 1_800_000;
  long maxSoftPinTtlMs = 604_800_000;
  boolean allowEvictSoftPinned = true;
  double evictionRatio = 0.05;
  double highWatermarkRatio = 0.90;
  long discardTimeoutMs = 30_000;
  long releaseTimeoutMs = 600_000;
  long writerQuarantineMs = 120_000;
  long clientActiveTtlMs = 1_000_000_000;
  long clientSuspicionTtlMs = 20_000;
  long reclaimTimeoutMs = 180_000;
  AllocationStrategy allocationStrategy = AllocationStrategy.RANDOM;
  AllocatorKind allocatorKind = AllocatorKind.OFFSET;
  boolean multiTenants;
  String rootFsDir = "";

  /** Mooncake's defaults; clients never fall silent unless a scenario says so. */
  static MasterConfig defaults() {
    return new TestConfig().build();
  }

  MasterConfig build() {
    return new MasterConfig(
        leaseTtlMs,
        softPinTtlMs,
        maxSoftPinTtlMs,
        allowEvictSoftPinned,
        evictionRatio,
        highWatermarkRatio,
        discardTimeoutMs,
        releaseTimeoutMs,
        writerQuarantineMs,
        clientActiveTtlMs,
        clientSuspicionTtlMs,
        reclaimTimeoutMs,
        allocationStrategy,
        allocatorKind,
        multiTenants,
        rootFsDir,
        "mooncake_cluster",
        true,
        0,
        MasterConfig.SERVICE_VERSION,
        1024,
        1024,
        5_000);
  }
}
