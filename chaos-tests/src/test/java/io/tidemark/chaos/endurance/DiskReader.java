package io.tidemark.chaos.endurance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Reads one key again and again and pings in between. Until the key is stored it may be missing;
 * from then on every answer but success is a failure.
 */
final class DiskReader implements Runnable {
  private static final int READS_A_PING = 20;

  private final InetSocketAddress address;
  private final Uuid pingAs;
  private final String key;
  private volatile boolean stop;
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong pings = new AtomicLong();
  private volatile long slowestNanos;
  private volatile Throwable failure;

  DiskReader(InetSocketAddress address, Uuid pingAs, String key) {
    this.address = address;
    this.pingAs = pingAs;
    this.key = key;
  }

  @Override
  public void run() {
    try (MasterConnection master = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      while (!stop) {
        for (int i = 0; i < READS_A_PING && !stop; i++) {
          read(master);
        }
        ping(master);
      }
    } catch (IOException | RuntimeException e) {
      failure = e;
    }
  }

  private void read(MasterConnection master) throws IOException {
    int code = call(master, new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, "default"));
    if (code == 0) {
      reads.incrementAndGet();
    } else if (reads.get() > 0
        || code != ErrorCode.OBJECT_NOT_FOUND.value()
            && code != ErrorCode.REPLICA_IS_NOT_READY.value()) {
      throw new IllegalStateException("a read was refused: " + ErrorCode.nameOf(code));
    }
  }

  private void ping(MasterConnection master) throws IOException {
    int code = call(master, new Request.Ping(pingAs));
    if (code != 0) {
      throw new IllegalStateException("a ping was refused: " + ErrorCode.nameOf(code));
    }
    pings.incrementAndGet();
  }

  private int call(MasterConnection master, Request request) throws IOException {
    long begin = System.nanoTime();
    Reply reply = master.call(request);
    slowestNanos = Math.max(slowestNanos, System.nanoTime() - begin);
    if (reply instanceof Reply.One one) {
      return one.result().code();
    }
    throw new IllegalStateException(request + " was answered with " + reply);
  }

  void stop() {
    stop = true;
  }

  /** Reads that gave the object. */
  long reads() {
    return reads.get();
  }

  long pings() {
    return pings.get();
  }

  /** The longest wait for an answer so far, ms. */
  long slowestMs() {
    return slowestNanos / 1_000_000;
  }

  /** Why it ended before it was told to, or null. */
  Throwable failure() {
    return failure;
  }
}
