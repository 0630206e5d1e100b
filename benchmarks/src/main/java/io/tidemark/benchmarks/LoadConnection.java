package io.tidemark.benchmarks;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.ResponseAssembler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.HdrHistogram.Histogram;

/** One connection of the load, with one request outstanding. One thread. */
final class LoadConnection implements AutoCloseable {
  private static final int MOST_BYTES = 64 << 20;
  private static final String TENANT = "default";
  private static final long LCG_FACTOR = 6364136223846793005L;
  private static final long LCG_STEP = 1442695040888963407L;

  private final SocketChannel channel;
  private final ResponseAssembler assembler = new ResponseAssembler(MOST_BYTES, this::answer);
  private final byte[] chunk = new byte[64 * 1024];
  private final ByteBuffer in = ByteBuffer.wrap(chunk);
  private final byte[] singlePrefix;
  private final byte[] batchPrefix;
  private final int batch;
  private final FrameTemplate putStart;
  private final FrameTemplate putEnd;
  private final FrameTemplate get;
  private final FrameTemplate batchPutStart;
  private final FrameTemplate batchPutEnd;
  private final FrameTemplate batchGet;

  private long singles;
  private long batched;
  private long random;
  private Phase phase = Phase.PUT;
  private Histogram latencies;
  private boolean ending;
  private int seq;
  private long begunNanos;
  private long done;
  private long failed;
  private IOException broken;
  private boolean stopping;
  private boolean idle = true;

  LoadConnection(LoadOptions options, Uuid client, String prefix, int number) throws IOException {
    this.batch = options.batch();
    this.random = number * 7919L + 12345;
    this.singlePrefix = prefix(prefix, 'p', number);
    this.batchPrefix = prefix(prefix, 'b', number);
    Templates templates = new Templates(client, options.objectBytes());
    this.putStart = templates.start(1);
    this.putEnd = templates.end(1);
    this.get = templates.get(1);
    this.batchPutStart = templates.start(batch);
    this.batchPutEnd = templates.end(batch);
    this.batchGet = templates.get(batch);
    this.channel = open(options.address());
  }

  private static SocketChannel open(InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open(address);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
    return channel;
  }

