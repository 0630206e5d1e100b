package io.tidemark.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Layout of the two frame headers (coro-rpc wire, sections 1.2 and 1.3). Little-endian. */
public final class Frames {

  /** Bytes of a request header. */
  public static final int REQUEST_HEADER = 20;

  /** Bytes of a response header; it has no function id. */
  public static final int RESPONSE_HEADER = 16;

  /** First byte of every frame. */
  public static final int MAGIC = 0x15;

  /** {@code err_code} that announces a 16-bit code in the body (section 2). */
  public static final int WIDE_ERROR = 255;

  /** Default cap on body plus attachment (section 1.5). */
  public static final int DEFAULT_MAX_BYTES = 256 * 1024 * 1024;

  static final int SEQ_AT = 4;
  static final int FUNCTION_AT = 8;
  static final int REQUEST_LENGTH_AT = 12;
  static final int RESPONSE_LENGTH_AT = 8;

  static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Frames() {}

  /** Reads the integer at {@code at}. */
  static int intAt(byte[] buffer, int at) {
    return (int) INT.get(buffer, at);
  }

  /** Writes a request header with length 0; {@link #closeRequest} fills the length in. */
  static void openRequest(WireBuffer out, int functionId, int seq) {
    out.putInt(MAGIC);
    out.putInt(seq);
    out.putInt(functionId);
    out.putInt(0);
    out.putInt(0);
  }

  /** Sets the length of the request frame that starts at {@code start} and ends here. */
  static void closeRequest(WireBuffer out, int start) {
    out.setInt(start + REQUEST_LENGTH_AT, out.size() - start - REQUEST_HEADER);
  }

  /** Writes a response header with length 0; {@link #closeResponse} fills the length in. */
  static void openResponse(WireBuffer out, int errorCode, int seq) {
    out.putInt(MAGIC | errorCode << 16);
    out.putInt(seq);
    out.putInt(0);
    out.putInt(0);
  }

  /** Sets the length of the response frame that starts at {@code start} and ends here. */
  static void closeResponse(WireBuffer out, int start) {
    out.setInt(start + RESPONSE_LENGTH_AT, out.size() - start - RESPONSE_HEADER);
  }
}
