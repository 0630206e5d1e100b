package io.tidemark.server.rpc;

import io.tidemark.server.config.RpcConfig;
import io.tidemark.wire.RequestDecoder;
import io.tidemark.wire.WireBuffer;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetServerOptions;
import io.vertx.core.net.NetSocket;
import java.util.concurrent.TimeUnit;

/** One event loop of the client port with the buffers that its connections share. */
final class RpcLoop extends VerticleBase {

  private static final int ACCEPT_BACKLOG = 4_096;

  private final RpcServices services;
  private final int port;
  private final RequestDecoder decoder = new RequestDecoder();
  private final WireBuffer out = new WireBuffer(64 * 1024);
  private byte[] chunk = new byte[64 * 1024];
  private NetServer server;

  /**
   * A loop.
   *
   * @param port to listen on; all loops of a listener share it
   */
  RpcLoop(RpcServices services, int port) {
    this.services = services;
    this.port = port;
  }

  @Override
  public Future<?> start() {
    RpcConfig config = services.config();
    NetServerOptions options =
        new NetServerOptions()
            .setTcpNoDelay(config.noDelay())
            .setReuseAddress(true)
            .setAcceptBacklog(ACCEPT_BACKLOG)
            .setIdleTimeout(config.idleTimeoutSec())
            .setIdleTimeoutUnit(TimeUnit.SECONDS);
    server = vertx.createNetServer(options).connectHandler(this::connected);
    return server.listen(port, config.host());
  }

  /** The port that is listened on. */
  int actualPort() {
    return server.actualPort();
  }

  /** The event loop. */
  Context loop() {
    return context;
  }

  /**
   * Accepts no more connections; open ones answer what they have read and are closed, at the latest
   * after a while.
   */
  Future<Void> drain(long timeoutMs) {
    return server.shutdown(timeoutMs, TimeUnit.MILLISECONDS);
  }

  RequestDecoder decoder() {
    return decoder;
  }

  /** Answers of the connection that is being served right now. */
  WireBuffer out() {
    return out;
  }

  /** The bytes of a received buffer in an array that is valid until the next call. */
  byte[] bytesOf(Buffer received) {
    if (received.length() > chunk.length) {
      chunk = new byte[received.length()];
    }
    received.getBytes(chunk);
    return chunk;
  }

  private void connected(NetSocket socket) {
    new RpcConnection(services, this, socket).open();
  }
}