  private static byte[] prefix(String prefix, char kind, int number) {
    return String.format("%s/%c/%04d/", prefix, kind, number).getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The requests of a load; one key makes the single calls. */
  private record Templates(Uuid client, long objectBytes) {
    FrameTemplate start(int keys) {
      if (keys == 1) {
        return new FrameTemplate(
            new Request.WriteStart(
                Rpc.PUT_START,
                client,
                FrameTemplate.placeholder(0),
                objectBytes,
                ReplicateConfig.DEFAULT,
                TENANT),
            1);
      }
      long[] lengths = new long[keys];
      Arrays.fill(lengths, objectBytes);
      return new FrameTemplate(
          new Request.BatchWriteStart(
              Rpc.BATCH_PUT_START,
              client,
              FrameTemplate.placeholders(keys),
              lengths,
              ReplicateConfig.DEFAULT,
              TENANT),
          keys);
    }

    FrameTemplate end(int keys) {
      if (keys == 1) {
        return new FrameTemplate(
            new Request.WriteEnd(
                Rpc.PUT_END,
                client,
                FrameTemplate.placeholder(0),
                OptionalLong.empty(),
                ReplicaType.MEMORY,
                TENANT),
            1);
      }
      List<OptionalLong> none = Collections.nCopies(keys, OptionalLong.empty());
      return new FrameTemplate(
          new Request.BatchWriteEnd(
              Rpc.BATCH_PUT_END,
              client,
              FrameTemplate.placeholders(keys),
              none,
              ReplicaType.MEMORY,
              TENANT),
          keys);
    }

    FrameTemplate get(int keys) {
      Request request =
          keys == 1
              ? new Request.GetReplicaList(
                  Rpc.GET_REPLICA_LIST, FrameTemplate.placeholder(0), TENANT)
              : new Request.BatchGetReplicaList(
                  Rpc.BATCH_GET_REPLICA_LIST, FrameTemplate.placeholders(keys), TENANT);
      return new FrameTemplate(request, keys);
    }
  }

  SocketChannel channel() {
    return channel;
  }

  /** Begins a phase with its first request; latencies go to the histogram, in nanoseconds. */
  void begin(Phase next, Histogram histogram) throws IOException {
    phase = next;
    latencies = histogram;
    done = 0;
    failed = 0;
    stopping = false;
    idle = false;
    nextOperation();
  }

  /** Lets the phase end with the answer that is outstanding. */
  void stop() {
    stopping = true;
  }

  /** Whether no answer is outstanding. */
  boolean isIdle() {
    return idle;
  }

  /** Counts and measures from here on. */
  void measureFromHere(Histogram histogram) {
    latencies = histogram;
    done = 0;
    failed = 0;
  }

  private void nextOperation() throws IOException {
    ending = false;
    begunNanos = System.nanoTime();
    switch (phase) {
      case PUT -> {
        putStart.key(0, singlePrefix, singles);
        send(putStart);
      }
      case GET -> {
        get.key(0, singlePrefix, anyBelow(singles));
        send(get);
      }
      case BATCHPUT -> {
        keys(batchPutStart, batched);
        send(batchPutStart);
      }
      case BATCHGET -> {
        for (int i = 0; i < batch; i++) {
          batchGet.key(i, batchPrefix, anyBelow(batched));
        }
        send(batchGet);
      }
    }
  }

  private void keys(FrameTemplate template, long from) {
    for (int i = 0; i < batch; i++) {
      template.key(i, batchPrefix, from + i);
    }
  }

  private long anyBelow(long bound) {
    random = random * LCG_FACTOR + LCG_STEP;
    return bound == 0 ? 0 : (random >>> 33) % bound;
  }

  private void send(FrameTemplate template) throws IOException {
    template.sequence(seq++);
    ByteBuffer out = ByteBuffer.wrap(template.frame());
    while (out.hasRemaining()) {
      // With one request outstanding the socket's buffer takes all of it but in rare cases.
      if (channel.write(out) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Reads what has arrived and sends what follows. */
  void readable() throws IOException {
    in.clear();
    int count = channel.read(in);
    if (count < 0) {
      throw new IOException("the master closed the connection");
    }
    assembler.feed(chunk, 0, count);
    if (broken != null) {
      throw broken;
    }
  }

  private void answer(int errorCode, int answered, byte[] buffer, int body, int length) {
    try {
      if (errorCode != 0) {
        throw new IOException("RPC error " + errorCode + " in phase " + phase);
      }
      if (phase == Phase.PUT && !ending && Answer.isOk(buffer, body)) {
        ending = true;
        putEnd.key(0, singlePrefix, singles);
        send(putEnd);
      } else if (phase == Phase.BATCHPUT && !ending) {
        ending = true;
        keys(batchPutEnd, batched);
        send(batchPutEnd);
      } else {
        finish(buffer, body, length);
        if (stopping) {
          idle = true;
        } else {
          nextOperation();
        }
      }
    } catch (IOException e) {
      broken = e;
    }
  }

  private void finish(byte[] buffer, int body, int length) {
    latencies.recordValue(System.nanoTime() - begunNanos);
    int of = phase.isBatch() ? batch : 1;
    int good =
        switch (phase) {
          case PUT, GET -> Answer.isOk(buffer, body) ? 1 : 0;
          case BATCHPUT -> Answer.countDone(buffer, body, batch);
          case BATCHGET -> Answer.countLists(length, batch);
        };
    done += good;
    failed += of - good;
    if (phase == Phase.PUT) {
      singles++;
    } else if (phase == Phase.BATCHPUT) {
      batched += batch;
    }
  }

  /** Operations, or keys of batches, that succeeded. */
  long done() {
    return done;
  }

  /** Those that did not. */
  long failed() {
    return failed;
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
