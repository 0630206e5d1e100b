package io.tidemark.chaos.endurance;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Workers, and a client that lends them too little memory and pings. */
final class MixedLoad {
  /** Memory that is lent, bytes; the workers' keys would need ten times as much. */
  static final long CAPACITY_BYTES = 256L << 20;

  private static final int SEGMENTS = 4;
  private static final int WORKERS = 4;
  private static final long PING_EVERY_MS = 500;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(30);
  private static final Uuid LENDER = new Uuid(0x50A3, 1);

  private final InetSocketAddress address;
  private final List<MixedWorker> workers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final Thread lender = new Thread(this::pingAll, "mixed-lender");
  private final CountDownLatch stopped = new CountDownLatch(1);
  private volatile Throwable pingFailure;

  private MixedLoad(InetSocketAddress address) {
    this.address = address;
  }

  static MixedLoad start(InetSocketAddress address, long seed) throws IOException {
    MixedLoad load = new MixedLoad(address);
    load.lend();
    for (int i = 0; i < WORKERS; i++) {
      MixedWorker worker = new MixedWorker(i, seed, address);
      load.workers.add(worker);
      load.threads.add(new Thread(worker, "mixed-" + i));
    }
    load.threads.forEach(thread -> thread.setDaemon(true));
    load.lender.setDaemon(true);
    load.lender.start();
    load.threads.forEach(Thread::start);
    return load;
  }

  private void lend() throws IOException {
    List<SegmentInfo> segments = new ArrayList<>();
    long bytes = CAPACITY_BYTES / SEGMENTS;
    for (int i = 0; i < SEGMENTS; i++) {
      String endpoint = "127.0.0.1:" + (19_100 + i);
      segments.add(
          new SegmentInfo(
              new Uuid(0x50A5, i + 1L),
              endpoint,
              0x7f00_0000_0000L + 2 * i * bytes,
              bytes,
              endpoint,
              "tcp",
              ""));
    }
    try (MasterConnection master = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      for (SegmentInfo segment : segments) {
        require(master.call(new Request.MountSegment(segment, LENDER)));
      }
      require(master.call(new Request.ReMountSegment(segments, LENDER)));
    }
  }

  private void pingAll() {
    try (MasterConnection master = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      while (!stopped.await(PING_EVERY_MS, TimeUnit.MILLISECONDS)) {
        Reply reply = master.call(new Request.Ping(LENDER));
        require(reply);
        Object value = ((Reply.One) reply).result().value();
        if (((Reply.PingResponse) value).clientStatus() != ClientStatus.OK) {
          throw new IllegalStateException("a client that pings was given up: " + value);
        }
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      pingFailure = e;
    }
  }

  /** Removes every object; what readers or writers may still use becomes free later. */
  void removeAll() throws IOException {
    try (MasterConnection master = MasterConnection.open(address, ClientOptions.DEFAULT)) {
      Reply reply = master.call(new Request.RemoveAll(true, "default"));
      if (!(reply instanceof Reply.Bare)) {
        throw new AssertionError("RemoveAll was answered with " + reply);
      }
    }
  }

  private static void require(Reply reply) {
    if (!(reply instanceof Reply.One one && one.result().isOk())) {
      throw new IllegalStateException("the lender was refused: " + reply);
    }
  }

  /** Calls answered so far. */
  long calls() {
    return workers.stream().mapToLong(MixedWorker::calls).sum();
  }

  /** The longest wait of any worker since this was asked last, ms. */
  double takeSlowestMs() {
    return workers.stream().mapToDouble(MixedWorker::takeSlowestMs).max().orElse(0);
  }

  /** Fails if anybody was answered with what should not be. */
  void requireNoFailure() {
    for (MixedWorker worker : workers) {
      if (worker.failure() != null) {
        throw new AssertionError("a worker gave up", worker.failure());
      }
    }
    if (pingFailure != null) {
      throw new AssertionError("the lender gave up", pingFailure);
    }
  }

  /** Lets the calls under way end; the lender goes on. */
  void stopWorkers() throws InterruptedException {
    workers.forEach(MixedWorker::stop);
    for (Thread thread : threads) {
      join(thread);
    }
    requireNoFailure();
  }

  void stop() throws InterruptedException {
    stopWorkers();
    stopped.countDown();
    join(lender);
    requireNoFailure();
  }

  private static void join(Thread thread) throws InterruptedException {
    thread.join(STOP_LIMIT.toMillis());
    if (thread.isAlive()) {
      throw new AssertionError(thread.getName() + " did not end within " + STOP_LIMIT);
    }
  }
}
