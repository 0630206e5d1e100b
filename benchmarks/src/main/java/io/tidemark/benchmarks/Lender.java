package io.tidemark.benchmarks;

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

/** The client whose memory the load fills: mounts segments and pings once a second. */
final class Lender implements AutoCloseable {
  private static final long FIRST_BASE = 0x1000_0000_0000L;
  private static final long DISTANCE = 0x100_0000_0000L;
  private static final int FIRST_PORT = 20_000;
  private static final ClientOptions PATIENT =
      ClientOptions.DEFAULT.withCallTimeout(Duration.ofMinutes(3));

  private final Uuid id = new Uuid(System.nanoTime(), ProcessHandle.current().pid());
  private final InetSocketAddress address;
  private final MasterConnection connection;
  private final List<SegmentInfo> segments = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  Lender(LoadOptions options) throws IOException {
    address = options.address();
    connection = MasterConnection.open(address, ClientOptions.DEFAULT);
    for (int i = 0; i < options.segments(); i++) {
      String endpoint = "127.0.0.1:" + (FIRST_PORT + i);
      long base = FIRST_BASE + i * DISTANCE;
      Uuid segmentId = new Uuid(id.first() + i + 1, id.second());
      segments.add(
          new SegmentInfo(segmentId, endpoint, base, options.segmentBytes(), endpoint, "tcp", ""));
    }
    for (SegmentInfo segment : segments) {
      require(new Request.MountSegment(segment, id));
    }
    require(new Request.ReMountSegment(segments, id));
    Thread pinger = new Thread(this::ping, "pinger");
    pinger.setDaemon(true);
    pinger.start();
  }

  Uuid id() {
    return id;
  }

  /** Makes room for the next load, so that all find about the same number of objects. */
  void removeAll() throws IOException {
    Request everything = new Request.RemoveAll(true, "default");
    try (MasterConnection patient = MasterConnection.open(address, PATIENT)) {
      patient.call(everything);
    }
  }

  private void require(Request request) throws IOException {
    Reply reply = connection.call(request);
    if (!reply.equals(Reply.OK)) {
      throw new IOException(request.rpc().methodName() + " was answered with " + reply);
    }
  }

  private void ping() {
    try {
      while (!end.await(1, TimeUnit.SECONDS)) {
        connection.call(new Request.Ping(id));
      }
    } catch (IOException e) {
      System.err.println("ping: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    end.countDown();
    for (SegmentInfo segment : segments) {
      require(new Request.UnmountSegment(segment.id(), id));
    }
    connection.close();
  }
}
