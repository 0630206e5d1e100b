package io.tidemark.core;

import io.tidemark.core.segment.AllocationStrategy;
import io.tidemark.core.segment.AllocatorKind;

/**
 * Settings of the state machine. Names follow Mooncake's flags where one of the same meaning
 * exists.
 *
 * @param leaseTtlMs read lease granted by every read ({@code default_kv_lease_ttl})
 * @param softPinTtlMs TTL of an ENABLE without one
 * @param maxSoftPinTtlMs largest TTL of an ENABLE
 * @param evictionRatio share of objects that one eviction aims at, [0,1]
 * @param highWatermarkRatio used/capacity above which eviction starts, [0,1]
 * @param discardTimeoutMs age after which another PutStart may replace an unfinished write
 * @param releaseTimeoutMs age after which an unfinished write is expired
 * @param writerQuarantineMs how long a range with an unfinished writer stays unallocatable (COR-09)
 * @param clientActiveTtlMs silence after which a client is SUSPECTED
 * @param clientSuspicionTtlMs further silence after which it is OFFLINE
 * @param reclaimTimeoutMs after a term began, how long owners that were not heard yet are kept
 *     (COR-23)
 * @param multiTenants whether the tenant argument of calls means anything
 * @param rootFsDir root of DISK replicas, empty for none
 * @param clusterId part of the DISK path
 * @param enableDiskEviction handed to clients
 * @param quotaBytes handed to clients
 * @param serviceVersion answer of ServiceReady
 * @param inboxCapacity mutations that may wait for the core role; above it they are refused
 * @param parkedReadCapacity reads that may wait for a commit; above it they are refused
 * @param parkTimeoutMs how long a read may wait for a commit (COR-04)
 */
public record MasterConfig(
    long leaseTtlMs,
    long softPinTtlMs,
    long maxSoftPinTtlMs,
    boolean allowEvictSoftPinned,
    double evictionRatio,
    double highWatermarkRatio,
    long discardTimeoutMs,
    long releaseTimeoutMs,
    long writerQuarantineMs,
    long clientActiveTtlMs,
    long clientSuspicionTtlMs,
    long reclaimTimeoutMs,
    AllocationStrategy allocationStrategy,
    AllocatorKind allocatorKind,
    boolean multiTenants,
    String rootFsDir,
    String clusterId,
    boolean enableDiskEviction,
    long quotaBytes,
    String serviceVersion,
    int inboxCapacity,
    int parkedReadCapacity,
    long parkTimeoutMs) {

  /**
   * Version text that every release from v0.3.8 on compares with its own (coro-rpc wire, section
   * 11).
   */
  public static final String SERVICE_VERSION = "2.0.0";

  /** Mooncake's defaults (v0.3.14 where releases differ). */
  public static MasterConfig defaults() {
    return new MasterConfig(
        10_000,
        1_800_000,
        604_800_000,
        true,
        0.05,
        0.90,
        30_000,
        600_000,
        120_000,
        10_000,
        20_000,
        180_000,
        AllocationStrategy.RANDOM,
        AllocatorKind.OFFSET,
        false,
        "",
        "mooncake_cluster",
        true,
        0,
        SERVICE_VERSION,
        65_536,
        65_536,
        5_000);
  }

  /**
   * Checks settings against each other.
   *
   * @throws IllegalArgumentException naming the flag, its value and what is legal
   */
  public MasterConfig validated() {
    requireRatio("eviction_ratio", evictionRatio);
    requireRatio("eviction_high_watermark_ratio", highWatermarkRatio);
    require(
        softPinTtlMs <= maxSoftPinTtlMs,
        "default_kv_soft_pin_ttl ("
            + softPinTtlMs
            + " ms) is above max_kv_soft_pin_ttl ("
            + maxSoftPinTtlMs
            + " ms); lower the first or raise the second");
    require(
        releaseTimeoutMs > discardTimeoutMs,
        "put_start_release_timeout_sec must be greater than put_start_discard_timeout_sec, got "
            + releaseTimeoutMs / 1000
            + " and "
            + discardTimeoutMs / 1000);
    require(leaseTtlMs >= 0, "default_kv_lease_ttl must not be negative, got " + leaseTtlMs);
    require(clientActiveTtlMs > 0, "client_active_ttl_sec must be above 0");
    require(clientSuspicionTtlMs >= 0, "client_suspicion_ttl_sec must not be negative");
    return this;
  }

  private static void requireRatio(String flag, double value) {
    require(value >= 0 && value <= 1, flag + " must be between 0 and 1, got " + value);
  }

  private static void require(boolean condition, String message) {
    if (!condition) {
      throw new IllegalArgumentException(message);
    }
  }
}
