package io.tidemark.server.config;

import io.tidemark.core.MasterConfig;

/** Everything that the process is told, validated. */
public record ServerConfig(
    RpcConfig rpc,
    AdminConfig admin,
    StorageConfig storage,
    MetadataServerConfig metadata,
    MasterConfig master,
    SnapshotConfig snapshots) {}
