package io.tidemark.benchmarks.jmh;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.FaultHandler;
import io.tidemark.core.Master;
import io.tidemark.core.MasterConfig;
import io.tidemark.core.Origin;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** A state machine over {@link NoLog} with plenty of memory to give out; one thread calls it. */
final class BenchMaster {
  private static final Origin ORIGIN = new Origin(1);
  private static final long SEGMENT_BYTES = 1L << 40;

  private final Master master;
  private Reply last;

  BenchMaster() {
    Master.Ports ports =
        new Master.Ports(
            new NoLog(),
            System::nanoTime,
            System::currentTimeMillis,
            bound -> ThreadLocalRandom.current().nextInt(bound),
            Runnable::run,
            new Faults());
    master =
        Master.start(
            MasterConfig.defaults(), ports, new Master.TermStart(new Uuid(1, 2), false, false));
    SegmentInfo segment =
        new SegmentInfo(
            new Uuid(5, 6), "bench", 0x7f00_0000_0000L, SEGMENT_BYTES, "host:1", "tcp", "");
    ok(new Request.MountSegment(segment, Samples.CLIENT));
    ok(new Request.ReMountSegment(List.of(segment), Samples.CLIENT));
  }

  /** Makes a call and gives its answer, which comes before the call returns. */
  Reply call(Request request) {
    last = null;
    master.submit(request, ORIGIN, reply -> last = reply);
    return last;
  }

  /** Makes a call that must succeed, with every item. */
  Reply ok(Request request) {
    Reply reply = call(request);
    boolean good =
        reply instanceof Reply.One one && one.result().isOk()
            || reply instanceof Reply.Many many && many.results().stream().allMatch(Result::isOk);
    if (!good) {
      throw new IllegalStateException(request + " was answered with " + reply);
    }
    return reply;
  }

  /** Puts keys {@code 0} to {@code count - 1}. */
  void fill(int count) {
    for (int i = 0; i < count; i++) {
      String key = Samples.key(i);
      ok(Samples.putStart(key));
      ok(Samples.putEnd(key));
    }
  }

  private static final class Faults implements FaultHandler {
    @Override
    public void commandFailed(String command, RuntimeException broken) {
      throw broken;
    }

    @Override
    public void termEnded(String why, Throwable cause) {
      throw new IllegalStateException(why, cause);
    }
  }
}
