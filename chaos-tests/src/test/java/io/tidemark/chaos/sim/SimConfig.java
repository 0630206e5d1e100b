package io.tidemark.chaos.sim;

import io.tidemark.core.MasterConfig;
import io.tidemark.oplog.replication.ReplicationConfig;
import io.tidemark.server.node.NodeConfig;
import io.tidemark.server.node.SabotagedAssembly.Sabotage;
import io.tidemark.testkit.ha.SimulatedCoordinator;
import io.tidemark.testkit.log.SimulatedLog;

/**
 * What a run is made of. Times are shorter than production's, in the same order to each other.
 *
 * @param nodes size of the cluster
 * @param mode what the local logs promise
 * @param minInSync as in {@link ReplicationConfig}
 * @param snapshots whether they are taken, and logs shortened behind them
 */
record SimConfig(
    int nodes, SimulatedLog.Mode mode, int minInSync, Sabotage sabotage, boolean snapshots) {
  static final long MILLI = 1_000_000L;
  static final String CLUSTER = "sim";
  static final long READ_LEASE_MS = 5_000;

  static final SimulatedCoordinator.Times STORE_TIMES =
      new SimulatedCoordinator.Times(500 * MILLI, 2_000 * MILLI, 400 * MILLI, MILLI);

  static SimConfig standard(SimulatedLog.Mode mode) {
    return new SimConfig(3, mode, 1, Sabotage.NOTHING, true);
  }

  SimConfig with(Sabotage broken) {
    return new SimConfig(nodes, mode, minInSync, broken, snapshots);
  }

  SimConfig withMinInSync(int members) {
    return new SimConfig(nodes, mode, members, sabotage, snapshots);
  }

  /** Logs stay whole. */
  SimConfig withoutSnapshots() {
    return new SimConfig(nodes, mode, minInSync, sabotage, false);
  }

  /** Clients never fall silent, nothing is evicted: what goes was removed. */
  MasterConfig master() {
    MasterConfig d = MasterConfig.defaults();
    return new MasterConfig(
        READ_LEASE_MS,
        d.softPinTtlMs(),
        d.maxSoftPinTtlMs(),
        d.allowEvictSoftPinned(),
        d.evictionRatio(),
        d.highWatermarkRatio(),
        d.discardTimeoutMs(),
        d.releaseTimeoutMs(),
        20_000,
        1_000_000_000,
        d.clientSuspicionTtlMs(),
        d.reclaimTimeoutMs(),
        d.allocationStrategy(),
        d.allocatorKind(),
        false,
        "",
        CLUSTER,
        true,
        0,
        MasterConfig.SERVICE_VERSION,
        1024,
        1024,
        1_000);
  }

  NodeConfig node(String name, boolean mayCreate) {
    ReplicationConfig replication =
        new ReplicationConfig(minInSync, 1_000, 100, 3_000, 8, 4_096, 1_024, 200, 200, 64);
    return new NodeConfig(
        name, name + ":50051", mayCreate, 200, 100, 200, 3_000, 700, replication, master());
  }
}
