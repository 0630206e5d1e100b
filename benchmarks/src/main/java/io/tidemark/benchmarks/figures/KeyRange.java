package io.tidemark.benchmarks.figures;

import java.nio.charset.StandardCharsets;

/**
 * Keys with numbers from {@code first} to before {@code next} under one prefix. Not thread-safe.
 */
final class KeyRange {
  private static final long LCG_FACTOR = 6364136223846793005L;
  private static final long LCG_STEP = 1442695040888963407L;

  private final byte[] prefix;
  private long first;
  private long next;
  private long random;

  /**
   * An empty range.
   *
   * @param name at most ten characters, another for each range
   */
  KeyRange(String name) {
    prefix = (name + "/").getBytes(StandardCharsets.ISO_8859_1);
    random = name.hashCode();
  }

  byte[] prefix() {
    return prefix;
  }

  long first() {
    return first;
  }

  long next() {
    return next;
  }

  long size() {
    return next - first;
  }

  void added(long count) {
    next += count;
  }

  void removed(long count) {
    first += count;
  }

  /** Forgets all keys; later ones have other numbers. */
  void clear() {
    first = next;
  }

  /** A key's number, each as likely as the others; the first one if there is none. */
  long any() {
    random = random * LCG_FACTOR + LCG_STEP;
    return first + (size() == 0 ? 0 : (random >>> 33) % size());
  }

  /** The key of a number. */
  String key(long number) {
    String start = new String(prefix, StandardCharsets.ISO_8859_1);
    String digits = Long.toString(number);
    return start + "0".repeat(KeyedFrame.KEY_BYTES - start.length() - digits.length()) + digits;
  }
}
