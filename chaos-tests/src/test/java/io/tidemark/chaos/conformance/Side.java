package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import io.tidemark.wire.schema.WireProfile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of the two masters, with a connection for each client of the sequence. */
final class Side implements AutoCloseable {
  private static final Duration CALL_LIMIT = Duration.ofSeconds(10);

  private final MasterProcess master;
  private final ClientOptions options;
  private final List<MasterConnection> connections = new ArrayList<>();

  Side(MasterProcess master, WireProfile profile, int clients) {
    this.master = master;
    this.options = ClientOptions.DEFAULT.withProfile(profile).withCallTimeout(CALL_LIMIT);
    for (int i = 0; i < clients; i++) {
      connections.add(open());
    }
  }

  private MasterConnection open() {
    String[] hostAndPort = master.address().split(":", 2);
    try {
      return MasterConnection.open(
          new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1])), options);
    } catch (IOException e) {
      throw new UncheckedIOException("connecting to " + master.address(), e);
    }
  }

  /**
   * Makes a call on a client's connection. A connection that ends is an answer too: an {@link
   * Reply.RpcError} with code -1 that both masters would have to give.
   */
  Reply call(int client, Request request) {
    master.process().requireAlive();
    if (connections.get(client).isClosed()) {
      connections.set(client, open());
    }
    try {
      return connections.get(client).call(request);
    } catch (IOException e) {
      return new Reply.RpcError(-1, "no answer: " + e.getMessage());
    }
  }

  @Override
  public void close() {
    connections.forEach(MasterConnection::close);
  }
}
