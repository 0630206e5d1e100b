package io.tidemark.wire;

import io.tidemark.api.Uuid;
import io.tidemark.wire.schema.TypeForm;
import java.util.Arrays;

/**
 * A growing byte buffer into which frames are written one after the other; reuse it.
 *
 * <p>It also knows the one thing about a message that is only known at its end: how wide its
 * container sizes are (coro-rpc wire, section 5.4). A writer assumes a width, and writes again if
 * {@link #closeMessage} says that it was too small. Not thread-safe.
 */
public final class WireBuffer {

  private static final int SMALLEST = 256;
  private static final int LARGEST = Integer.MAX_VALUE - 64;
  private static final int LARGEST_KEPT = 1024 * 1024;

  private byte[] bytes;
  private int size;

  private int messageStart;
  private int widthCode;
  private int neededWidthCode;
  private int lengthCode;
  private int lengthAt;

  public WireBuffer() {
    this(SMALLEST);
  }

  /** A buffer with room for {@code capacity} bytes before it grows. */
  public WireBuffer(int capacity) {
    bytes = new byte[capacity];
  }

  /** The bytes written; valid up to {@link #size} and only until the next write. */
  public byte[] array() {
    return bytes;
  }

  /** Number of bytes written. */
  public int size() {
    return size;
  }

  /** A copy of what was written. */
  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  /** Empties the buffer; a very large array is given up. */
  public void clear() {
    size = 0;
    if (bytes.length > LARGEST_KEPT) {
      bytes = new byte[SMALLEST];
    }
  }

  void truncate(int newSize) {
    size = newSize;
  }

  private int claim(int count) {
    int at = size;
    if (count > bytes.length - at) {
      if (count > LARGEST - at) {
        throw new IllegalStateException("a frame over 2 GiB cannot be written");
      }
      long doubled = Math.min(LARGEST, Math.max(SMALLEST, 2L * bytes.length));
      bytes = Arrays.copyOf(bytes, (int) Math.max(doubled, at + count));
    }
    size = at + count;
    return at;
  }

  void putByte(int value) {
    int at = claim(1);
    bytes[at] = (byte) value;
  }

  void putBool(boolean value) {
    putByte(value ? 1 : 0);
  }

  void putShort(int value) {
    int at = claim(Short.BYTES);
    Frames.SHORT.set(bytes, at, (short) value);
  }

  void putInt(int value) {
    int at = claim(Integer.BYTES);
    Frames.INT.set(bytes, at, value);
  }

  void putLong(long value) {
    int at = claim(Long.BYTES);
    Frames.LONG.set(bytes, at, value);
  }

  void putUuid(Uuid value) {
    int at = claim(2 * Long.BYTES);
    Frames.LONG.set(bytes, at, value.first());
    Frames.LONG.set(bytes, at + Long.BYTES, value.second());
  }

  void putBytes(byte[] source) {
    int at = claim(source.length);
    System.arraycopy(source, 0, bytes, at, source.length);
  }

  void setInt(int at, int value) {
    Frames.INT.set(bytes, at, value);
  }

  /** A container size in the width of the message. */
  void putSize(int value) {
    neededWidthCode = Math.max(neededWidthCode, widthCodeOf(value));
    switch (widthCode) {
      case 0 -> putByte(value);
      case 1 -> putShort(value);
      default -> putInt(value);
    }
  }

  /** A string, one byte a character. */
  @SuppressWarnings("deprecation") // The only copy of Latin-1 characters without a temporary array.
  void putText(String text) {
    int length = text.length();
    putSize(length);
    int at = claim(length);
    text.getBytes(0, length, bytes, at);
  }

  /** The code of the narrowest width that holds {@code value}: 0, 1, 2 for 1, 2, 4 bytes. */
  static int widthCodeOf(int value) {
    return value < 1 << 8 ? 0 : value < 1 << 16 ? 1 : 2;
  }

  /**
   * Prepares for a message.
   *
   * @param knownSize an element count that the message will contain, to get the width right at the
   *     first attempt; 0 if none is known
   */
  void prepareMessage(int knownSize) {
    widthCode = widthCodeOf(knownSize);
    neededWidthCode = 0;
    lengthCode = 1;
  }

  /** Writes the head of a message in plain form: what a server answers with. */
  void openMessage(TypeForm form) {
    openMessage(form, false, false);
  }

  /**
   * Writes the head of a message (coro-rpc wire, sections 5.1 and 5.2).
   *
   * @param literal whether the type literal is spelled out
   * @param totalLength whether the total length is given, as v0.3.14 does for some types
   */
  void openMessage(TypeForm form, boolean literal, boolean totalLength) {
    messageStart = size;
    lengthAt = -1;
    int meta = widthCode << 3 | (literal ? 0b100 : 0) | (totalLength ? lengthCode : 0);
    if (meta == 0) {
      putInt(form.hash());
      return;
    }
    putInt(form.hash() | 1);
    putByte(meta);
    if (totalLength) {
      lengthAt = claim(1 << lengthCode);
    }
    if (literal) {
      putBytes(form.literal());
      putByte(0);
    }
  }

  /**
   * Ends a message.
   *
   * @return whether it is well-formed; if not, cut it off and write it again, it will fit then
   */
  boolean closeMessage() {
    if (neededWidthCode > widthCode) {
      widthCode = neededWidthCode;
      return false;
    }
    if (lengthAt < 0) {
      return true;
    }
    int total = size - messageStart;
    if (lengthCode == 1 && total >= 1 << 16) {
      lengthCode = 2;
      return false;
    }
    if (lengthCode == 1) {
      Frames.SHORT.set(bytes, lengthAt, (short) total);
    } else {
      Frames.INT.set(bytes, lengthAt, total);
    }
    return true;
  }
}
