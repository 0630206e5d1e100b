package io.tidemark.core.segment;

import java.util.Arrays;

/**
 * Open-addressing map from non-negative long to non-negative int without boxing. Not thread-safe.
 */
final class LongIntMap {
  static final int MISSING = -1;
  private static final long EMPTY = -1;

  private long[] keys = new long[16];
  private int[] values = new int[16];
  private int size;

  LongIntMap() {
    Arrays.fill(keys, EMPTY);
  }

  int get(long key) {
    int mask = keys.length - 1;
    for (int at = home(key, mask); keys[at] != EMPTY; at = at + 1 & mask) {
      if (keys[at] == key) {
        return values[at];
      }
    }
    return MISSING;
  }

  /** Adds a key that is not there. */
  void put(long key, int value) {
    if ((size + 1) * 2 > keys.length) {
      grow();
    }
    insert(key, value);
    size++;
  }

  /** Removes a key that is there. */
  void remove(long key) {
    int mask = keys.length - 1;
    int gap = home(key, mask);
    while (keys[gap] != key) {
      if (keys[gap] == EMPTY) {
        throw new IllegalStateException("no entry for " + key);
      }
      gap = gap + 1 & mask;
    }
    for (int at = gap + 1 & mask; keys[at] != EMPTY; at = at + 1 & mask) {
      if ((at - home(keys[at], mask) & mask) >= (at - gap & mask)) {
        keys[gap] = keys[at];
        values[gap] = values[at];
        gap = at;
      }
    }
    keys[gap] = EMPTY;
    size--;
  }

  private void insert(long key, int value) {
    int mask = keys.length - 1;
    int at = home(key, mask);
    while (keys[at] != EMPTY) {
      at = at + 1 & mask;
    }
    keys[at] = key;
    values[at] = value;
  }

  private void grow() {
    long[] oldKeys = keys;
    int[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new int[oldKeys.length * 2];
    Arrays.fill(keys, EMPTY);
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldKeys[i] != EMPTY) {
        insert(oldKeys[i], oldValues[i]);
      }
    }
  }

  private static int home(long key, int mask) {
    long hash = key * 0x9E3779B97F4A7C15L;
    return (int) (hash >>> 32) & mask;
  }
}
