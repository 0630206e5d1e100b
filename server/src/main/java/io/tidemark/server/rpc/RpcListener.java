package io.tidemark.server.rpc;

import io.tidemark.api.port.MonotonicClock;
import io.tidemark.core.MasterService;
import io.tidemark.core.MasterView;
import io.tidemark.server.config.RpcConfig;
import io.tidemark.server.metrics.RequestMetrics;
import io.tidemark.server.metrics.ServerMetrics;
import io.tidemark.wire.ProfileRegistry;
import io.tidemark.wire.schema.WireProfile;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The client port as a whole: its event loops share one port. {@link #start} and the stop methods
 * on one thread.
 */
public final class RpcListener {

  private static final int REMEMBERED_PEERS = ProfileRegistry.DEFAULT_CAPACITY;

  /**
   * Vert.x: servers that listen on the same negative port share one port that the system chooses.
   */
  private static final int SHARED_PORT_OF_THE_SYSTEM = -1;

  private final RpcConfig config;
  private final RpcServices services;
  private final Vertx vertx;
  private final List<RpcLoop> loops = new ArrayList<>();

  /** Counters that the listener feeds. */
  public record Counters(RequestMetrics requests, ServerMetrics server) {}

  public RpcListener(
      RpcConfig config, MasterService master, Counters counters, MonotonicClock clock) {
    this.config = config;
    WireProfile assumed = WireProfile.ofLabel(config.defaultRelease()).orElseThrow();
    this.services =
        new RpcServices(
            config,
            master,
            new ProfileRegistry(assumed, REMEMBERED_PEERS),
            counters.requests(),
            counters.server(),
            new RefusalLog(counters.server(), clock),
            new AtomicLong());
    rememberReleases(master.view());
    this.vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(config.threads())
                .setWorkerPoolSize(1)
                .setInternalBlockingPoolSize(1)
                .setPreferNativeTransport(true)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
  }

  /** What the log knows of clients that somebody served before. Any thread. */
  public void rememberReleases(MasterView state) {
    state
        .clientReleases()
        .forEach(
            (client, label) ->
                WireProfile.ofLabel(label)
                    .ifPresent(release -> services.profiles().remember(client, release)));
  }

  /**
   * Opens the port.
   *
   * @return fails with the reason of the system, for example a {@link java.net.BindException}
   */
  public Future<Void> start() {
    List<Future<?>> starts = new ArrayList<>();
    int port = config.port() == 0 ? SHARED_PORT_OF_THE_SYSTEM : config.port();
    for (int i = 0; i < config.threads(); i++) {
      RpcLoop loop = new RpcLoop(services, port);
      loops.add(loop);
      starts.add(vertx.deployVerticle(loop));
    }
    return Future.all(starts).mapEmpty();
  }

  /** The port that clients connect to. */
  public int port() {
    return loops.get(0).actualPort();
  }

  /** Whether the system's own socket library (epoll) is in use rather than Java's. */
  public boolean usesNativeTransport() {
    return vertx.isNativeTransportEnabled();
  }

  /** What is known of the clients' releases. */
  public ProfileRegistry.Stats releaseStats() {
    return services.profiles().stats();
  }

  /** The event loops, for whoever watches them. */
  public List<Context> eventLoops() {
    return loops.stream().map(RpcLoop::loop).toList();
  }

  /**
   * Accepts and reads nothing more, answers what was read, closes the connections; waits for that
   * up to a timeout.
   */
  public Future<Void> drain(long timeoutMs) {
    List<Future<Void>> drains = loops.stream().map(loop -> loop.drain(timeoutMs)).toList();
    return Future.join(drains).mapEmpty();
  }

  /** Ends the event loops. */
  public Future<Void> close() {
    return vertx.close().timeout(5, TimeUnit.SECONDS);
  }
}
