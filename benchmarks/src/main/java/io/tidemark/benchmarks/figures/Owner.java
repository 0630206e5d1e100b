package io.tidemark.benchmarks.figures;

import io.tidemark.api.Uuid;
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
import java.util.concurrent.atomic.AtomicInteger;

/** A client that lends memory: mounts segments and pings twice a second until it falls silent. */
final class Owner implements AutoCloseable {
  private static final long FIRST_BASE = 0x1000_0000_0000L;
  private static final long DISTANCE = 0x100_0000_0000L;
  private static final int FIRST_PORT = 20_000;
  private static final int PING_MS = 500;
  private static final AtomicInteger OWNERS = new AtomicInteger();
  private static final AtomicInteger SEGMENTS = new AtomicInteger();
  private static final ClientOptions PATIENT =
      ClientOptions.DEFAULT.withCallTimeout(Duration.ofMinutes(3));

  private final Uuid id =
      new Uuid(ProcessHandle.current().pid(), (long) OWNERS.incrementAndGet() << 32);
  private final MasterConnection connection;
  private final List<SegmentInfo> segments = new ArrayList<>();
  private final CountDownLatch silent = new CountDownLatch(1);

  Owner(InetSocketAddress master, int segmentCount, long segmentBytes) throws IOException {
    connection = MasterConnection.open(master, PATIENT);
    for (int i = 0; i < segmentCount; i++) {
      int number = SEGMENTS.getAndIncrement();
      // Endpoints and addresses only have to differ; nobody transfers anything.
      String endpoint = "127.0.0.1:" + (FIRST_PORT + number % 40_000);
      long base = FIRST_BASE + number % 4_096 * DISTANCE;
      Uuid segmentId = new Uuid(id.first(), id.second() + number + 1);
      segments.add(new SegmentInfo(segmentId, endpoint, base, segmentBytes, endpoint, "tcp", ""));
    }
    for (SegmentInfo segment : segments) {
      require(new Request.MountSegment(segment, id));
    }
    require(new Request.ReMountSegment(segments, id));
    Thread pinger = new Thread(this::ping, "figures-pinger");
    pinger.setDaemon(true);
    pinger.start();
  }

  Uuid id() {
    return id;
  }

  /** Name of a segment, as a writer may ask for it. */
  String segment(int i) {
    return segments.get(i).name();
  }

  /** Removes all objects of the master, leased ones too. */
  void removeAll() throws IOException {
    connection.call(new Request.RemoveAll(true, Requests.TENANT));
  }

  private void require(Request request) throws IOException {
    Reply reply = connection.call(request);
    if (!reply.equals(Reply.OK)) {
      throw new IOException(request.rpc().methodName() + " was answered with " + reply);
    }
  }

  private void ping() {
    try {
      while (!silent.await(PING_MS, TimeUnit.MILLISECONDS)) {
        connection.call(new Request.Ping(id));
      }
    } catch (IOException e) {
      // A load on this master fails too and says why; without one nobody needs the owner.
      silent.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Pings no more, as a client that has died. */
  @Override
  public void close() {
    silent.countDown();
    connection.close();
  }
}
