package io.tidemark.chaos.load;

import io.tidemark.wire.ResponseAssembler;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** A connection on which the test sends any bytes. */
final class RawConnection implements AutoCloseable {
  private static final int ANSWER_LIMIT_MS = 10_000;
  private static final int MOST_BYTES = 1 << 20;

  /** An answer: its error code and the printable part of its body. */
  record Answer(int errorCode, int seq, String text) {}

  private final Socket socket = new Socket();
  private final Deque<Answer> answers = new ArrayDeque<>();
  private final ResponseAssembler assembler =
      new ResponseAssembler(
          MOST_BYTES,
          (code, seq, buffer, at, length) ->
              answers.add(
                  new Answer(
                      code,
                      seq,
                      new String(
                          Arrays.copyOfRange(buffer, at, at + length),
                          StandardCharsets.ISO_8859_1))));

  RawConnection(InetSocketAddress address) throws IOException {
    socket.setTcpNoDelay(true);
    socket.setSoTimeout(ANSWER_LIMIT_MS);
    socket.connect(address, ANSWER_LIMIT_MS);
  }

  void send(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** The next answer. */
  Answer answer() throws IOException {
    byte[] chunk = new byte[4_096];
    while (answers.isEmpty()) {
      int count = socket.getInputStream().read(chunk);
      if (count < 0) {
        throw new IOException("the master closed the connection");
      }
      assembler.feed(chunk, 0, count);
    }
    return answers.remove();
  }

  /** Whether the master closes the connection without an answer. */
  boolean isClosedByMaster() throws IOException {
    try {
      return socket.getInputStream().read() < 0;
    } catch (SocketException reset) {
      return true;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
