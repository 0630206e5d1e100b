package io.tidemark.benchmarks.jmh;

import io.tidemark.api.rpc.Request;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The read lane: look-up, lease, answer; keys in an order that caches don't foresee. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
public class ReadBenchmark {
  /** Requests made in advance; a power of two. */
  private static final int REQUESTS = 1 << 14;

  /** A prime, to jump through the keys with. */
  private static final int STRIDE = 7_919;

  /** Objects in the table. */
  @Param({"10000", "1000000"})
  int objects;

  private final Request[] gets = new Request[REQUESTS];
  private final Request[] batches = new Request[REQUESTS / Samples.BATCH];
  private final Request miss = Samples.get("model/layer-00/not-there-000000000");
  private BenchMaster master;
  private int next;

  @Setup(Level.Trial)
  public void start() {
    master = new BenchMaster();
    master.fill(objects);
    for (int i = 0; i < gets.length; i++) {
      gets[i] = Samples.get(Samples.key(place(i)));
    }
    for (int i = 0; i < batches.length; i++) {
      batches[i] =
          Samples.batchGet(Samples.keys(place(i) % (objects - Samples.BATCH), Samples.BATCH));
    }
  }

  private int place(int i) {
    return (int) ((long) i * STRIDE % objects);
  }

  @Benchmark
  public Object get() {
    return master.ok(gets[next++ & (REQUESTS - 1)]);
  }

  @Benchmark
  public Object getMiss() {
    return master.call(miss);
  }

  @Benchmark
  public Object batchGet128() {
    return master.ok(batches[next++ & (batches.length - 1)]);
  }
}
