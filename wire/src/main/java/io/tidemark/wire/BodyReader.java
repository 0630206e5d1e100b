package io.tidemark.wire;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/**
 * Reads the values of one message after the other (coro-rpc wire, sections 5.2, 5.5 and 5.9). Every
 * read is checked against the end of the body, and every announced count against the bytes that are
 * left, before anything is allocated. Throws {@link MalformedMessageException} otherwise. Not
 * thread-safe.
 */
final class BodyReader {

  private static final byte[] DEFAULT_TENANT =
      ObjectKey.DEFAULT_TENANT.getBytes(StandardCharsets.US_ASCII);
  private static final int LARGEST_FIRST_CAPACITY = 1024;

  private byte[] bytes = DEFAULT_TENANT;
  private int at;
  private int end;
  private int rawHash;
  private int sizeBytes;
  private boolean totalLength;

  /** Starts at the hash of a message. */
  void start(byte[] buffer, int offset, int length) {
    bytes = buffer;
    at = offset;
    end = offset + length;
    sizeBytes = 1;
    totalLength = false;
    rawHash = i32();
  }

  /** The type hash, without its flag. */
  int hash() {
    return rawHash & ~1;
  }

  /** Reads what stands between hash and payload. */
  void head(byte[] expectedLiteral) {
    if ((rawHash & 1) == 0) {
      return;
    }
    int meta = u8();
    int lengthCode = meta & 0b11;
    if (lengthCode != 0) {
      totalLength = true;
      skip(1 << lengthCode);
    }
    sizeBytes = 1 << (meta >> 3 & 0b11);
    if ((meta & 0b100) != 0) {
      int literalAt = at;
      skip(expectedLiteral.length + 1);
      int literalEnd = literalAt + expectedLiteral.length;
      boolean same =
          Arrays.equals(bytes, literalAt, literalEnd, expectedLiteral, 0, expectedLiteral.length);
      if (!same || bytes[literalEnd] != 0) {
        throw new MalformedMessageException(RefusalReason.LITERAL_MISMATCH);
      }
    }
  }

  /** Whether the head gave a total length, as only v0.3.14 does. */
  boolean hasTotalLength() {
    return totalLength;
  }

  /** Bytes of a container size in this message. */
  int sizeBytes() {
    return sizeBytes;
  }

  void skip(int count) {
    if (count > end - at) {
      throw new MalformedMessageException(RefusalReason.TRUNCATED);
    }
    at += count;
  }

  private int claim(int count) {
    int from = at;
    if (count > end - from) {
      throw new MalformedMessageException(RefusalReason.TRUNCATED);
    }
    at = from + count;
    return from;
  }

  int u8() {
    return bytes[claim(1)] & 0xff;
  }

  boolean bool() {
    return u8() != 0;
  }

  int u16() {
    return (short) Frames.SHORT.get(bytes, claim(Short.BYTES)) & 0xffff;
  }

  int i32() {
    return (int) Frames.INT.get(bytes, claim(Integer.BYTES));
  }

  long i64() {
    return (long) Frames.LONG.get(bytes, claim(Long.BYTES));
  }

  Uuid uuid() {
    int from = claim(2 * Long.BYTES);
    return new Uuid(
        (long) Frames.LONG.get(bytes, from), (long) Frames.LONG.get(bytes, from + Long.BYTES));
  }

  private long size() {
    return switch (sizeBytes) {
      case 1 -> u8();
      case 2 -> u16();
      case 4 -> Integer.toUnsignedLong(i32());
      default -> i64();
    };
  }

  /** An element count that the rest of the body can hold if an element takes that many bytes. */
  int count(int smallestElementBytes) {
    long count = size();
    if (count < 0 || count > (end - at) / Math.max(1, smallestElementBytes)) {
      throw new MalformedMessageException(RefusalReason.ABSURD_COUNT);
    }
    return (int) count;
  }

  private int textLength() {
    long length = size();
    if (length < 0 || length > end - at) {
      throw new MalformedMessageException(RefusalReason.TRUNCATED);
    }
    return (int) length;
  }

  String text() {
    int length = textLength();
    int from = claim(length);
    return length == 0 ? "" : new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  /** A tenant id; the usual one is not copied. */
  String tenant() {
    int length = textLength();
    int from = claim(length);
    return Arrays.equals(bytes, from, from + length, DEFAULT_TENANT, 0, DEFAULT_TENANT.length)
        ? ObjectKey.DEFAULT_TENANT
        : new String(bytes, from, length, StandardCharsets.ISO_8859_1);
  }

  void skipText() {
    skip(textLength());
  }

  List<String> texts() {
    int count = count(sizeBytes);
    List<String> texts = newList(count);
    for (int i = 0; i < count; i++) {
      texts.add(text());
    }
    return texts;
  }

  long[] longs() {
    int count = count(Long.BYTES);
    long[] values = new long[count];
    for (int i = 0; i < count; i++) {
      values[i] = i64();
    }
    return values;
  }

  OptionalLong optionalLong() {
    return bool() ? OptionalLong.of(i64()) : OptionalLong.empty();
  }

  /** A list for so many elements that does not trust the number for more than a start. */
  static <T> List<T> newList(int count) {
    return new ArrayList<>(Math.min(count, LARGEST_FIRST_CAPACITY));
  }
}
