package io.tidemark.oplog;

import net.openhft.hashing.LongHashFunction;

/** The hash that chains entries: XXH3 of 64 bits, seed 0. Detects accidents, not forgers. */
final class ChainHash {
  private static final LongHashFunction XXH3 = LongHashFunction.xx3();

  private ChainHash() {}

  /** Hash of a record without its checksum; the record names its predecessor's hash. */
  static long of(byte[] bytes, int offset, int length) {
    return XXH3.hashBytes(bytes, offset, length);
  }
}
