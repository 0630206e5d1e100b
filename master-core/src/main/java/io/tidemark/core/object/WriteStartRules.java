package io.tidemark.core.object;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.core.MasterConfig;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.core.segment.Placement;
import java.util.Optional;

/**
 * Checks of a Start that look at the request alone, in Mooncake's order (objects specification,
 * sections 6.2 and 10.2, with what v0.3.14 answers).
 */
public final class WriteStartRules {
  /** Longest key that is accepted for a write, so that an event always fits an entry. */
  public static final int MAX_KEY_BYTES = 512 * 1024;

  /** Longest group id that is accepted. */
  public static final int MAX_GROUP_ID_BYTES = 64 * 1024;

  private WriteStartRules() {}

  /** The error of a request that can't be served, whatever the state. */
  public static Optional<ErrorCode> check(
      MasterConfig settings, ObjectKey object, long lengthBytes, ReplicateConfig config) {
    String key = object.key();
    boolean nothingAsked =
        config.replicaNum() == 0 && config.nofReplicaNum() == 0 && config.dfsReplicaNum() == 0;
    if (nothingAsked || key.isEmpty() || key.length() > MAX_KEY_BYTES || lengthBytes == 0) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    if (Long.compareUnsigned(config.dfsReplicaNum(), 1) > 0) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    boolean defaultTenant = object.tenant().equals(ObjectKey.DEFAULT_TENANT);
    if (config.dfsReplicaNum() == 1 && !defaultTenant) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    if (config.dfsReplicaNum() == 1) {
      return Optional.of(ErrorCode.DFS_SERVICE_UNAVAILABLE);
    }
    if (config.nofReplicaNum() != 0) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    if (softPinTtlMs(settings, config).isEmpty()) {
      return Optional.of(ErrorCode.INVALID_PARAMS);
    }
    boolean tooLongForSlab =
        settings.allocatorKind() == AllocatorKind.CACHELIB
            && Long.compareUnsigned(lengthBytes, Placement.CACHELIB_MAX_BYTES) > 0;
    return tooLongForSlab ? Optional.of(ErrorCode.INVALID_PARAMS) : Optional.empty();
  }

  /** TTL of the requested soft pin, 0 for none; empty if the request is illegal. */
  static Optional<Long> softPinTtlMs(MasterConfig settings, ReplicateConfig config) {
    Optional<SoftPinAction> action = SoftPinAction.of(config.softPinAction());
    if (action.isEmpty()) {
      return Optional.empty();
    }
    if (action.get() != SoftPinAction.ENABLE) {
      return config.softPinTtlMs().isPresent() ? Optional.empty() : Optional.of(0L);
    }
    long ttl = config.softPinTtlMs().orElse(settings.softPinTtlMs());
    return Long.compareUnsigned(ttl, settings.maxSoftPinTtlMs()) > 0
        ? Optional.empty()
        : Optional.of(ttl);
  }
}
