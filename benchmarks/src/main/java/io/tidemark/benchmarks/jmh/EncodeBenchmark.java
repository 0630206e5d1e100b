package io.tidemark.benchmarks.jmh;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.ReplyEncoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** From an answer to the bytes that are sent. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class EncodeBenchmark {
  private final Reply started = Samples.started();
  private final Reply found = Samples.found();
  private final Reply foundMany = Samples.foundMany();
  private final WireBuffer out = new WireBuffer();

  private int encode(Rpc rpc, Reply reply) {
    out.clear();
    ReplyEncoder.encode(rpc, reply, WireProfile.MAIN, 1, out);
    return out.size();
  }

  @Benchmark
  public int putStart() {
    return encode(Rpc.PUT_START, started);
  }

  @Benchmark
  public int putEnd() {
    return encode(Rpc.PUT_END, Reply.OK);
  }

  @Benchmark
  public int get() {
    return encode(Rpc.GET_REPLICA_LIST, found);
  }

  @Benchmark
  public int batchGet128() {
    return encode(Rpc.BATCH_GET_REPLICA_LIST, foundMany);
  }
}
