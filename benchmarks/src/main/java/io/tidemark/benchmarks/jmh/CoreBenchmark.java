package io.tidemark.benchmarks.jmh;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Deciding, applying and encoding events, over a log that keeps nothing. Each call puts objects
 * into a table of 100 000 and takes them out again, so that the table stays as it is.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 3, time = 1)
public class CoreBenchmark {
  private static final int STORED = 100_000;

  /** Keys that are put and removed; a power of two. */
  private static final int MORE = 1 << 14;

  private final List<String> keys = Samples.keys(STORED, MORE);
  private BenchMaster master;
  private int next;

  @Setup(Level.Trial)
  public void start() {
    master = new BenchMaster();
    master.fill(STORED);
  }

  private String nextKey() {
    return keys.get(next++ & (MORE - 1));
  }

  private List<String> nextKeys() {
    int from = next & (MORE - 1);
    next += Samples.BATCH;
    return keys.subList(from, from + Samples.BATCH);
  }

  @Benchmark
  public Object putStartAndEndAndRemove() {
    String key = nextKey();
    master.ok(Samples.putStart(key));
    master.ok(Samples.putEnd(key));
    return master.ok(Samples.remove(key));
  }

  /** A PutStart that is refused: a decision without events. */
  @Benchmark
  public Object putStartOfAStoredKey() {
    return master.call(Samples.putStart("model/layer-00/chunk-hash-000000001"));
  }

  @Benchmark
  public Object batch128PutStartAndEndAndRemove() {
    List<String> batch = nextKeys();
    master.ok(Samples.batchPutStart(batch));
    master.ok(Samples.batchPutEnd(batch));
    return master.ok(Samples.batchRemove(batch));
  }
}
