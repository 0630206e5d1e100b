package io.tidemark.chaos.load;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/** A connection that comes back, and calls that are made again until they are answered. */
final class RetryingCaller implements AutoCloseable {
  private static final Duration LONGEST_OUTAGE = Duration.ofSeconds(60);

  private final InetSocketAddress address;
  private final ClientOptions options;
  private final Gate gate;
  private MasterConnection connection;
  private int lostConnections;

  RetryingCaller(InetSocketAddress address, Gate gate) {
    this.address = address;
    this.gate = gate;
    this.options = ClientOptions.DEFAULT.withCallTimeout(Duration.ofSeconds(15));
  }

  /** The result of a call that has one; the call may be carried out several times. */
  Result<?> one(Request request) throws IOException, InterruptedException {
    Reply reply = call(request);
    if (reply instanceof Reply.One one) {
      return one.result();
    }
    throw new IllegalStateException(request.rpc() + " was answered with " + reply);
  }

  Reply call(Request request) throws IOException, InterruptedException {
    long giveUp = System.nanoTime() + LONGEST_OUTAGE.toNanos();
    while (true) {
      gate.pass(LONGEST_OUTAGE);
      try {
        if (connection == null || connection.isClosed()) {
          connection = MasterConnection.open(address, options);
        }
        return connection.call(request);
      } catch (InterruptedIOException e) {
        throw e;
      } catch (IOException e) {
        lostConnections++;
        if (System.nanoTime() - giveUp > 0) {
          throw e;
        }
        Thread.onSpinWait();
      }
    }
  }

  /** How often a call was cut off. */
  int lostConnections() {
    return lostConnections;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
    }
  }
}
