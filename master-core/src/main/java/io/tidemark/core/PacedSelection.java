package io.tidemark.core;

import java.util.Arrays;

/**
 * Finds the value of a rank among many without sorting them, in passes that count how many fall
 * into which part of the range that is left. Of a million lease ends two passes; sorting them would
 * keep a core from everybody for as long as it takes. One thread.
 */
final class PacedSelection {
  /** Values looked at between two looks at whether a rest is due. */
  static final int VALUES_A_STEP = 4096;

  private static final int PARTS_LOG2 = 12;

  private final Runnable rest;
  private final int[] counts = new int[1 << PARTS_LOG2];

  /**
   * @param rest called often
   */
  PacedSelection(Runnable rest) {
    this.rest = rest;
  }

  /** The {@code rank}-th smallest of the values, the smallest being the first. */
  long ofRank(LongList values, long rank) {
    long low = Long.MAX_VALUE;
    long high = Long.MIN_VALUE;
    for (int i = 0; i < values.size(); i++) {
      low = Math.min(low, values.get(i));
      high = Math.max(high, values.get(i));
      restAt(i);
    }
    long left = rank;
    while (low < high) {
      int shift = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(high - low) - PARTS_LOG2);
      countParts(values, low, high, shift);
      int part = 0;
      while (left > counts[part]) {
        left -= counts[part++];
      }
      low += (long) part << shift;
      long width = (1L << shift) - 1;
      high = Long.compareUnsigned(high - low, width) <= 0 ? high : low + width;
    }
    return low;
  }

  /** How many values between {@code low} and {@code high} fall into each part. */
  private void countParts(LongList values, long low, long high, int shift) {
    Arrays.fill(counts, 0);
    for (int i = 0; i < values.size(); i++) {
      long value = values.get(i);
      if (value >= low && value <= high) {
        counts[(int) (value - low >>> shift)]++;
      }
      restAt(i);
    }
  }

  private void restAt(int i) {
    if (i % VALUES_A_STEP == 0) {
      rest.run();
    }
  }
}
