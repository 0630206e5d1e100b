package io.tidemark.benchmarks.figures;

import io.tidemark.api.rpc.Request;
import io.tidemark.wire.RequestEncoder;
import io.tidemark.wire.WireBuffer;
import io.tidemark.wire.schema.WireProfile;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A request encoded once, into which keys are written. So the generator spends next to nothing on a
 * request, whichever master it measures. Not thread-safe.
 */
final class KeyedFrame {
  /** Length of every key. */
  static final int KEY_BYTES = 34;

  private final byte[] bytes;
  private final int[] keyAt;

  /**
   * Encodes a request.
   *
   * @param request makes it for as many keys as it is given
   */
  KeyedFrame(int keys, Function<List<String>, Request> request) {
    List<String> marks =
        IntStream.range(0, keys).mapToObj(i -> String.format("#%033d", i)).toList();
    WireBuffer out = new WireBuffer();
    RequestEncoder.encode(request.apply(marks), WireProfile.MAIN, 0, false, out);
    bytes = out.toBytes();
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    keyAt = marks.stream().mapToInt(text::indexOf).toArray();
  }

  int keys() {
    return keyAt.length;
  }

  /** The frame, with the keys written last. */
  byte[] bytes() {
    return bytes;
  }

  /** Makes a key of a prefix and a number. */
  void key(int i, byte[] prefix, long number) {
    int at = keyAt[i];
    System.arraycopy(prefix, 0, bytes, at, prefix.length);
    long left = number;
    for (int digit = at + KEY_BYTES - 1; digit >= at + prefix.length; digit--) {
      bytes[digit] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }
}
