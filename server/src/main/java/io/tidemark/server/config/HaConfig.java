package io.tidemark.server.config;

import io.tidemark.election.EtcdSettings;

/**
 * This master as a member of a cluster.
 *
 * @param etcd what elects
 * @param host address at which clients and other masters reach this one
 * @param clientPort port that unmodified clients are told
 * @param replicationPort port for standbys, on the same address
 * @param minInSync members, the leader among them, without which mutations are refused
 * @param digestMs how often the leader logs the digest of its state, 0 for never (COR-28)
 * @param newCluster an operator's word that this cluster never existed before (COR-17)
 */
public record HaConfig(
    EtcdSettings etcd,
    String host,
    int clientPort,
    int replicationPort,
    int minInSync,
    long digestMs,
    boolean newCluster) {

  /** {@code HOST:PORT} for clients. */
  public String clientAddress() {
    return address(clientPort);
  }

  /** {@code HOST:PORT} for standbys. */
  public String replicationAddress() {
    return address(replicationPort);
  }

  private String address(int port) {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
