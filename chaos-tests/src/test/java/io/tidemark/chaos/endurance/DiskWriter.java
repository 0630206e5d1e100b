package io.tidemark.chaos.endurance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Puts keys one after the other and removes some again. A call that is refused for want of disk
 * space is counted and made again; any other refusal, and a lost connection, is a failure.
 */
final class DiskWriter implements Runnable {
  private static final String TENANT = "default";
  private static final long RETRY_MS = 5;

  private final int number;
  private final Uuid id;
  private final InetSocketAddress address;
  private final long pauseMs;

  /** Key to whether it is stored, as acknowledged last. */
  private final Map<String, Boolean> known = new ConcurrentHashMap<>();

  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private volatile Throwable failure;

  /** A writer that rests for {@code pauseMs} between two keys. */
  DiskWriter(int number, InetSocketAddress address, long pauseMs) {
    this.pauseMs = pauseMs;
    this.number = number;
    this.id = new Uuid(0xD15E, number);
    this.address = address;
  }

  /** A key that is put first and never removed. */
  static String firstKey(int number) {
    return "disk-" + number + "/0";
  }

  @Override
  public void run() {
    try (MasterConnection master = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      for (int i = 0; !stopped.await(pauseMs, TimeUnit.MILLISECONDS); i++) {
        step(master, i);
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    }
  }

  /** Puts key i; the put is not given up once it was begun. Every third key goes again. */
  private void step(MasterConnection master, int i) throws IOException, InterruptedException {
    String key = "disk-" + number + "/" + i;
    boolean begun =
        answered(
            master,
            new Request.WriteStart(Rpc.PUT_START, id, key, 4096, ReplicateConfig.DEFAULT, TENANT));
    if (!begun) {
      known.put(key, false);
      return;
    }
    if (answered(
        master,
        new Request.WriteEnd(
            Rpc.PUT_END, id, key, OptionalLong.empty(), ReplicaType.MEMORY, TENANT))) {
      known.put(key, true);
    }
    if (i % 3 == 2 && i > 3) {
      String old = "disk-" + number + "/" + (i - 1);
      if (known.getOrDefault(old, false)
          && answered(master, new Request.Remove(old, true, TENANT))) {
        known.put(old, false);
      }
    }
  }

  /** Repeats a call until it succeeds; false if the writer was stopped before. */
  private boolean answered(MasterConnection master, Request request)
      throws IOException, InterruptedException {
    while (true) {
      Reply reply = master.call(request);
      int code = reply instanceof Reply.One one ? one.result().code() : Integer.MIN_VALUE;
      if (code == 0) {
        acknowledged.incrementAndGet();
        return true;
      }
      if (code != ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value()) {
        throw new IllegalStateException(request + " was answered with " + reply);
      }
      refused.incrementAndGet();
      if (stopped.await(RETRY_MS, TimeUnit.MILLISECONDS)) {
        return false;
      }
    }
  }

  void stop() {
    stopped.countDown();
  }

  /** Keys about which it was told something last; read it when the writer has stopped. */
  Map<String, Boolean> known() {
    return known;
  }

  long acknowledged() {
    return acknowledged.get();
  }

  long refused() {
    return refused.get();
  }

  /** Why it ended before it was told to, or null. */
  Throwable failure() {
    return failure;
  }

  @Override
  public String toString() {
    return "disk-writer-" + number;
  }
}
