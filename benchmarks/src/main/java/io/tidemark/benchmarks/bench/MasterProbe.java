package io.tidemark.benchmarks.bench;

import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.Frames;
import io.tidemark.wire.RequestEncoder;
import io.tidemark.wire.WireBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;

/**
 * Looks whether a master answers at an address, and if not, what does: most wrong addresses are the
 * admin port, or a master that is not up.
 */
final class MasterProbe {
  private static final Duration CONNECT_LIMIT = Duration.ofSeconds(5);
  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(3);
  private static final Duration HTTP_LIMIT = Duration.ofSeconds(1);
  private static final int HEAD = 16;
  private static final String HTTP = "HTTP/";
  private static final String WHAT_TO_DO = "; give the RPC port of a running master with --master";

  private final BenchPlan plan;

  MasterProbe(BenchPlan plan) {
    this.plan = plan;
  }

  /**
   * Sends one ServiceReady, which changes nothing, and looks at how the answer begins.
   *
   * @throws BenchException with a sentence about what is there instead of a master
   */
  void requireMaster() throws BenchException {
    if (plan.address().isUnresolved()) {
      throw wrong("no host is called '" + plan.address().getHostString() + "'");
    }
    WireBuffer ready = new WireBuffer();
    RequestEncoder.encode(
        new Request.NoArguments(Rpc.SERVICE_READY), plan.release().profile(), 1, true, ready);
    byte[] head;
    try (Socket socket = connect()) {
      head = ask(socket, ready.toBytes(), ANSWER_LIMIT);
    } catch (SocketTimeoutException silent) {
      throw isHttp()
          ? httpServer()
          : wrong(
              "what listens there takes connections, but did not answer a Mooncake client within "
                  + ANSWER_LIMIT.toSeconds()
                  + " s");
    } catch (IOException e) {
      throw closes(e.getMessage());
    }
    judge(head);
  }

  private void judge(byte[] head) throws BenchException {
    if (head.length == 0) {
      throw closes("it said nothing");
    }
    if ((head[0] & 0xff) == Frames.MAGIC && head.length == HEAD) {
      return;
    }
    String text = new String(head, StandardCharsets.ISO_8859_1);
    throw text.startsWith(HTTP)
        ? httpServer()
        : wrong(
            "what listens there is no Mooncake master: its answer begins with \""
                + text.replaceAll("[^ -~]", "?")
                + "\"");
  }

  private Socket connect() throws BenchException {
    Socket socket = new Socket();
    try {
      socket.connect(plan.address(), Math.toIntExact(CONNECT_LIMIT.toMillis()));
      return socket;
    } catch (ConnectException refused) {
      throw wrong("nothing listens there (" + refused.getMessage() + ")");
    } catch (SocketTimeoutException silent) {
      throw wrong(
          "no connection within " + CONNECT_LIMIT.toSeconds() + " s (a firewall, a wrong host?)");
    } catch (IOException e) {
      throw wrong("no connection (" + e.getMessage() + ")");
    }
  }

  /**
   * Sends bytes and reads how the answer begins; less than {@link #HEAD} bytes if it ends there.
   */
  private static byte[] ask(Socket socket, byte[] bytes, Duration limit) throws IOException {
    socket.getOutputStream().write(bytes);
    byte[] head = new byte[HEAD];
    int have = 0;
    InputStream in = socket.getInputStream();
    long end = System.nanoTime() + limit.toNanos();
    while (have < HEAD) {
      long leftMs = (end - System.nanoTime()) / 1_000_000;
      if (leftMs <= 0) {
        throw new SocketTimeoutException("no whole answer");
      }
      socket.setSoTimeout(Math.toIntExact(leftMs));
      int count = in.read(head, have, HEAD - have);
      if (count < 0) {
        return Arrays.copyOf(head, have);
      }
      have += count;
    }
    return head;
  }

  /** Most HTTP servers wait for the end of a line that a Mooncake client never sends. */
  private boolean isHttp() throws BenchException {
    byte[] request = "GET / HTTP/1.0\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1);
    try (Socket socket = connect()) {
      byte[] head = ask(socket, request, HTTP_LIMIT);
      return new String(head, StandardCharsets.ISO_8859_1).startsWith(HTTP);
    } catch (IOException neither) {
      return false;
    }
  }

  private BenchException httpServer() {
    return wrong("an HTTP server listens there (a master's admin port?)");
  }

  private BenchException closes(String how) {
    return wrong(
        "what listens there closes the connection when a Mooncake client speaks (" + how + ")");
  }

  private BenchException wrong(String what) {
    return BenchException.noMaster(plan.target() + ": " + what + WHAT_TO_DO);
  }
}
