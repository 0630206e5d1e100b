package io.tidemark.api.rpc;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What a writer asks for; Mooncake's {@code ReplicateConfig} (objects specification, section 2.1).
 *
 * @param replicaNum memory replicas wanted, u64
 * @param softPinAction raw byte of {@link SoftPinAction}; unknown values are refused by the
 *     decider, not the codec
 * @param softPinTtlMs only legal with ENABLE
 * @param preferredSegment deprecated single preference; if not empty it replaces the list
 * @param dataType raw byte, stored as received
 * @param groupIds one entry a key when present
 */
public record ReplicateConfig(
    long replicaNum,
    long nofReplicaNum,
    long dfsReplicaNum,
    int softPinAction,
    OptionalLong softPinTtlMs,
    boolean hardPin,
    List<String> preferredSegments,
    String preferredSegment,
    List<String> preferredNofSegments,
    boolean preferAllocInSameNode,
    int dataType,
    String hostId,
    Optional<List<String>> groupIds) {

  /** One memory replica, nothing else asked for. */
  public static final ReplicateConfig DEFAULT =
      new ReplicateConfig(
          1,
          0,
          0,
          0,
          OptionalLong.empty(),
          false,
          List.of(),
          "",
          List.of(),
          false,
          0,
          "",
          Optional.empty());
}
