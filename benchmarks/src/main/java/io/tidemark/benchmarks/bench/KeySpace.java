package io.tidemark.benchmarks.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * The keys of one load. A key is a prefix that no other load has, then a number with leading zeros;
 * so they take a bit each. Remembers what may be there, so that all of it can be removed. One
 * thread.
 */
final class KeySpace {
  /** Shortest key that has room for the prefix and every number. */
  static final int LEAST_KEY_BYTES = 24;

  /** Numbers of keys beside the filled ones begin here; fills never get this far. */
  private static final long FIRST_OWN = 10_000_000_000L;

  private static final int TRIES = 32;

  private final String prefix;
  private final byte[] prefixBytes;
  private final int keyBytes;
  private final int capacity;
  private final BitSet stored = new BitSet();
  private final Set<Long> own = new LinkedHashSet<>();
  private long first;
  private int taken;
  private int limit;
  private long nextOwn = FIRST_OWN;

  /**
   * An empty space.
   *
   * @param runId tells this load's keys from all others
   * @param capacity most keys between two {@link #forget}s
   */
  KeySpace(int runId, int keyBytes, int capacity) {
    this.prefix = String.format("tb%08x/", runId);
    this.prefixBytes = prefix.getBytes(StandardCharsets.ISO_8859_1);
    this.keyBytes = keyBytes;
    this.capacity = capacity;
    this.limit = capacity;
  }

  /** What every key begins with; not to be changed. */
  byte[] prefix() {
    return prefixBytes;
  }

  /** The key of a number. */
  String text(long number) {
    int digits = keyBytes - prefix.length();
    return prefix + String.format(Locale.ROOT, "%0" + digits + "d", number);
  }

  /** Lets {@link #take} give no more than a part of the capacity, until told otherwise. */
  void limit(int most) {
    limit = Math.min(most, capacity);
  }

  /** Lets {@link #take} give all of the capacity. */
  void unlimited() {
    limit = capacity;
  }

  /** The first of {@code count} numbers that were never used, or -1 if there are not as many. */
  long take(int count) {
    if (taken + count > limit) {
      return -1;
    }
    long from = first + taken;
    taken += count;
    return from;
  }

  /** Notes that the key of a taken number is there. */
  void stored(long number) {
    stored.set((int) (number - first));
  }

  /** How many keys are known to be there. */
  int size() {
    return stored.cardinality();
  }

  /** The number of a key that is there, each about as likely as the others. */
  long any(SplittableRandom random) {
    int index = 0;
    for (int i = 0; i < TRIES; i++) {
      index = random.nextInt(Math.max(1, taken));
      if (stored.get(index)) {
        return first + index;
      }
    }
    // Nearly all puts have failed; the nearest one that has not will do.
    return first + Math.max(0, Math.max(stored.nextSetBit(index), stored.previousSetBit(index)));
  }

  /** A number beside the filled ones, for a key that is removed soon. */
  long takeOwn() {
    own.add(nextOwn);
    return nextOwn++;
  }

  /** Notes that such a key is gone. */
  void ownGone(long number) {
    own.remove(number);
  }

  /** How many keys may be there, including puts that failed half way. */
  int mayBeThere() {
    return taken + own.size();
  }

  /** Some of the keys that may be there, to be removed. */
  List<String> chunk(int from, int count) {
    List<String> keys = new ArrayList<>(count);
    for (int i = from; i < Math.min(taken, from + count); i++) {
      keys.add(text(first + i));
    }
    if (keys.size() < count && from + count >= taken) {
      own.stream()
          .skip(Math.max(0, from - taken))
          .limit(count - keys.size())
          .forEach(number -> keys.add(text(number)));
    }
    return keys;
  }

  /** Begins anew, with numbers that were never used: the keys so far are gone. */
  void forget() {
    first += taken;
    taken = 0;
    stored.clear();
    own.clear();
    limit = capacity;
  }
}
