package io.tidemark.server.ha;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.server.ExitCode;
import io.tidemark.server.StartException;
import io.tidemark.server.config.HaConfig;
import io.tidemark.server.replication.GrpcLinks;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** Opens the port for the other members. */
final class ReplicationPort {
  private static final long OPEN_TIMEOUT_SEC = 30;

  private ReplicationPort() {}

  /** An event loop for streams alone. */
  static Vertx vertx() {
    return Vertx.vertx(
        new VertxOptions()
            .setEventLoopPoolSize(1)
            .setWorkerPoolSize(1)
            .setInternalBlockingPoolSize(1)
            .setPreferNativeTransport(true));
  }

  /**
   * Opens it; on failure both are closed.
   *
   * @throws StartException with the reason for the operator
   */
  static void open(GrpcLinks links, Coordinator coordinator, HaConfig ha) {
    try {
      links
          .listen(ha.host(), ha.replicationPort())
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(OPEN_TIMEOUT_SEC, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException failure) {
      links.close();
      coordinator.close();
      throw new StartException(
          ExitCode.PORT_UNAVAILABLE,
          "the replication port can't be opened on "
              + ha.replicationAddress()
              + ": "
              + failure.getCause().getMessage()
              + "; stop what uses it ('ss -ltnp' shows that) or choose another with"
              + " --replication_port",
          failure.getCause());
    }
  }
}
