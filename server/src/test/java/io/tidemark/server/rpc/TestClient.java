package io.tidemark.server.rpc;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;

/** A client that speaks in bytes. */
public final class TestClient implements AutoCloseable {

  /** ExistKey of key "a" with sequence number 0, plain form of main. */
  public static final String EXIST_A =
      "1500000000000000095f38890e00000000000000d81ef97c01610764656661756c74";

  /** Its answer {@code true}. */
  public static final String TRUE = "15000000000000000600000000000000d200e8900101";

  private final Socket socket;
  private final OutputStream out;
  private final DataInputStream in;

  public TestClient(int port) {
    try {
      socket = new Socket("127.0.0.1", port);
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(20_000);
      out = socket.getOutputStream();
      in = new DataInputStream(socket.getInputStream());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A frame with another sequence number. */
  public static byte[] withSeq(String frameHex, int seq) {
    byte[] frame = bytes(frameHex);
    ByteBuffer.wrap(frame).order(ByteOrder.LITTLE_ENDIAN).putInt(4, seq);
    return frame;
  }

  public static byte[] bytes(String hex) {
    return HexFormat.of().parseHex(hex);
  }

  public void send(byte[] bytes) {
    try {
      out.write(bytes);
      out.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public void send(String hex) {
    send(bytes(hex));
  }

  /** The next response frame as hex. */
  public String receive() {
    try {
      byte[] header = in.readNBytes(16);
      if (header.length < 16) {
        throw new AssertionError("connection closed after " + header.length + " bytes of a header");
      }
      int length = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN).getInt(8);
      return HexFormat.of().formatHex(header) + HexFormat.of().formatHex(in.readNBytes(length));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The sequence number of the next response frame. */
  public int receiveSeq() {
    return ByteBuffer.wrap(bytes(receive())).order(ByteOrder.LITTLE_ENDIAN).getInt(4);
  }

  /** Whether the server closes the connection without sending anything. */
  public boolean closedByServer() {
    try {
      return in.read() < 0;
    } catch (IOException reset) {
      return true;
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
