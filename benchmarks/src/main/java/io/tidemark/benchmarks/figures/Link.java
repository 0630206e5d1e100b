package io.tidemark.benchmarks.figures;

import io.tidemark.wire.ResponseAssembler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/**
 * One connection with at most one request outstanding. Stays open over many measurements, so that
 * connecting is no part of any. Used by one thread at a time.
 */
final class Link implements AutoCloseable {

  /** Told when an operation has ended. */
  @FunctionalInterface
  interface Listener {
    /** The link is free; the listener may begin the next operation on it. */
    void ended(Link link, Script.Outcome outcome) throws IOException;
  }

  private static final int MOST_BYTES = 64 << 20;
  private static final int CHUNK_BYTES = 64 * 1024;

  private final SocketChannel channel;
  private final ResponseAssembler assembler =
      new ResponseAssembler(
          MOST_BYTES, (error, seq, buffer, body, length) -> received(error, buffer, body, length));
  private final byte[] chunk = new byte[CHUNK_BYTES];
  private final ByteBuffer in = ByteBuffer.wrap(chunk);
  private Script script;
  private Listener listener;
  private boolean busy;
  private IOException broken;

  Link(InetSocketAddress master) throws IOException {
    channel = SocketChannel.open(master);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    channel.configureBlocking(false);
  }

  SocketChannel channel() {
    return channel;
  }

  /** Sets what the link does from now on; nothing may be outstanding. */
  void follow(Script next, Listener told) {
    script = next;
    listener = told;
  }

  /** Begins the script's next operation; false if there is none. */
  boolean begin() throws IOException {
    Optional<KeyedFrame> frame = script.begin();
    busy = frame.isPresent();
    if (busy) {
      send(frame.get());
    }
    return busy;
  }

  boolean isBusy() {
    return busy;
  }

  private void send(KeyedFrame frame) throws IOException {
    ByteBuffer out = ByteBuffer.wrap(frame.bytes());
    while (out.hasRemaining()) {
      // With one request outstanding the socket's buffer takes all of it but in rare cases.
      if (channel.write(out) == 0) {
        Thread.onSpinWait();
      }
    }
  }

  /** Reads what has arrived and acts on it. */
  void readable() throws IOException {
    in.clear();
    int count = channel.read(in);
    if (count < 0) {
      throw new IOException("the master closed a connection");
    }
    assembler.feed(chunk, 0, count);
    if (broken != null) {
      throw broken;
    }
  }

  private void received(int errorCode, byte[] buffer, int body, int length) {
    try {
      if (errorCode != 0) {
        throw new IOException("RPC error " + errorCode);
      }
      Optional<KeyedFrame> next = script.answered(buffer, body, length);
      if (next.isPresent()) {
        send(next.get());
      } else {
        busy = false;
        listener.ended(this, script.outcome());
      }
    } catch (IOException e) {
      broken = e;
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
