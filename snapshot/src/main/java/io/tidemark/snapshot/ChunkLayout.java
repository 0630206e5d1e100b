package io.tidemark.snapshot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Numbers of the chunk layout; see the package documentation. */
final class ChunkLayout {
  static final int VERSION = 1;

  static final int HEADER_BYTES = 24;
  static final int TRAILER_BYTES = 16;
  static final int FRAME_BYTES = 10;

  /** Longest body that a record may have; larger lengths are damage. */
  static final int MAX_BODY_BYTES = 8 << 20;

  static final int HEADER_MAGIC = 'T' | 'M' << 8 | 'S' << 16 | 'C' << 24;
  static final int TRAILER_MAGIC = 'T' | 'M' << 8 | 'S' << 16 | 'E' << 24;
  static final byte SYNC_0 = (byte) 0xA5;
  static final byte SYNC_1 = (byte) 0x5D;

  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private ChunkLayout() {}

  static int getInt(byte[] bytes, int at) {
    return (int) INT.get(bytes, at);
  }

  static void putInt(byte[] bytes, int at, int value) {
    INT.set(bytes, at, value);
  }

  static long getLong(byte[] bytes, int at) {
    return (long) LONG.get(bytes, at);
  }

  static void putLong(byte[] bytes, int at, long value) {
    LONG.set(bytes, at, value);
  }

  /** CRC32C of a range. */
  static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  /** CRC32C of a frame's length and body, without what stands between. */
  static int frameCrc(byte[] bytes, int frame, int bodyBytes) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, frame + 2, 4);
    crc.update(bytes, frame + FRAME_BYTES, bodyBytes);
    return (int) crc.getValue();
  }

  /** Writes a chunk's header at the beginning of an array. */
  static void putHeader(byte[] bytes, ChunkKind kind, int number, long index) {
    putInt(bytes, 0, HEADER_MAGIC);
    bytes[4] = VERSION;
    bytes[5] = (byte) kind.code();
    bytes[6] = 0;
    bytes[7] = 0;
    putInt(bytes, 8, number);
    putLong(bytes, 12, index);
    putInt(bytes, 20, crc(bytes, 0, 20));
  }

  /** Whether a chunk's trailer is at a place of an array. */
  static boolean isTrailer(byte[] bytes, int at, Manifest.Chunk chunk) {
    return getInt(bytes, at) == TRAILER_MAGIC
        && getInt(bytes, at + 12) == crc(bytes, at, 12)
        && getInt(bytes, at + 4) == chunk.records()
        && getInt(bytes, at + 8) == chunk.crc();
  }

  /**
   * Length of the body of a frame that may be at a place; negative if none can be.
   *
   * @param left bytes up to where the records end
   */
  static int bodyBytes(byte[] bytes, int at, long left) {
    if (left < FRAME_BYTES || bytes[at] != SYNC_0 || bytes[at + 1] != SYNC_1) {
      return -1;
    }
    int body = getInt(bytes, at + 2);
    boolean fits = body > 0 && body <= MAX_BODY_BYTES && body <= left - FRAME_BYTES;
    return fits ? body : -1;
  }

  /** Name of a chunk's file. */
  static String fileName(ChunkKind kind, int number) {
    return String.format("%s-%06d.chunk", kind.word(), number);
  }
}
