package io.tidemark.chaos.load;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.SegmentInfo;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client that lends memory, pings, and mounts one more segment now and then. */
final class Lender implements Runnable {
  private static final long SEGMENT_BYTES = 64L << 30;
  private static final long PING_EVERY_MS = 200;
  private static final int MOST_SEGMENTS = 12;

  private final Uuid id = new Uuid(0x1E9D, 1);
  private final RetryingCaller master;
  private final List<SegmentInfo> mounted = new CopyOnWriteArrayList<>();
  private final Object pause = new Object();
  private volatile boolean stop;
  private volatile Throwable failure;

  Lender(InetSocketAddress address, Gate gate) {
    this.master = new RetryingCaller(address, gate);
  }

  /** Mounts one more segment; it is listed once that is acknowledged. */
  void mount() throws IOException, InterruptedException {
    int number = mounted.size();
    String endpoint = "127.0.0.1:" + (19_000 + number);
    SegmentInfo segment =
        new SegmentInfo(
            new Uuid(0x5E6, number + 1L),
            endpoint,
            0x2000_0000_0000L + number * 2 * SEGMENT_BYTES,
            SEGMENT_BYTES,
            endpoint,
            "tcp",
            "");
    require(master.one(new Request.MountSegment(segment, id)));
    mounted.add(segment);
  }

  /** Joins, as a Mooncake client does after its first mount. */
  void join() throws IOException, InterruptedException {
    require(master.one(new Request.ReMountSegment(List.copyOf(mounted), id)));
  }

  @Override
  public void run() {
    try {
      for (int round = 0; !stop; round++) {
        Result<?> result = master.one(new Request.Ping(id));
        require(result);
        if (((Reply.PingResponse) result.value()).clientStatus() == ClientStatus.NEED_REMOUNT) {
          join();
        } else if (round % 10 == 9 && mounted.size() < MOST_SEGMENTS) {
          mount();
        }
        synchronized (pause) {
          pause.wait(PING_EVERY_MS);
        }
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      failure = e;
    } finally {
      master.close();
    }
  }

  private static void require(Result<?> result) {
    if (!result.isOk()) {
      throw new IllegalStateException("a call of the lender was refused: " + result.code());
    }
  }

  void stop() {
    stop = true;
    synchronized (pause) {
      pause.notifyAll();
    }
  }

  /** Why it ended before it was told to, or null. */
  Throwable failure() {
    return failure;
  }

  /** Segments whose mount was acknowledged. */
  List<SegmentInfo> mounted() {
    return mounted;
  }
}
