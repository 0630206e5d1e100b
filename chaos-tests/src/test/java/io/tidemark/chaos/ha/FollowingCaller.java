package io.tidemark.chaos.ha;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Calls whoever is published, looks again when a call is cut off or refused because the called one
 * does not serve, and makes the call again until it is answered. One thread.
 */
final class FollowingCaller implements AutoCloseable {
  private final HaCluster cluster;
  private final Duration patience;
  private MasterConnection connection;
  private int repeated;

  FollowingCaller(HaCluster cluster, Duration patience) {
    this.cluster = cluster;
    this.patience = patience;
  }

  /** The result of a call that has one; the call may be carried out several times. */
  Result<?> one(Request request) throws IOException {
    long end = System.nanoTime() + patience.toNanos();
    while (true) {
      Result<?> result = tried(request, end);
      if (result != null) {
        return result;
      }
      repeated++;
      close();
    }
  }

  /** Null if it is to be made again. */
  private Result<?> tried(Request request, long end) throws IOException {
    try {
      if (connection == null) {
        String view = cluster.view();
        if (view.isEmpty()) {
          return late(end, new IOException("nobody is published"));
        }
        String[] parts = view.split(":", 2);
        connection =
            MasterConnection.open(
                new InetSocketAddress(parts[0], Integer.parseInt(parts[1])),
                ClientOptions.DEFAULT.withCallTimeout(Duration.ofSeconds(10)));
      }
      Reply reply = connection.call(request);
      Result<?> result = ((Reply.One) reply).result();
      return result.code() == ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value()
          ? late(end, new IOException("refused: nobody serves there"))
          : result;
    } catch (InterruptedIOException e) {
      throw e;
    } catch (IOException cutOff) {
      return late(end, cutOff);
    }
  }

  private static Result<?> late(long end, IOException cause) throws IOException {
    if (System.nanoTime() - end > 0) {
      throw cause;
    }
    return null;
  }

  /** How often a call was made again. */
  int repeated() {
    return repeated;
  }

  @Override
  public void close() {
    if (connection != null) {
      connection.close();
      connection = null;
    }
  }
}
