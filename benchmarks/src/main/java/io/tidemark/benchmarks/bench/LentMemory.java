package io.tidemark.benchmarks.bench;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The client that the load is: lends memory that does not exist, pings once a second from a thread
 * of its own, and takes away what the load has put.
 */
final class LentMemory implements AutoCloseable {
  private static final long FIRST_BASE = 0x1000_0000_0000L;
  private static final long PAGE = 2L << 20;
  private static final int REMOVED_AT_ONCE = 1_000;
  private static final Duration CALL_LIMIT = Duration.ofSeconds(20);
  private static final Duration REMOVE_LIMIT = Duration.ofSeconds(60);
  private static final Duration PING_PAUSE = Duration.ofSeconds(1);

  private final BenchPlan plan;
  private final Uuid id;
  private final String name;
  private final MasterConnection connection;
  private final List<SegmentInfo> mounted = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);

  private LentMemory(BenchPlan plan, int runId, MasterConnection connection) {
    this.plan = plan;
    this.connection = connection;
    this.id = new Uuid(System.nanoTime(), Integer.toUnsignedLong(runId));
    // A name that can't be resolved, so that a client that is sent there fails at once.
    this.name = String.format("tidemark-bench-%08x.invalid", runId);
  }

  /**
   * Mounts the plan's segments and begins to ping.
   *
   * @throws BenchException if the master refuses, or does not answer as one does
   */
  static LentMemory mount(BenchPlan plan, int runId) throws BenchException {
    ClientOptions options =
        ClientOptions.DEFAULT.withProfile(plan.release().profile()).withCallTimeout(CALL_LIMIT);
    try {
      LentMemory memory =
          new LentMemory(plan, runId, MasterConnection.open(plan.address(), options));
      try {
        memory.mountAll();
        return memory;
      } catch (IOException | BenchException e) {
        memory.giveUp();
        throw e;
      }
    } catch (IOException e) {
      throw BenchException.noMaster(
          plan.target()
              + ": what listens there does not mount a segment as a master does ("
              + e.getMessage()
              + "); give the RPC port of a running master with --master");
    }
  }

  private void giveUp() {
    try {
      unmount();
    } catch (IOException alsoFailed) {
      // The first failure is the one to tell; the master lets go of a client that does not ping.
      mounted.clear();
    } finally {
      close();
    }
  }

  private void mountAll() throws IOException, BenchException {
    long bytes = segmentBytes();
    for (int i = 0; i < plan.segments(); i++) {
      Uuid segmentId = new Uuid(id.first() + i + 1, id.second());
      SegmentInfo segment =
          new SegmentInfo(
              segmentId, name, FIRST_BASE + i * bytes, bytes, name + ":" + (i + 1), "tcp", "");
      require(new Request.MountSegment(segment, id));
      mounted.add(segment);
    }
    // As Mooncake's clients do after their first mount; it makes the master expect pings.
    require(new Request.ReMountSegment(List.copyOf(mounted), id));
    Thread pinger = new Thread(this::ping, "bench-ping");
    pinger.setDaemon(true);
    pinger.start();
  }

  /** Room for twice the keys, so that the master has no reason to evict any. */
  private long segmentBytes() {
    long each = Math.max(plan.valueBytes(), 1_024) * 2;
    long all = each * (plan.keys() + plan.connections());
    long pages = Math.max(32, all / plan.segments() / PAGE + 1);
    return pages * PAGE;
  }

  private void require(Request request) throws IOException, BenchException {
    Reply reply = connection.call(request);
    if (reply instanceof Reply.RpcError error) {
      throw BenchException.refused(
          plan.target()
              + ": the master does not take "
              + request.rpc().methodName()
              + " as Mooncake "
              + plan.release()
              + " says it (RPC error "
              + error.rpcCode()
              + "); name its release with --release");
    }
    Result<?> result = ((Reply.One) reply).result();
    if (!result.isOk()) {
      throw BenchException.refused(
          plan.target()
              + ": the master refuses "
              + request.rpc().methodName()
              + " with "
              + ErrorCode.nameOf(result.code())
              + "; its log says why");
    }
  }

  private void ping() {
    try {
      while (!end.await(PING_PAUSE.toMillis(), TimeUnit.MILLISECONDS)) {
        connection.call(new Request.Ping(id));
      }
    } catch (IOException gone) {
      // The load notices the same on its own connections, and says so.
      end.countDown();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The client id that the load's writes carry. */
  Uuid id() {
    return id;
  }

  /** The name that all its segments have. */
  String segmentName() {
    return name;
  }

  /** What {@link #remove} did. */
  record Removed(long gone, long left) {}

  /** Removes every key that may be there; gives up, and says how many are left, after a minute. */
  Removed remove(KeySpace keys) throws IOException {
    int all = keys.mayBeThere();
    long gone = 0;
    long until = System.nanoTime() + REMOVE_LIMIT.toNanos();
    for (int from = 0; from < all; from += REMOVED_AT_ONCE) {
      if (System.nanoTime() - until >= 0) {
        return new Removed(gone, all - from);
      }
      List<String> chunk = keys.chunk(from, REMOVED_AT_ONCE);
      Reply reply = connection.call(new Request.BatchRemove(chunk, true, Requests.TENANT));
      if (!(reply instanceof Reply.Many many)) {
        throw new IOException("BatchRemove was answered with " + reply);
      }
      gone += many.results().stream().filter(Result::isOk).count();
    }
    keys.forget();
    return new Removed(gone, 0);
  }

  /** Gives the memory back; how many segments that were. */
  int unmount() throws IOException {
    int count = 0;
    while (!mounted.isEmpty()) {
      SegmentInfo segment = mounted.remove(mounted.size() - 1);
      Reply reply = connection.call(new Request.UnmountSegment(segment.id(), id));
      if (!reply.equals(Reply.OK)) {
        throw new IOException("UnmountSegment was answered with " + reply);
      }
      count++;
    }
    return count;
  }

  /** Stops pinging and closes the connection; what is still mounted the master takes as lost. */
  @Override
  public void close() {
    end.countDown();
    connection.close();
  }
}
