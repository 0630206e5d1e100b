package io.tidemark.api.event;

import io.tidemark.api.Uuid;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.OptionalLong;

/** Growable little-endian byte buffer that events are written to and read from. Not thread-safe. */
public final class EventBuffer {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  /** Of 7 bits each: what 64 bits need. */
  private static final int MAX_VARINT_BYTES = 10;

  private byte[] bytes;
  private int position;
  private int limit;

  /** An empty buffer for writing. */
  public EventBuffer(int initialBytes) {
    bytes = new byte[initialBytes];
  }

  private EventBuffer(byte[] bytes, int offset, int length) {
    this.bytes = bytes;
    position = offset;
    limit = offset + length;
  }

  /** A buffer that reads {@code length} bytes from {@code offset} without copying. */
  public static EventBuffer reading(byte[] bytes, int offset, int length) {
    return new EventBuffer(bytes, offset, length);
  }

  /** The backing array; valid up to {@link #position()} after writing. */
  public byte[] array() {
    return bytes;
  }

  /** Bytes written, or the read position. */
  public int position() {
    return position;
  }

  /** Whether a reading buffer has more. */
  public boolean hasRemaining() {
    return position < limit;
  }

  /** Forgets everything written from {@code position} on. */
  public void truncate(int newPosition) {
    position = newPosition;
  }

  public void putByte(int value) {
    ensure(1);
    bytes[position++] = (byte) value;
  }

  public void putBoolean(boolean value) {
    putByte(value ? 1 : 0);
  }

  public void putInt(int value) {
    ensure(4);
    INT.set(bytes, position, value);
    position += 4;
  }

  public void putLong(long value) {
    ensure(8);
    LONG.set(bytes, position, value);
    position += 8;
  }

  public void putUuid(Uuid id) {
    putLong(id.first());
    putLong(id.second());
  }

  /** Length as an unsigned LEB128 number, then one byte a character. */
  @SuppressWarnings("deprecation") // the only getBytes that writes Latin-1 in place, without a copy
  public void putText(String wire) {
    int length = wire.length();
    putVarint(length);
    ensure(length);
    wire.getBytes(0, length, bytes, position);
    position += length;
  }

  /** Length as an unsigned LEB128 number, then the bytes. */
  public void putBytes(byte[] raw) {
    putBytes(raw, 0, raw.length);
  }

  /** As {@link #putBytes(byte[])}, of a range. */
  public void putBytes(byte[] raw, int offset, int length) {
    putVarint(length);
    ensure(length);
    System.arraycopy(raw, offset, bytes, position, length);
    position += length;
  }

  public void putVarint(long value) {
    ensure(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[position++] = (byte) (rest & 0x7f | 0x80);
      rest >>>= 7;
    }
    bytes[position++] = (byte) rest;
  }

  public void putOptional(OptionalLong value) {
    putBoolean(value.isPresent());
    if (value.isPresent()) {
      putLong(value.getAsLong());
    }
  }

  public void putLongs(long[] values) {
    putVarint(values.length);
    for (long value : values) {
      putVarint(value);
    }
  }

  public int getByte() {
    need(1);
    return bytes[position++] & 0xff;
  }

  public boolean getBoolean() {
    return getByte() != 0;
  }

  public int getInt() {
    need(4);
    int value = (int) INT.get(bytes, position);
    position += 4;
    return value;
  }

  public long getLong() {
    need(8);
    long value = (long) LONG.get(bytes, position);
    position += 8;
    return value;
  }

  /** Passes over some bytes. */
  public void skip(int length) {
    need(length);
    position += length;
  }

  public Uuid getUuid() {
    return new Uuid(getLong(), getLong());
  }

  public String getText() {
    int length = getCount(1);
    String wire = new String(bytes, position, length, StandardCharsets.ISO_8859_1);
    position += length;
    return wire;
  }

  public byte[] getBytes() {
    int length = getCount(1);
    byte[] raw = Arrays.copyOfRange(bytes, position, position + length);
    position += length;
    return raw;
  }

  public long getVarint() {
    byte[] from = bytes;
    int at = position;
    int end = Math.min(limit, at + MAX_VARINT_BYTES);
    long value = 0;
    for (int shift = 0; at < end; shift += 7) {
      byte b = from[at++];
      value |= (long) (b & 0x7f) << shift;
      if (b >= 0) {
        position = at;
        return value;
      }
    }
    position = at;
    need(1);
    throw new IllegalStateException("malformed number in an event at byte " + position);
  }

  /** A count of elements of at least {@code minBytes} each, checked against what is left. */
  public int getCount(int minBytes) {
    long count = getVarint();
    if (count < 0 || count > (limit - position) / minBytes) {
      throw new IllegalStateException("count " + count + " exceeds the event at byte " + position);
    }
    return (int) count;
  }

  public OptionalLong getOptional() {
    return getBoolean() ? OptionalLong.of(getLong()) : OptionalLong.empty();
  }

  public long[] getLongs() {
    long[] values = new long[getCount(1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = getVarint();
    }
    return values;
  }

  private void ensure(int more) {
    if (position + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, position + more));
    }
  }

  private void need(int more) {
    if (position + more > limit) {
      throw new IllegalStateException("event ends early at byte " + position);
    }
  }
}
