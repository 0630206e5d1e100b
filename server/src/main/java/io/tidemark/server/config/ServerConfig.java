package io.tidemark.server.config;

import io.tidemark.core.MasterConfig;
import java.util.Optional;

/**
 * Everything that the process is told, validated.
 *
 * @param ha empty for a single master
 */
public record ServerConfig(
    RpcConfig rpc,
    AdminConfig admin,
    StorageConfig storage,
    MetadataServerConfig metadata,
    MasterConfig master,
    SnapshotConfig snapshots,
    Optional<HaConfig> ha) {

  /** A single master. */
  public ServerConfig(
      RpcConfig rpc,
      AdminConfig admin,
      StorageConfig storage,
      MetadataServerConfig metadata,
      MasterConfig master,
      SnapshotConfig snapshots) {
    this(rpc, admin, storage, metadata, master, snapshots, Optional.empty());
  }
}
