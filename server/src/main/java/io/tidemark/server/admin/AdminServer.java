package io.tidemark.server.admin;

import io.tidemark.api.ErrorCode;
import io.tidemark.server.admin.Routes.Kind;
import io.tidemark.server.admin.Routes.Route;
import io.tidemark.server.config.AdminConfig;
import io.tidemark.server.metrics.ServerMetrics;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The admin port. {@link #start} and {@link #close} on any thread, once each. */
public final class AdminServer {

  private static final Logger LOG = LoggerFactory.getLogger(AdminServer.class);

  /** Largest request body; 4096 keys to pin fit. */
  private static final int MAX_BODY_BYTES = 16 << 20;

  private static final String ALL_KEYS = "/get_all_keys";

  private final AdminConfig config;
  private final AdminContext context;
  private final ServerMetrics metrics;
  private final Vertx vertx;
  private final Routes routes;
  private final AtomicLong operationIds = new AtomicLong();
  private HttpServer server;

  /**
   * An admin port.
   *
   * @param vertx its own event loop and workers, not those of the client port
   */
  public AdminServer(AdminConfig config, AdminContext context, ServerMetrics metrics, Vertx vertx) {
    this.config = config;
    this.context = context;
    this.metrics = metrics;
    this.vertx = vertx;
    this.routes = new Routes(context);
  }

  /** Opens the port; fails with the reason of the system. */
  public Future<Void> start() {
    server =
        vertx
            .createHttpServer(
                new HttpServerOptions().setReuseAddress(true).setHttp2ClearTextEnabled(false))
            .requestHandler(this::receive);
    return server.listen(config.port(), config.host()).mapEmpty();
  }

  /** The port that is listened on. */
  public int port() {
    return server.actualPort();
  }

  /** Closes the port. */
  public Future<Void> close() {
    return server == null ? Future.succeededFuture() : server.close();
  }

  private void receive(HttpServerRequest http) {
    Buffer body = Buffer.buffer();
    http.handler(
        part -> {
          if (body.length() + part.length() > MAX_BODY_BYTES) {
            http.connection().close();
          } else {
            body.appendBuffer(part);
          }
        });
    http.endHandler(end -> dispatch(http, body));
  }

  private void dispatch(HttpServerRequest http, Buffer body) {
    AdminRequest request =
        new AdminRequest(
            operationIds.incrementAndGet(),
            http.method().name(),
            http.path() == null ? "" : http.path(),
            Optional.ofNullable(http.query()).orElse(""),
            body.getBytes(),
            Optional.ofNullable(http.getHeader("Authorization")).orElse(""),
            String.valueOf(http.remoteAddress()));
    if (request.method().equals("GET") && request.path().equals(ALL_KEYS)) {
      inWorker(() -> listKeys(http.response()), http.response(), request);
      return;
    }
    Optional<Route> route = routes.find(request.method(), request.path());
    if (route.isEmpty()) {
      metrics.adminRequests.increment("unknown", "404");
      notFound(request, http.response());
    } else if (route.get().kind() == Kind.PROBE) {
      answer(http.response(), request, route.get());
    } else {
      inWorker(() -> answer(http.response(), request, route.get()), http.response(), request);
    }
  }

  private Void answer(HttpServerResponse response, AdminRequest request, Route route) {
    boolean change = route.kind() == Kind.CHANGE;
    AdminResponse answer =
        change && !authorized(request) ? unauthorized(response) : route.page().apply(request);
    metrics.adminRequests.increment(request.path(), Integer.toString(answer.status()));
    if (change) {
      LOG.info(
          "event=admin_change operation=admin-{} peer={} request=\"{} {}\" query=\"{}\" body_bytes={} status={}"
              + " answer={}",
          request.operationId(),
          request.peer(),
          request.method(),
          request.path(),
          request.rawQuery(),
          request.body().length,
          answer.status(),
          excerpt(answer));
    }
    send(response, answer);
    return null;
  }

  private static String excerpt(AdminResponse answer) {
    String text = new String(answer.body(), StandardCharsets.UTF_8);
    return text.length() <= 200 ? text : text.substring(0, 200) + "…";
  }

  private boolean authorized(AdminRequest request) {
    if (config.token().isEmpty()) {
      return true;
    }
    byte[] wanted = ("Bearer " + config.token().get()).getBytes(StandardCharsets.UTF_8);
    return MessageDigest.isEqual(wanted, request.authorization().getBytes(StandardCharsets.UTF_8));
  }

  private static AdminResponse unauthorized(HttpServerResponse response) {
    response.putHeader("WWW-Authenticate", "Bearer");
    return AdminResponse.error(
        401, ErrorCode.ILLEGAL_CLIENT.value(), "Missing or wrong bearer token");
  }

  private Void listKeys(HttpServerResponse response) {
    new KeyListing(response).write(context.master().view());
    metrics.adminRequests.increment(ALL_KEYS, "200");
    return null;
  }

  private void inWorker(Callable<Void> work, HttpServerResponse response, AdminRequest request) {
    vertx
        .executeBlocking(work, false)
        .onFailure(
            failure -> {
              LOG.error(
                  "event=admin_failed operation=admin-{} path={}",
                  request.operationId(),
                  request.path(),
                  failure);
              metrics.adminRequests.increment(request.path(), "500");
              if (response.headWritten()) {
                response.reset();
              } else {
                send(response, AdminResponse.error(ErrorCode.INTERNAL_ERROR.value()));
              }
            });
  }

  private static void notFound(AdminRequest request, HttpServerResponse response) {
    if (request.method().equals("HEAD")) {
      response
          .setStatusCode(AdminResponse.NOT_FOUND.status())
          .putHeader("Content-Length", Integer.toString(AdminResponse.NOT_FOUND.body().length))
          .end();
    } else {
      send(response, AdminResponse.NOT_FOUND);
    }
  }

  private static void send(HttpServerResponse response, AdminResponse answer) {
    response.setStatusCode(answer.status());
    answer.contentType().ifPresent(type -> response.putHeader("Content-Type", type));
    response.end(Buffer.buffer(answer.body()));
  }
}
