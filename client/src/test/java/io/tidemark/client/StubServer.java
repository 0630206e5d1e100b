package io.tidemark.client;

import io.tidemark.wire.FrameAssembler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A listener for one connection, whose answers the test writes byte by byte. */
final class StubServer implements AutoCloseable {

  /** A request that arrived. */
  record Arrival(int functionId, int seq) {}

  private final ServerSocket listener;
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();
  private volatile Socket socket;

  StubServer() throws IOException {
    listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    Thread thread = new Thread(this::serve, "stub-server");
    thread.setDaemon(true);
    thread.start();
  }

  InetSocketAddress address() {
    return new InetSocketAddress(listener.getInetAddress(), listener.getLocalPort());
  }

  Arrival next() throws InterruptedException {
    Arrival arrival = arrivals.poll(10, TimeUnit.SECONDS);
    if (arrival == null) {
      throw new AssertionError("no request within 10 s");
    }
    return arrival;
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  void hangUp() throws IOException {
    socket.close();
  }

  private void serve() {
    FrameAssembler requests =
        new FrameAssembler(
            1 << 20,
            (function, seq, buffer, at, length) -> arrivals.add(new Arrival(function, seq)));
    try {
      socket = listener.accept();
      byte[] chunk = new byte[4096];
      int count;
      while ((count = socket.getInputStream().read(chunk)) >= 0) {
        requests.feed(chunk, 0, count);
      }
    } catch (IOException endOfTest) {
      arrivals.clear();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    if (socket != null) {
      socket.close();
    }
  }
}
