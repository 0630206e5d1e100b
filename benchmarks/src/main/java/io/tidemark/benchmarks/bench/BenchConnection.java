package io.tidemark.benchmarks.bench;

import io.tidemark.api.rpc.Reply;
import io.tidemark.benchmarks.FrameTemplate;
import io.tidemark.wire.FrameStatus;
import io.tidemark.wire.MalformedMessageException;
import io.tidemark.wire.ReplyDecoder;
import io.tidemark.wire.ResponseAssembler;
import io.tidemark.wire.schema.WireProfile;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;

/** One connection of the load, with at most one request outstanding. One thread. */
final class BenchConnection implements AutoCloseable {
  private static final int MOST_BYTES = 64 << 20;
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);

  private final SocketChannel channel;
  private final SelectionKey key;
  private final WireProfile profile;
  private final Operation operation;
  private final ResponseAssembler assembler = new ResponseAssembler(MOST_BYTES, this::answer);
  private final byte[] chunk = new byte[64 * 1024];
  private final ByteBuffer in = ByteBuffer.wrap(chunk);
  private ByteBuffer unsent = ByteBuffer.allocate(0);
  private int seq;
  private boolean busy;
  private long dueNanos;
  private long sentNanos;
  private Tally tally = new Tally();
  private IOException broken;

  private BenchConnection(
      SocketChannel channel, Selector selector, WireProfile profile, Operation operation)
      throws IOException {
    this.channel = channel;
    this.key = channel.register(selector, SelectionKey.OP_READ, this);
    this.profile = profile;
    this.operation = operation;
  }

  /** Connects, and registers itself as the attachment of its key. */
  static BenchConnection open(
      InetSocketAddress address, Selector selector, WireProfile profile, Operation operation)
      throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.socket().connect(address, Math.toIntExact(CONNECT_LIMIT.toMillis()));
      channel.configureBlocking(false);
      return new BenchConnection(channel, selector, profile, operation);
    } catch (IOException e) {
      channel.close();
      throw e;
    }
  }

  Operation operation() {
    return operation;
  }

  /** Whether an answer is outstanding. */
  boolean isBusy() {
    return busy;
  }

  /**
   * Begins an operation.
   *
   * @param first its first request
   * @param due the time from which its latency counts
   * @param into takes its latency and outcome
   */
  void begin(FrameTemplate first, long due, Tally into) throws IOException {
    busy = true;
    dueNanos = due;
    tally = into;
    send(first);
  }

  private void send(FrameTemplate template) throws IOException {
    template.sequence(++seq);
    sentNanos = System.nanoTime();
    ByteBuffer frame = ByteBuffer.wrap(template.frame());
    channel.write(frame);
    if (frame.hasRemaining()) {
      // The template is for the next connection; what the socket does not take waits in a copy.
      unsent = ByteBuffer.allocate(frame.remaining()).put(frame).flip();
      key.interestOps(SelectionKey.OP_READ | SelectionKey.OP_WRITE);
    }
  }

  /** Does what the socket is ready for. */
  void ready() throws IOException {
    if (key.isWritable()) {
      channel.write(unsent);
      if (!unsent.hasRemaining()) {
        key.interestOps(SelectionKey.OP_READ);
      }
    }
    if (key.isReadable()) {
      read();
    }
  }

  private void read() throws IOException {
    in.clear();
    int count = channel.read(in);
    if (count < 0) {
      throw new IOException("the master closed the connection");
    }
    if (assembler.feed(chunk, 0, count) != FrameStatus.OPEN) {
      throw new IOException("an answer is above " + MOST_BYTES + " bytes");
    }
    if (broken != null) {
      throw broken;
    }
  }

  private void answer(int errorCode, int answered, byte[] buffer, int body, int length) {
    long now = System.nanoTime();
    try {
      if (!busy || answered != seq) {
        throw new IOException("an answer came to a request that was not made");
      }
      Reply reply = ReplyDecoder.decode(operation.call(), errorCode, buffer, body, length, profile);
      FrameTemplate next = operation.answered(reply, tally);
      if (next != null) {
        send(next);
      } else {
        busy = false;
        tally.ended(now - dueNanos);
      }
    } catch (MalformedMessageException garbage) {
      broken = new IOException("the answer to " + operation.call().methodName() + " is garbage");
    } catch (IOException e) {
      broken = e;
    }
  }

  /**
   * Fails if the outstanding answer is overdue.
   *
   * @throws IOException that says for how long which answer did not come
   */
  void checkAnswered(long nowNanos, Duration limit) throws IOException {
    if (busy && nowNanos - sentNanos > limit.toNanos()) {
      throw new IOException(
          operation.call().methodName() + " was not answered for " + limit.toSeconds() + " s");
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
