package io.tidemark.benchmarks.jmh;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Appending a batch of one entry to the log with {@code persist=page}, in the folder for temporary
 * files ({@code -jvmArgsAppend -Djava.io.tmpdir=...} for another). Old segments are removed between
 * iterations.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {
      "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
      "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
      "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
      "-Dchronicle.analytics.disable=true"
    })
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
public class AppendBenchmark {
  private static final long SEGMENT_BYTES = 64L << 20;

  /** Encoded events of the entry: a PutEnd, a PutStart, a batch of 128. */
  @Param({"60", "160", "16000"})
  int payloadBytes;

  private final Uuid actor = new Uuid(1, 2);
  private Path folder;
  private ChronicleLog log;
  private byte[] payload;
  private long index;

  @Setup(Level.Trial)
  public void open() throws IOException {
    folder = Files.createTempDirectory("tidemark-jmh");
    log = ChronicleLog.open(LogOptions.defaults(folder).withSegmentBytes(SEGMENT_BYTES)).log();
    payload = new byte[payloadBytes];
    index = 1;
  }

  @TearDown(Level.Iteration)
  public void removeOld() {
    log.removeBefore(index);
  }

  @TearDown(Level.Trial)
  public void close() throws IOException {
    log.close(false);
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Benchmark
  public long append() {
    if (!log.hasSpace()) {
      throw new IllegalStateException("the disk of " + folder + " is full");
    }
    log.append(new EntryHeader(index++, 1, index, index, 7, actor, true), payload, 0, payloadBytes);
    log.endBatch();
    return log.committedIndex();
  }
}
