package io.tidemark.server;

import io.tidemark.api.port.MonotonicClock;
import io.tidemark.server.admin.AdminContext;
import io.tidemark.server.admin.AdminServer;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.server.metrics.MetricSources;
import io.tidemark.server.metrics.MetricsPage;
import io.tidemark.server.metrics.RequestMetrics;
import io.tidemark.server.metrics.ServerMetrics;
import io.tidemark.server.metrics.SummaryText;
import io.tidemark.server.rpc.RpcListener;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything of the process that faces the outside, around one state machine: client port, admin
 * port, metadata server, timer, watchdog, report line. {@link #open} and {@link #stop} on one
 * thread, once each.
 */
public final class Edges {

  private static final Logger LOG = LoggerFactory.getLogger(Edges.class);
  private static final int ADMIN_WORKERS = 4;
  private static final long OPEN_TIMEOUT_SEC = 30;
  private static final long DRAIN_TIMEOUT_MS = 3_000;
  private static final long CLOSE_TIMEOUT_SEC = 3;
  private static final long REPORT_PERIOD_MS = 10_000;
  private static final long LINGER_MS = 10_000;
  private static final long LINGER_LOOK_NANOS = 20_000_000;

  private final ServerConfig config;
  private final MasterRole role;
  private final MonotonicClock clock = System::nanoTime;
  private final ServerMetrics metrics = new ServerMetrics();
  private final RequestMetrics requests = new RequestMetrics();
  private final RpcListener clients;
  private final Vertx adminVertx;
  private final AdminServer admin;
  private final MetadataServer metadata;
  private final SummaryText summary;
  private final Ticker ticker;
  private Watchdog watchdog;

  /**
   * Edges that are not open yet.
   *
   * @param onFatal told once, on any thread, that the process must end, and why
   */
  public Edges(ServerConfig config, MasterRole role, BiConsumer<ExitCode, String> onFatal) {
    this.config = config;
    this.role = role;
    this.clients =
        new RpcListener(
            config.rpc(), role.service(), new RpcListener.Counters(requests, metrics), clock);
    role.member().ifPresent(member -> member.whenServing(clients::rememberReleases));
    this.adminVertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(ADMIN_WORKERS)
                .setInternalBlockingPoolSize(1)
                .setPreferNativeTransport(true)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setFileCachingEnabled(false)
                        .setClassPathResolvingEnabled(false)));
    String service = config.master().serviceVersion();
    Optional<MemberControl> member = role.member().map(control -> control);
    MetricSources sources =
        new MetricSources(
            role.service().view(),
            requests,
            metrics,
            clients::releaseStats,
            Version.display(),
            service,
            config.admin().fileCapacityBytes(),
            role.snapshotFigures(),
            role.logTimes(),
            member);
    this.summary = new SummaryText(sources, clock);
    AdminContext context =
        new AdminContext(
            role.service(),
            new MetricsPage(sources),
            summary,
            Version.display(),
            service,
            role.snapshots(),
            member);
    this.admin = new AdminServer(config.admin(), context, metrics, adminVertx);
    this.metadata = new MetadataServer(config.metadata(), adminVertx);
    this.ticker = new Ticker(role, metrics, onFatal);
  }

  /**
   * Starts the timer and opens the ports, the client port last.
   *
   * @throws StartException if a port can't be opened; nothing is left open then
   */
  public void open() {
    try {
      ticker.start();
      openPort(
          admin.start(),
          "admin port",
          "metrics_port",
          config.admin().host(),
          config.admin().port());
      if (config.metadata().enabled()) {
        openPort(
            metadata.start(),
            "metadata port",
            "http_metadata_server_port",
            config.metadata().host(),
            config.metadata().port());
      }
      openPort(
          clients.start(), "client port", "rpc_port", config.rpc().host(), config.rpc().port());
    } catch (StartException failed) {
      ticker.stop();
      closePorts();
      throw failed;
    }
    watchdog = new Watchdog(clients.eventLoops(), metrics);
    watchdog.start();
    adminVertx.setPeriodic(REPORT_PERIOD_MS, REPORT_PERIOD_MS, id -> report());
  }

  private static void openPort(
      Future<Void> opening, String what, String flag, String host, int port) {
    try {
      opening
          .toCompletionStage()
          .toCompletableFuture()
          .orTimeout(OPEN_TIMEOUT_SEC, TimeUnit.SECONDS)
          .join();
    } catch (CompletionException failure) {
      Throwable cause = failure.getCause();
      throw new StartException(
          ExitCode.PORT_UNAVAILABLE,
          "the "
              + what
              + " can't be opened on "
              + host
              + ":"
              + port
              + ": "
              + cause.getMessage()
              + "; stop what uses it ('ss -ltnp' shows that) or choose another with --"
              + flag,
          cause);
    }
  }

  /**
   * Stops in order: a leadership goes to another process, while clients are refused here for a few
   * seconds more so that none of them hangs on a closed port; no new connections and requests,
   * answers to what was read, the state machine with its log, the admin port. Takes a few seconds
   * at most.
   */
  public void stop() {
    if (role.leave().getAsBoolean()) {
      linger();
    }
    await(
        clients.drain(DRAIN_TIMEOUT_MS),
        "drain_clients",
        DRAIN_TIMEOUT_MS / 1_000 + CLOSE_TIMEOUT_SEC);
    ticker.stop();
    role.stop().run();
    if (watchdog != null) {
      watchdog.stop();
    }
    closePorts();
  }

  /** Until the last client has gone, but not for long. */
  private void linger() {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LINGER_MS);
    while (openConnections() > 0 && end - System.nanoTime() > 0) {
      LockSupport.parkNanos(this, LINGER_LOOK_NANOS);
    }
  }

  private long openConnections() {
    return metrics.connectionsAccepted.sum() - metrics.connectionsClosed.sum();
  }

  private void closePorts() {
    await(clients.close(), "close_client_port", CLOSE_TIMEOUT_SEC);
    await(
        Future.join(admin.close(), metadata.close()).mapEmpty(),
        "close_admin_port",
        CLOSE_TIMEOUT_SEC);
    await(adminVertx.close(), "close_admin_loop", CLOSE_TIMEOUT_SEC);
  }

  private static void await(Future<Void> work, String name, long timeoutSec) {
    try {
      work.toCompletionStage().toCompletableFuture().orTimeout(timeoutSec, TimeUnit.SECONDS).join();
    } catch (CompletionException slow) {
      LOG.warn("event=stop_step_failed step={} cause=\"{}\"", name, slow.getCause().toString());
    }
  }

  private void report() {
    adminVertx
        .<Void>executeBlocking(
            () -> {
              String line = summary.turnWindow();
              if (config.admin().reportFigures()) {
                LOG.info("Master Admin Metrics: {}", line);
              }
              return null;
            },
            false)
        .onFailure(failure -> LOG.error("event=report_failed", failure));
  }

  /** Port that Mooncake clients connect to. */
  public int clientPort() {
    return clients.port();
  }

  /** Port of admin HTTP and metrics. */
  public int adminPort() {
    return admin.port();
  }

  /** Port of the metadata server; only if it is enabled. */
  public int metadataPort() {
    return metadata.port();
  }

  /** Whether the system's own socket library is in use. */
  public boolean usesNativeTransport() {
    return clients.usesNativeTransport();
  }

  /** Counters of this process. */
  public ServerMetrics metrics() {
    return metrics;
  }

  /** Counters of requests. */
  public RequestMetrics requests() {
    return requests;
  }
}
