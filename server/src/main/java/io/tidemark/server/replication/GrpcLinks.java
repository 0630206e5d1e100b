package io.tidemark.server.replication;

import io.tidemark.oplog.replication.Link;
import io.tidemark.server.node.Links;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.SocketAddress;
import io.vertx.grpc.client.GrpcClient;
import io.vertx.grpc.client.GrpcClientOptions;
import io.vertx.grpc.client.GrpcClientRequest;
import io.vertx.grpc.common.GrpcMessageDecoder;
import io.vertx.grpc.common.GrpcMessageEncoder;
import io.vertx.grpc.common.GrpcStatus;
import io.vertx.grpc.common.ServiceMethod;
import io.vertx.grpc.common.ServiceName;
import io.vertx.grpc.server.GrpcServer;
import io.vertx.grpc.server.GrpcServerOptions;
import io.vertx.grpc.server.GrpcServerRequest;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams to other masters over gRPC. A dialed stream has a connection of its own, so that one that
 * hangs is gone with it.
 */
public final class GrpcLinks implements Links {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcLinks.class);

  private static final ServiceName SERVICE = ServiceName.create("tidemark.v1.Replication");
  private static final String METHOD = "Follow";

  /** What HTTP/2 lets be under way on a stream; a window of records fits. */
  private static final int FLOW_WINDOW_BYTES = 8 << 20;

  private static final int FRAME_BYTES = 1 << 20;

  private final Vertx vertx;
  private final Context context;
  private final GrpcLink.Home home;
  private final Set<GrpcLink> accepted = new HashSet<>();
  private HttpServer server;
  private String unreachable = "";

  /**
   * Makes no connection yet.
   *
   * @param vertx for streams alone, with one event loop; closed with this
   * @param loop the node's loop, on which {@code events} is told
   */
  public GrpcLinks(
      Vertx vertx, Executor loop, LinkEvents events, LinkLimits limits, LinkFigures figures) {
    this.vertx = vertx;
    context = vertx.getOrCreateContext();
    home = new GrpcLink.Home(context, loop, events, limits, figures);
  }

  // ---- streams of others

  /** Opens the port for standbys; fails with the reason of the system. */
  public Future<Void> listen(String host, int port) {
    GrpcServer calls =
        GrpcServer.server(
            vertx, new GrpcServerOptions().setMaxMessageSize(home.limits().messageBytes()));
    ServiceMethod<Buffer, Buffer> method =
        ServiceMethod.server(
            SERVICE, METHOD, GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);
    calls.callHandler(method, this::accept);
    HttpServerOptions options =
        new HttpServerOptions()
            .setReuseAddress(true)
            .setHttp2ConnectionWindowSize(FLOW_WINDOW_BYTES)
            .setInitialSettings(settings());
    server = vertx.createHttpServer(options).requestHandler(calls);
    return server.listen(port, host).mapEmpty();
  }

  /** The port that is listened on. */
  public int port() {
    return server.actualPort();
  }

  private void accept(GrpcServerRequest<Buffer, Buffer> call) {
    String peer = String.valueOf(call.connection().remoteAddress());
    if (accepted.size() >= home.limits().acceptedStreams()) {
      home.figures().turnedAway.increment();
      LOG.warn("event=replication_stream_turned_away peer={} open={}", peer, accepted.size());
      call.response().status(GrpcStatus.RESOURCE_EXHAUSTED).end();
      return;
    }
    home.figures().accepted.increment();
    GrpcLink link = new GrpcLink(home, peer);
    accepted.add(link);
    link.opened(call.response(), () -> accepted.remove(link));
    link.receiving(call);
    link.expectWords();
  }

  // ---- own streams

  @Override
  public Link dial(String address) {
    GrpcLink link = new GrpcLink(home, address);
    context.runOnContext(nothing -> connect(link, address));
    return link;
  }

  private void connect(GrpcLink link, String address) {
    int colon = address.lastIndexOf(':');
    SocketAddress target;
    try {
      int port = Integer.parseInt(address.substring(colon + 1));
      target = SocketAddress.inetSocketAddress(port, address.substring(0, Math.max(0, colon)));
    } catch (IllegalArgumentException unreadable) {
      home.figures().dialsFailed.increment();
      sayUnreachable(address, unreadable);
      link.lost();
      return;
    }
    GrpcClient client = client();
    ServiceMethod<Buffer, Buffer> method =
        ServiceMethod.client(
            SERVICE, METHOD, GrpcMessageEncoder.IDENTITY, GrpcMessageDecoder.IDENTITY);
    client
        .request(target, method)
        .onSuccess(call -> connected(link, client, call))
        .onFailure(
            cause -> {
              home.figures().dialsFailed.increment();
              sayUnreachable(address, cause);
              link.lost();
              client.close();
            });
  }

  /** Once for each address, until another one or success. */
  private void sayUnreachable(String address, Throwable cause) {
    if (!address.equals(unreachable)) {
      unreachable = address;
      LOG.warn(
          "event=replication_unreachable peer={} cause=\"{}\" meaning=\"tried again twice a"
              + " second, without further lines\"",
          address,
          cause.getMessage());
    }
  }

  private GrpcClient client() {
    HttpClientOptions options =
        new HttpClientOptions()
            .setProtocolVersion(HttpVersion.HTTP_2)
            .setHttp2ClearTextUpgrade(false)
            .setConnectTimeout(home.limits().connectMs())
            .setHttp2ConnectionWindowSize(FLOW_WINDOW_BYTES)
            .setInitialSettings(settings());
    GrpcClientOptions limits =
        new GrpcClientOptions().setMaxMessageSize(home.limits().messageBytes());
    return GrpcClient.client(vertx, limits, options);
  }

  private static Http2Settings settings() {
    return new Http2Settings().setInitialWindowSize(FLOW_WINDOW_BYTES).setMaxFrameSize(FRAME_BYTES);
  }

  private void connected(GrpcLink link, GrpcClient client, GrpcClientRequest<Buffer, Buffer> call) {
    home.figures().dialed.increment();
    unreachable = "";
    Runnable whenOver =
        () -> {
          call.connection().close();
          client.close();
        };
    call.response()
        .onSuccess(link::receiving)
        .onFailure(cause -> link.ended("the call was not answered: " + cause.getMessage()));
    link.opened(call, whenOver);
    home.loop()
        .execute(
            () -> {
              if (!link.isClosed()) {
                home.events().opened(link);
              }
            });
  }

  /** Closes the port and every stream. */
  public Future<Void> close() {
    return vertx.close();
  }
}
