package io.tidemark.server.replication;

import io.tidemark.oplog.replication.Link;
import io.vertx.core.Vertx;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** One node's streams, with a loop of its own and a record of what it was told. */
final class LinkEnd implements LinkEvents, AutoCloseable {
  private static final long LIMIT_SEC = 20;

  final LinkFigures figures = new LinkFigures();
  final BlockingQueue<Link> opened = new LinkedBlockingQueue<>();
  final BlockingQueue<Link> closed = new LinkedBlockingQueue<>();
  final BlockingQueue<Said> said = new LinkedBlockingQueue<>();
  final GrpcLinks links;
  private final ExecutorService loop = Executors.newSingleThreadExecutor();

  /** A message and the stream on which it came. */
  record Said(Link link, byte[] message) {}

  LinkEnd(LinkLimits limits) {
    links = new GrpcLinks(Vertx.vertx(), loop, this, limits, figures);
  }

  /** Opens its port. */
  LinkEnd listening() throws Exception {
    links
        .listen("127.0.0.1", 0)
        .toCompletionStage()
        .toCompletableFuture()
        .get(LIMIT_SEC, TimeUnit.SECONDS);
    return this;
  }

  String address() {
    return "127.0.0.1:" + links.port();
  }

  /** Keeps the loop from doing anything until the latch is counted down. */
  void hold(CountDownLatch until) {
    loop.execute(
        () -> {
          try {
            until.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }

  /** The next of what it is told; fails if nothing comes. */
  static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T value = queue.poll(LIMIT_SEC, TimeUnit.SECONDS);
    if (value == null) {
      throw new AssertionError("nothing came for " + LIMIT_SEC + " s");
    }
    return value;
  }

  @Override
  public void opened(Link link) {
    opened.add(link);
  }

  @Override
  public void message(Link link, byte[] message) {
    said.add(new Said(link, message));
  }

  @Override
  public void closed(Link link) {
    closed.add(link);
  }

  @Override
  public void close() throws Exception {
    links.close().toCompletionStage().toCompletableFuture().get(LIMIT_SEC, TimeUnit.SECONDS);
    loop.shutdownNow();
  }
}
