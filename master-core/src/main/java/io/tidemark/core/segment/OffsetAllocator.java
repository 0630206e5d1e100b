package io.tidemark.core.segment;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Hands out ranges of one segment by Mooncake's offset allocator rules: 256 bins whose sizes are
 * small floats with three mantissa bits, requests rounded up to a bin, free regions filed down,
 * most recently filed region first, neighbours merged on free (objects specification, section
 * 18.1).
 *
 * <p>Only free regions are kept: what is taken is in the objects' records and on the discard list.
 * {@link #find} changes nothing; the applier takes what an event says with {@link #take}. Sizes are
 * in units of the granule inside.
 *
 * <p>Called by the holder of the core role only.
 */
final class OffsetAllocator {
  private static final int MANTISSA_BITS = 3;
  private static final int MANTISSA_VALUES = 1 << MANTISSA_BITS;
  private static final int MANTISSA_MASK = MANTISSA_VALUES - 1;
  private static final int BINS = 256;
  private static final long LARGEST_BIN_UNITS = 4_026_531_840L;
  private static final int NONE = -1;

  private final long sizeBytes;
  private final long granuleBytes;
  private final int[] binHeads = new int[BINS];
  private final long[] binBits = new long[BINS / Long.SIZE];

  private long[] start = new long[16];
  private long[] length = new long[16];
  private int[] next = new int[16];
  private int[] previous = new int[16];
  private int nodeCount;
  private int freeNode = NONE;
  private final LongIntMap byStart = new LongIntMap();
  private final LongIntMap byEnd = new LongIntMap();
  private long freeUnits;

  OffsetAllocator(long sizeBytes) {
    this.sizeBytes = sizeBytes;
    long granule = 1;
    while (Long.divideUnsigned(sizeBytes, granule) > LARGEST_BIN_UNITS) {
      granule <<= 1;
    }
    granuleBytes = granule;
    Arrays.fill(binHeads, NONE);
    file(0, Long.divideUnsigned(sizeBytes, granule));
  }

  /** Bytes of the block that a request of {@code bytes} takes, 0 if no bin is large enough. */
  long blockBytes(long bytes) {
    long units = unitsFor(bytes);
    return units == 0 ? 0 : units * granuleBytes;
  }

  /** Offset in bytes at which a block for {@code bytes} is free, or -1. Changes nothing. */
  long find(long bytes) {
    long units = unitsFor(bytes);
    if (units == 0) {
      return -1;
    }
    int bin = firstNonEmpty(binRoundedUp(units));
    return bin < 0 ? -1 : start[binHeads[bin]] * granuleBytes;
  }

  /**
   * Takes the range [offset, offset + block), which must be free as a whole.
   *
   * @throws IllegalStateException if any part of it is not free
   */
  void take(long offsetBytes, long blockBytes) {
    long from = offsetBytes / granuleBytes;
    long units = blockBytes / granuleBytes;
    int node = byStart.get(from);
    if (node == LongIntMap.MISSING) {
      node = nodeContaining(from);
    }
    if (node == LongIntMap.MISSING || start[node] + length[node] < from + units) {
      throw new IllegalStateException(
          "range of "
              + blockBytes
              + " bytes at offset "
              + offsetBytes
              + " is not free; it would be handed out twice");
    }
    long nodeStart = start[node];
    long nodeEnd = nodeStart + length[node];
    unfile(node);
    if (nodeStart < from) {
      file(nodeStart, from - nodeStart);
    }
    if (from + units < nodeEnd) {
      file(from + units, nodeEnd - from - units);
    }
  }

  /** Packs a range for {@link #takeAll}; packed ranges sort by offset. */
  long pack(long offsetBytes, long blockBytes) {
    return (offsetBytes / granuleBytes << Integer.SIZE | blockBytes / granuleBytes)
        ^ Long.MIN_VALUE;
  }

  /**
   * Takes many ranges of a fresh segment at once, at a restore.
   *
   * @param packed ranges as {@link #pack} made them, sorted
   * @throws IllegalStateException if two overlap or one lies outside
   */
  void takeAll(long[] packed) {
    long end = start[0] + length[0];
    unfile(0);
    long at = 0;
    for (long range : packed) {
      long plain = range ^ Long.MIN_VALUE;
      long from = plain >>> Integer.SIZE;
      long units = plain & 0xffffffffL;
      if (from < at || from + units > end) {
        throw new IllegalStateException(
            "range of "
                + units * granuleBytes
                + " bytes at offset "
                + from * granuleBytes
                + " is taken twice or lies outside its segment");
      }
      file(at, from - at);
      at = from + units;
    }
    file(at, end - at);
  }

  /**
   * Takes whatever is still free of a range of bytes, rounded outwards to granules; returns the
   * parts taken.
   */
  List<Range> takeFreePartsOf(long offsetBytes, long bytes) {
    long from = offsetBytes / granuleBytes;
    long to = (offsetBytes + bytes + granuleBytes - 1) / granuleBytes;
    List<Range> taken = new ArrayList<>();
    for (int node = 0; node < nodeCount; node++) {
      if (length[node] > 0) {
        long partFrom = Math.max(from, start[node]);
        long partTo = Math.min(to, start[node] + length[node]);
        if (partFrom < partTo) {
          Range part = new Range(partFrom * granuleBytes, (partTo - partFrom) * granuleBytes);
          take(part.offsetBytes(), part.blockBytes());
          taken.add(part);
        }
      }
    }
    return taken;
  }

  /** A part of the segment in bytes. */
  record Range(long offsetBytes, long blockBytes) {}

  /**
   * Gives a block back and merges it with free neighbours.
   *
   * @throws IllegalStateException if it borders inside a free region, which means it was given back
   *     before
   */
  void free(long offsetBytes, long blockBytes) {
    long from = offsetBytes / granuleBytes;
    long to = from + blockBytes / granuleBytes;
    if (byStart.get(from) != LongIntMap.MISSING || byEnd.get(to) != LongIntMap.MISSING) {
      throw new IllegalStateException("range at offset " + offsetBytes + " is given back twice");
    }
    int left = byEnd.get(from);
    if (left != LongIntMap.MISSING) {
      from = start[left];
      unfile(left);
    }
    int right = byStart.get(to);
    if (right != LongIntMap.MISSING) {
      to = start[right] + length[right];
      unfile(right);
    }
    file(from, to - from);
  }

  long sizeBytes() {
    return sizeBytes;
  }

  long freeBytes() {
    return freeUnits * granuleBytes;
  }

  /** Largest request that is certain to fit, in bytes: the floor of the largest region's bin. */
  long largestFreeBytes() {
    for (int bin = BINS - 1; bin >= 0; bin--) {
      if (binHeads[bin] != NONE) {
        return binSize(bin) * granuleBytes;
      }
    }
    return 0;
  }

  private int nodeContaining(long unit) {
    for (int node = 0; node < nodeCount; node++) {
      if (length[node] > 0 && start[node] <= unit && unit < start[node] + length[node]) {
        return node;
      }
    }
    return LongIntMap.MISSING;
  }

  /** Units of the bin that a request rounds up to, 0 if there is none. */
  private long unitsFor(long bytes) {
    if (bytes <= 0) {
      return 0;
    }
    long units = (bytes - 1) / granuleBytes + 1;
    return units > LARGEST_BIN_UNITS ? 0 : binSize(binRoundedUp(units));
  }

  private void file(long from, long units) {
    if (units == 0) {
      return;
    }
    int node = newNode();
    start[node] = from;
    length[node] = units;
    int bin = binRoundedDown(Math.min(units, LARGEST_BIN_UNITS));
    next[node] = binHeads[bin];
    previous[node] = NONE;
    if (binHeads[bin] != NONE) {
      previous[binHeads[bin]] = node;
    }
    binHeads[bin] = node;
    binBits[bin >>> 6] |= 1L << bin;
    byStart.put(from, node);
    byEnd.put(from + units, node);
    freeUnits += units;
  }

  private void unfile(int node) {
    int bin = binRoundedDown(Math.min(length[node], LARGEST_BIN_UNITS));
    if (previous[node] == NONE) {
      binHeads[bin] = next[node];
      if (next[node] == NONE) {
        binBits[bin >>> 6] &= ~(1L << bin);
      }
    } else {
      next[previous[node]] = next[node];
    }
    if (next[node] != NONE) {
      previous[next[node]] = previous[node];
    }
    byStart.remove(start[node]);
    byEnd.remove(start[node] + length[node]);
    freeUnits -= length[node];
    length[node] = 0;
    next[node] = freeNode;
    freeNode = node;
  }

  private int newNode() {
    if (freeNode != NONE) {
      int node = freeNode;
      freeNode = next[node];
      return node;
    }
    if (nodeCount == start.length) {
      int capacity = nodeCount * 2;
      start = Arrays.copyOf(start, capacity);
      length = Arrays.copyOf(length, capacity);
      next = Arrays.copyOf(next, capacity);
      previous = Arrays.copyOf(previous, capacity);
    }
    return nodeCount++;
  }

  private int firstNonEmpty(int fromBin) {
    int word = fromBin >>> 6;
    if (word >= binBits.length) {
      return -1;
    }
    long bits = binBits[word] & -1L << fromBin;
    while (bits == 0) {
      if (++word == binBits.length) {
        return -1;
      }
      bits = binBits[word];
    }
    return word * Long.SIZE + Long.numberOfTrailingZeros(bits);
  }

  /** Smallest bin whose size is at least {@code units}. */
  static int binRoundedUp(long units) {
    if (units < MANTISSA_VALUES) {
      return (int) units;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(units) - MANTISSA_BITS;
    int bin = (shift + 1 << MANTISSA_BITS) + (int) (units >>> shift & MANTISSA_MASK);
    return (units & (1L << shift) - 1) == 0 ? bin : bin + 1;
  }

  /** Largest bin whose size is at most {@code units}. */
  static int binRoundedDown(long units) {
    if (units < MANTISSA_VALUES) {
      return (int) units;
    }
    int shift = Long.SIZE - 1 - Long.numberOfLeadingZeros(units) - MANTISSA_BITS;
    return (shift + 1 << MANTISSA_BITS) + (int) (units >>> shift & MANTISSA_MASK);
  }

  /** Units that a bin stands for. */
  static long binSize(int bin) {
    int exponent = bin >>> MANTISSA_BITS;
    long mantissa = bin & MANTISSA_MASK;
    return exponent == 0 ? mantissa : (mantissa | MANTISSA_VALUES) << exponent - 1;
  }
}
