package io.tidemark.chaos.load;

import io.tidemark.api.rpc.Request;
import io.tidemark.wire.Frames;
import io.tidemark.wire.RequestEncoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Requests that went wrong on the way. */
final class BadFrames {
  private static final int FUNCTION_AT = 8;
  private static final int LENGTH_AT = 12;

  private BadFrames() {}

  static byte[] good(Request request, int seq) {
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request, WireProfile.MAIN, seq, false, out);
    return out.toBytes();
  }

  static byte[] withFunction(byte[] frame, int functionId) {
    return withInt(frame, FUNCTION_AT, functionId);
  }

  static byte[] withByte(byte[] frame, int at, int value) {
    byte[] changed = frame.clone();
    changed[at] = (byte) value;
    return changed;
  }

  /** The body's type hash is none that exists. */
  static byte[] withWrongHash(byte[] frame) {
    return withInt(frame, Frames.REQUEST_HEADER, 0x12345678);
  }

  /** The body ends {@code missing} bytes early, and the header says so. */
  static byte[] truncated(byte[] frame, int missing) {
    byte[] shorter = Arrays.copyOf(frame, frame.length - missing);
    return withInt(shorter, LENGTH_AT, shorter.length - Frames.REQUEST_HEADER);
  }

  /** Only the header, announcing a body of that many bytes. */
  static byte[] headerOnly(byte[] frame, int bodyBytes) {
    return withInt(Arrays.copyOf(frame, Frames.REQUEST_HEADER), LENGTH_AT, bodyBytes);
  }

  /** Sizes of four bytes, and the first of them says that 4 billion elements follow. */
  static byte[] withAbsurdCount(byte[] frame) {
    int body = Frames.REQUEST_HEADER;
    ByteBuffer absurd = ByteBuffer.allocate(body + 9).order(ByteOrder.LITTLE_ENDIAN);
    absurd.put(frame, 0, body + 4);
    absurd.put(body, (byte) (frame[body] | 1));
    absurd.put((byte) (2 << 3));
    absurd.putInt(-2);
    return withInt(absurd.array(), LENGTH_AT, 9);
  }

  private static byte[] withInt(byte[] frame, int at, int value) {
    byte[] changed = frame.clone();
    ByteBuffer.wrap(changed).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    return changed;
  }
}
