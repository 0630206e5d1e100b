package io.tidemark.chaos.load;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.OptionalLong;

/**
 * A well-behaved client beside those that misbehave: all the time it puts keys and reads them, on
 * one connection, and every call must succeed, soon.
 */
final class Neighbour implements Runnable, AutoCloseable {
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final Uuid id = new Uuid(0x600D, 1);
  private final MasterConnection connection;
  private final Thread thread = new Thread(this, "neighbour");
  private volatile boolean stop;
  private volatile Exception failure;
  private volatile long calls;
  private volatile long slowestMs;

  Neighbour(InetSocketAddress address) throws IOException {
    connection = MasterConnection.open(address, ClientOptions.DEFAULT);
    SegmentInfo segment =
        new SegmentInfo(
            new Uuid(0x600D, 2),
            "127.0.0.1:18999",
            0x7000_0000_0000L,
            64L << 30,
            "127.0.0.1:18999",
            "tcp",
            "");
    require(new Request.MountSegment(segment, id));
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void run() {
    try {
      for (int i = 0; !stop; i++) {
        String key = "neighbour/" + i;
        require(
            new Request.WriteStart(
                Rpc.PUT_START, id, key, 1_000, ReplicateConfig.DEFAULT, "default"));
        require(
            new Request.WriteEnd(
                Rpc.PUT_END, id, key, OptionalLong.empty(), ReplicaType.MEMORY, "default"));
        require(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, "default"));
      }
    } catch (IOException | IllegalStateException e) {
      failure = e;
    }
  }

  private void require(Request request) throws IOException {
    long begin = System.nanoTime();
    Reply reply = connection.call(request);
    slowestMs = Math.max(slowestMs, (System.nanoTime() - begin) / 1_000_000);
    if (!(reply instanceof Reply.One one && one.result().isOk())) {
      throw new IllegalStateException(request + " was answered with " + reply);
    }
    calls++;
  }

  /** Calls that succeeded so far. */
  long calls() {
    return calls;
  }

  /** Stops, and fails if any call failed or took longer than allowed. */
  void requireUnharmed(Duration slowestAllowed) throws InterruptedException {
    stop = true;
    thread.join(STOP_LIMIT.toMillis());
    if (failure != null) {
      throw new AssertionError("the neighbour was harmed", failure);
    }
    if (thread.isAlive() || calls == 0 || slowestMs > slowestAllowed.toMillis()) {
      throw new AssertionError(
          "the neighbour made " + calls + " calls, the slowest took " + slowestMs + " ms");
    }
  }

  @Override
  public void close() {
    stop = true;
    connection.close();
  }
}
