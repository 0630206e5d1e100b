package io.tidemark.core.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * 64-bit hash of key bytes: word-wise multiply and fold, finished by a full avalanche. Same on
 * every machine.
 */
final class KeyHash {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long K1 = 0x9E3779B97F4A7C15L;
  private static final long K2 = 0xD6E8FEB86659FD93L;

  private KeyHash() {}

  static long of(byte[] bytes, int offset, int length) {
    long hash = length * K1;
    int at = offset;
    int end = offset + length;
    for (; at + 8 <= end; at += 8) {
      hash = mix(hash ^ (long) LONG.get(bytes, at));
    }
    long tail = 0;
    for (int shift = 0; at < end; at++, shift += 8) {
      tail |= (bytes[at] & 0xffL) << shift;
    }
    return finish(hash ^ tail * K2);
  }

  /** Also used for state digests. */
  static long mix(long value) {
    long product = value * K2;
    return (product ^ product >>> 32) * K1;
  }

  static long finish(long value) {
    long hash = (value ^ value >>> 32) * K2;
    hash = (hash ^ hash >>> 29) * K1;
    return hash ^ hash >>> 32;
  }
}
