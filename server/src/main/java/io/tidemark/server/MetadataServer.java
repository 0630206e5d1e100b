package io.tidemark.server;

import io.tidemark.server.config.MetadataServerConfig;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The HTTP store in which Transfer Engines find each other (coro-rpc wire, section 10). In memory:
 * clients publish anew after a restart. Keys are decoded on every request, so that both spellings
 * of a key are one entry.
 */
final class MetadataServer {

  /** Bounds what a client can make this process hold. */
  private static final int MAX_VALUE_BYTES = 4 << 20;

  private static final int MAX_ENTRIES = 1_000_000;
  private static final String RPC_META = "rpc_meta";

  private final MetadataServerConfig config;
  private final Vertx vertx;
  private final Map<String, Buffer> entries = new ConcurrentHashMap<>();
  private HttpServer server;

  MetadataServer(MetadataServerConfig config, Vertx vertx) {
    this.config = config;
    this.vertx = vertx;
  }

  /** Opens the port; fails with the reason of the system. */
  Future<Void> start() {
    server =
        vertx
            .createHttpServer(
                new HttpServerOptions().setReuseAddress(true).setHttp2ClearTextEnabled(false))
            .requestHandler(this::receive);
    return server.listen(config.port(), config.host()).mapEmpty();
  }

  /** The port that is listened on. */
  int port() {
    return server.actualPort();
  }

  /** Closes the port. */
  Future<Void> close() {
    return server == null ? Future.succeededFuture() : server.close();
  }

  private void receive(HttpServerRequest request) {
    Buffer body = Buffer.buffer();
    request.handler(
        part -> {
          if (body.length() + part.length() > MAX_VALUE_BYTES) {
            request.connection().close();
          } else {
            body.appendBuffer(part);
          }
        });
    request.endHandler(end -> answer(request, body));
  }

  private void answer(HttpServerRequest request, Buffer body) {
    HttpServerResponse response = request.response();
    String call = request.method().name() + " " + request.path();
    if (call.equals("GET /health")) {
      respond(response, 200, "OK");
      return;
    }
    if (!"/metadata".equals(request.path())) {
      respond(response, 404, "404 Not Found");
      return;
    }
    Optional<String> key = key(request.query());
    if (key.isEmpty()) {
      respond(response, 400, "Missing key parameter");
      return;
    }
    switch (request.method().name()) {
      case "GET" -> get(response, key.get());
      case "PUT" -> put(response, key.get(), body);
      case "DELETE" -> delete(response, key.get());
      default -> respond(response, 404, "404 Not Found");
    }
  }

  private void get(HttpServerResponse response, String key) {
    Buffer value = entries.get(key);
    if (value == null) {
      respond(response, 404, "metadata not found");
    } else {
      response.putHeader("Content-Type", "application/json").end(value);
    }
  }

  private void put(HttpServerResponse response, String key, Buffer value) {
    if (entries.size() >= MAX_ENTRIES && !entries.containsKey(key)) {
      respond(response, 507, "too many metadata entries");
      return;
    }
    if (!key.contains(RPC_META)) {
      entries.put(key, value);
      respond(response, 200, "metadata updated");
      return;
    }
    Buffer before = entries.putIfAbsent(key, value);
    if (before == null) {
      respond(response, 200, "metadata updated");
    } else if (before.equals(value)) {
      respond(response, 200, "metadata unchanged");
    } else {
      respond(response, 400, "Duplicate rpc_meta key not allowed");
    }
  }

  private void delete(HttpServerResponse response, String key) {
    boolean known = entries.remove(key) != null;
    respond(response, known ? 200 : 404, known ? "metadata deleted" : "metadata not found");
  }

  private static Optional<String> key(String query) {
    for (String pair : Optional.ofNullable(query).orElse("").split("&")) {
      if (pair.startsWith("key=") && pair.length() > 4) {
        try {
          return Optional.of(URLDecoder.decode(pair.substring(4), StandardCharsets.ISO_8859_1));
        } catch (IllegalArgumentException notEncoded) {
          return Optional.of(pair.substring(4));
        }
      }
    }
    return Optional.empty();
  }

  private static void respond(HttpServerResponse response, int status, String text) {
    response.setStatusCode(status).end(text);
  }
}
