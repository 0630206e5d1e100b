package io.tidemark.server.replication;

import io.tidemark.oplog.replication.Link;
import io.vertx.core.Context;
import io.vertx.core.buffer.Buffer;
import io.vertx.grpc.common.GrpcReadStream;
import io.vertx.grpc.common.GrpcWriteStream;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One end of a stream. {@link #send} and {@link #close} on any thread, on the streams' event loop
 * without a detour; everything else on that loop.
 */
final class GrpcLink implements Link {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcLink.class);

  /** What a message costs beside its bytes, so that many small ones count too. */
  private static final int OVERHEAD_BYTES = 256;

  private final Home home;
  private final String peer;
  private final AtomicLong unsentBytes = new AtomicLong();
  private final AtomicLong unreadBytes = new AtomicLong();
  private final AtomicInteger queued = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();
  private volatile boolean closed;
  private volatile Thread eventLoop;

  // The event loop's own.
  private GrpcReadStream<Buffer> in;
  private GrpcWriteStream<Buffer> out;
  private Runnable release = () -> {};
  private boolean heard;
  private boolean paused;
  private boolean released;

  /**
   * What all streams of a node share.
   *
   * @param context the streams' event loop
   * @param loop the node's
   */
  record Home(
      Context context, Executor loop, LinkEvents events, LinkLimits limits, LinkFigures figures) {}

  GrpcLink(Home home, String peer) {
    this.home = home;
    this.peer = peer;
  }

  boolean isClosed() {
    return closed;
  }

  // ---- the node's side

  @Override
  public void send(byte[] message) {
    if (closed || over.get()) {
      return;
    }
    int cost = message.length + OVERHEAD_BYTES;
    boolean fits = message.length <= home.limits().messageBytes();
    if (!fits || unsentBytes.addAndGet(cost) > home.limits().unsentBytes()) {
      home.figures().overflows.increment();
      home.context()
          .runOnContext(
              nothing ->
                  ended("a message of " + message.length + " bytes exceeds what may wait here"));
      return;
    }
    if (Thread.currentThread() == eventLoop && queued.get() == 0) {
      write(message, cost);
    } else {
      queued.incrementAndGet();
      home.context()
          .runOnContext(
              nothing -> {
                queued.decrementAndGet();
                write(message, cost);
              });
    }
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      // Behind what was sent before, whoever sent it.
      home.context().runOnContext(nothing -> finish());
    }
  }

  // ---- the event loop's side

  /** The stream's writing side is there. */
  void opened(GrpcWriteStream<Buffer> writer, Runnable whenOver) {
    eventLoop = Thread.currentThread();
    out = writer;
    release = whenOver;
    writer.exceptionHandler(cause -> ended("sending failed: " + cause));
    if (closed) {
      finish();
    }
  }

  /** The stream's reading side is there. */
  void receiving(GrpcReadStream<Buffer> reader) {
    in = reader;
    reader.exceptionHandler(cause -> ended("receiving failed: " + cause));
    reader.errorHandler(error -> ended("the other side ended with " + error));
    reader.invalidMessageHandler(broken -> ended("no whole message: " + broken.getMessage()));
    reader.endHandler(nothing -> ended("the other side ended the stream"));
    reader.handler(this::received);
  }

  /** A stream whose dialer says nothing serves nobody. */
  void expectWords() {
    home.context()
        .owner()
        .setTimer(
            home.limits().muteMs(),
            timer -> {
              if (!heard && !over.get() && !closed) {
                home.figures().mute.increment();
                ended("nothing was said for " + home.limits().muteMs() + " ms");
              }
            });
  }

  /** The stream is gone, or has to go; the first call counts. */
  void ended(String why) {
    if (!closed && !over.get()) {
      LOG.info("event=replication_stream_over peer={} why=\"{}\"", peer, why);
    }
    lost();
  }

  /** As {@link #ended}, of which enough was said. */
  void lost() {
    if (!over.compareAndSet(false, true)) {
      return;
    }
    if (!closed) {
      home.loop().execute(this::tellClosed);
    }
    letGo();
  }

  private void tellClosed() {
    if (!closed) {
      home.events().closed(this);
    }
  }

  private void received(Buffer message) {
    heard = true;
    if (closed || over.get()) {
      return;
    }
    int cost = message.length() + OVERHEAD_BYTES;
    if (unreadBytes.addAndGet(cost) > home.limits().unreadBytes() && !paused) {
      paused = true;
      home.figures().pauses.increment();
      in.pause();
    }
    byte[] bytes = message.getBytes();
    home.loop().execute(() -> deliver(bytes, cost));
  }

  /** On the node's loop. */
  private void deliver(byte[] message, int cost) {
    try {
      if (!closed) {
        home.events().message(this, message);
      }
    } finally {
      if (unreadBytes.addAndGet(-cost) <= home.limits().unreadBytes() / 2) {
        home.context().runOnContext(nothing -> goOnReceiving());
      }
    }
  }

  private void goOnReceiving() {
    if (paused && !over.get()) {
      paused = false;
      in.resume();
    }
  }

  private void write(byte[] message, int cost) {
    if (out == null || over.get()) {
      unsentBytes.addAndGet(-cost);
      return;
    }
    out.write(Buffer.buffer(message))
        .onComplete(
            done -> {
              unsentBytes.addAndGet(-cost);
              if (done.failed()) {
                ended("sending failed: " + done.cause());
              }
            });
  }

  /** Sends what was given, then lets go. */
  private void finish() {
    if (out == null || over.get()) {
      return;
    }
    over.set(true);
    out.end();
    home.context().owner().setTimer(home.limits().lingerMs(), timer -> letGo());
  }

  private void letGo() {
    if (!released) {
      released = true;
      if (out != null) {
        out.cancel();
      }
      release.run();
    }
  }
}
