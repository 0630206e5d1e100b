package io.tidemark.server.node;

import io.tidemark.core.MasterConfig;
import io.tidemark.oplog.replication.ReplicationConfig;

/**
 * Settings of a node.
 *
 * @param replicationAddress {@code HOST:PORT} at which standbys reach it while it leads
 * @param clientAddress {@code HOST:PORT} that unmodified clients are told
 * @param mayCreateCluster an operator says that the cluster is new (COR-17)
 * @param pollMs how often a node looks at the coordination store without being told to
 * @param campaignDelayMs a campaign begins after a random delay below this
 * @param retryMs wait before anything that failed is tried again
 * @param silenceMs a stream on which the leader was not heard for longer is given up
 * @param digestMs how often a leader logs the digest of its state, 0 for never (COR-28)
 */
public record NodeConfig(
    String replicationAddress,
    String clientAddress,
    boolean mayCreateCluster,
    long pollMs,
    int campaignDelayMs,
    long retryMs,
    long silenceMs,
    long digestMs,
    ReplicationConfig replication,
    MasterConfig master) {

  /** The defaults for a node at these addresses. */
  public static NodeConfig defaults(
      String replicationAddress, String clientAddress, MasterConfig master) {
    return new NodeConfig(
        replicationAddress,
        clientAddress,
        false,
        500,
        150,
        100,
        10_000,
        0,
        ReplicationConfig.defaults(),
        master);
  }
}
