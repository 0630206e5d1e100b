package io.tidemark.wire;

import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.WireProfile;
import java.util.Arrays;
import java.util.List;

/**
 * Which optional parts the requests of a release have (coro-rpc wire, sections 6.3, 6.5 and 7).
 *
 * @param tenants a tenant id with most calls, a host id and group ids
 * @param nof members about NVMe-oF replicas, the data type, a replica type with batch ends
 * @param main checksums with ends, members about DFS replicas, the soft-pin action and TTL
 * @param clearTenant a tenant id with BatchReplicaClear
 */
record RequestLayout(boolean tenants, boolean nof, boolean main, boolean clearTenant) {

  private static final List<RequestLayout> BY_PROFILE =
      Arrays.stream(WireProfile.values()).map(RequestLayout::compute).toList();

  private static RequestLayout compute(WireProfile profile) {
    return new RequestLayout(
        profile.compareTo(WireProfile.V0_3_12_POST1) >= 0,
        profile.compareTo(WireProfile.V0_3_11_POST1) >= 0,
        profile.compareTo(WireProfile.MAIN) >= 0,
        profile.compareTo(WireProfile.V0_3_14) >= 0);
  }

  static RequestLayout of(WireProfile profile) {
    return BY_PROFILE.get(profile.ordinal());
  }

  /** Whether a batch end or revoke names a replica type; the upsert calls never do. */
  boolean namesReplicaType(Rpc rpc) {
    return nof && rpc != Rpc.BATCH_UPSERT_END && rpc != Rpc.BATCH_UPSERT_REVOKE;
  }
}
