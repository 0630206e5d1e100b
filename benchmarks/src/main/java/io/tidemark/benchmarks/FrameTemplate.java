package io.tidemark.benchmarks;

import io.tidemark.api.rpc.Request;
import io.tidemark.wire.RequestEncoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The bytes of one kind of request, encoded once; keys of fixed length and the sequence number are
 * written into them. One thread.
 */
public final class FrameTemplate {
  /** Length of a key, unless another one is asked for. */
  static final int KEY_BYTES = 34;

  private static final int SEQ_AT = 4;

  private final byte[] frame;
  private final int[] keyAt;
  private final int keyBytes;

  /**
   * Encodes a request whose keys are {@link #placeholder placeholders}, in plain form, as
   * v0.3.13.post1 takes it.
   *
   * @param keys how many placeholders it has
   */
  FrameTemplate(Request request, int keys) {
    this(request, placeholders(keys), WireProfile.MAIN, false);
  }

  /**
   * Encodes a request in the form of a release.
   *
   * @param placeholders the keys in the request, in its order: {@link #placeholders(int, int)}
   * @param literal whether to spell out the type, as upstream's release builds do
   */
  public FrameTemplate(
      Request request, List<String> placeholders, WireProfile profile, boolean literal) {
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request, profile, 0, literal, out);
    this.frame = out.toBytes();
    this.keyAt = new int[placeholders.size()];
    this.keyBytes = placeholders.get(0).length();
    String text = new String(frame, StandardCharsets.ISO_8859_1);
    int from = 0;
    for (int i = 0; i < keyAt.length; i++) {
      keyAt[i] = text.indexOf(placeholders.get(i), from);
      from = keyAt[i] + keyBytes;
    }
  }

  /** A key that stands for the {@code i}th. */
  static String placeholder(int i) {
    return placeholder(i, KEY_BYTES);
  }

  private static String placeholder(int i, int keyBytes) {
    return String.format("#%0" + (keyBytes - 1) + "d", i);
  }

  /** The first {@code count} placeholders. */
  static List<String> placeholders(int count) {
    return placeholders(count, KEY_BYTES);
  }

  /** The first {@code count} placeholders for keys of {@code keyBytes} bytes. */
  public static List<String> placeholders(int count, int keyBytes) {
    List<String> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(placeholder(i, keyBytes));
    }
    return keys;
  }

  /** The request's bytes; the same array each time. */
  public byte[] frame() {
    return frame;
  }

  /** Writes the sequence number, which the answer repeats. */
  public void sequence(int seq) {
    for (int i = 0; i < Integer.BYTES; i++) {
      frame[SEQ_AT + i] = (byte) (seq >>> 8 * i);
    }
  }

  /**
   * Writes the {@code i}th key: a prefix that tells connections apart, then a number.
   *
   * @param prefix shorter than a key by at least the digits of {@code number}
   */
  public void key(int i, byte[] prefix, long number) {
    int at = keyAt[i];
    System.arraycopy(prefix, 0, frame, at, prefix.length);
    int digit = at + keyBytes - 1;
    long left = number;
    for (; left > 0; left /= 10) {
      frame[digit--] = (byte) ('0' + left % 10);
    }
    Arrays.fill(frame, at + prefix.length, digit + 1, (byte) '0');
  }
}
