package io.tidemark.benchmarks.jmh;

import io.tidemark.wire.DecodedRequest;
import io.tidemark.wire.FrameAssembler;
import io.tidemark.wire.Frames;
import io.tidemark.wire.PeerProfile;
import io.tidemark.wire.ProfileRegistry;
import io.tidemark.wire.RequestDecoder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** From received bytes to a request. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class DecodeBenchmark {
  private final byte[] putStart = Samples.frame(Samples.putStart(Samples.key(1)));
  private final byte[] putEnd = Samples.frame(Samples.putEnd(Samples.key(1)));
  private final byte[] get = Samples.frame(Samples.get(Samples.key(1)));
  private final byte[] batchPutStart =
      Samples.frame(Samples.batchPutStart(Samples.keys(1, Samples.BATCH)));
  private final byte[] batchGet = Samples.frame(Samples.batchGet(Samples.keys(1, Samples.BATCH)));

  private final PeerProfile peer = new ProfileRegistry().connection("127.0.0.1");
  private final RequestDecoder decoder = new RequestDecoder();
  private final FrameAssembler assembler =
      new FrameAssembler(Frames.DEFAULT_MAX_BYTES, this::decoded);
  private DecodedRequest last;

  private void decoded(int functionId, int seq, byte[] buffer, int offset, int length) {
    last = decoder.decode(functionId, buffer, offset, length, peer);
  }

  private DecodedRequest decode(byte[] frame) {
    assembler.feed(frame, 0, frame.length);
    if (!(last instanceof DecodedRequest.Call)) {
      throw new IllegalStateException("not decoded: " + last);
    }
    return last;
  }

  @TearDown
  public void close() {
    peer.close();
  }

  @Benchmark
  public Object putStart() {
    return decode(putStart);
  }

  @Benchmark
  public Object putEnd() {
    return decode(putEnd);
  }

  @Benchmark
  public Object get() {
    return decode(get);
  }

  @Benchmark
  public Object batchPutStart128() {
    return decode(batchPutStart);
  }

  @Benchmark
  public Object batchGet128() {
    return decode(batchGet);
  }
}
