package io.tidemark.server;

import io.tidemark.core.MasterConfig;
import io.tidemark.server.config.AdminConfig;
import io.tidemark.server.config.MetadataServerConfig;
import io.tidemark.server.config.RpcConfig;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.config.StorageConfig;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/** Settings with ports that the system chooses. */
public final class TestSettings {

  public static final String LOOPBACK = "127.0.0.1";

  private TestSettings() {}

  public static RpcConfig rpc() {
    return rpc(1024, 64 << 20);
  }

  public static RpcConfig rpc(int maxOutstanding, int maxFrameBytes) {
    return new RpcConfig(
        LOOPBACK, 0, 2, true, 0, "v0.3.13.post1", maxFrameBytes, maxOutstanding, 64 << 20, 4 << 20);
  }

  public static AdminConfig admin(Optional<String> token) {
    return new AdminConfig(LOOPBACK, 0, token, true, 0);
  }

  /** All ports, none of them fixed. */
  public static ServerConfig server() {
    return new ServerConfig(
        rpc(),
        admin(Optional.empty()),
        new StorageConfig(Path.of("unused"), false, OptionalLong.empty(), false),
        new MetadataServerConfig(true, LOOPBACK, 0),
        MasterConfig.defaults(),
        new SnapshotConfig(true, 1 << 28, 0, 2, 0, false));
  }
}
