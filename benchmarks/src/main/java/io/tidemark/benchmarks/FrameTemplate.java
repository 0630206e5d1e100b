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
 * written into them. Plain form, as v0.3.13.post1 takes it. One per connection.
 */
final class FrameTemplate {
  /** Length of every key. */
  static final int KEY_BYTES = 34;

  private static final int SEQ_AT = 4;

  private final byte[] frame;
  private final int[] keyAt;

  /**
   * Encodes a request whose keys are {@link #placeholder placeholders}.
   *
   * @param keys how many placeholders it has
   */
  FrameTemplate(Request request, int keys) {
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request, WireProfile.MAIN, 0, false, out);
    this.frame = out.toBytes();
    this.keyAt = new int[keys];
    String text = new String(frame, StandardCharsets.ISO_8859_1);
    for (int i = 0; i < keys; i++) {
      keyAt[i] = text.indexOf(placeholder(i));
    }
  }

  /** A key that stands for the {@code i}th. */
  static String placeholder(int i) {
    return String.format("#%033d", i);
  }

  /** The first {@code count} placeholders. */
  static List<String> placeholders(int count) {
    List<String> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(placeholder(i));
    }
    return keys;
  }

  /** The request's bytes; the same array each time. */
  byte[] frame() {
    return frame;
  }

  void sequence(int seq) {
    for (int i = 0; i < Integer.BYTES; i++) {
      frame[SEQ_AT + i] = (byte) (seq >>> 8 * i);
    }
  }

  /**
   * Writes the {@code i}th key: a prefix that tells connections apart, then a number.
   *
   * @param prefix shorter than a key by at least the digits of {@code number}
   */
  void key(int i, byte[] prefix, long number) {
    int at = keyAt[i];
    System.arraycopy(prefix, 0, frame, at, prefix.length);
    int digit = at + KEY_BYTES - 1;
    long left = number;
    for (; left > 0; left /= 10) {
      frame[digit--] = (byte) ('0' + left % 10);
    }
    Arrays.fill(frame, at + prefix.length, digit + 1, (byte) '0');
  }
}
