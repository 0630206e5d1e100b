package io.tidemark.core.table;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One of the table's partitions: an index from key hash to slot, and the slots.
 *
 * <p>The lock is held for tens of nanoseconds at a time and never across I/O or a wait. Every
 * method but the lock's own requires it.
 */
public final class Stripe extends ReentrantLock {
  private static final long serialVersionUID = 1L;

  private static final int INITIAL_CAPACITY = 64;
  private static final long EMPTY = 0;
  private static final long NO_CAPTURE = -1;

  private final transient SlabArena arena = new SlabArena();
  private final transient ObjectCursor probe = new ObjectCursor();

  /**
   * Entry = low 32 bits of the hash, then slot + 1; 0 is empty. Linear probing, at most two thirds
   * full.
   */
  private long[] index = new long[INITIAL_CAPACITY];

  private int size;
  private long lastRemovalIndex;

  /** While a capture has not come by: records up to this index are kept for it; else NO_CAPTURE. */
  private long captureCut = NO_CAPTURE;

  private transient List<byte[]> preserved = new ArrayList<>();

  Stripe() {}

  /** Positions {@code cursor} on the object; false if there is none. */
  public boolean find(ScopedKey key, ObjectCursor cursor) {
    int at = locate(key);
    if (at < 0) {
      return false;
    }
    point(cursor, slot(index[at]));
    return true;
  }

  /**
   * Creates a record with room for {@code replicaCount} replicas; there must be none for the key.
   */
  void insert(ScopedKey key, int replicaCount, ObjectCursor cursor) {
    if ((size + 1) * 3L > index.length * 2L) {
      grow();
    }
    int bytes = ObjectCursor.recordBytes(replicaCount, key.bytes().length);
    int ref = arena.allocate(bytes);
    point(cursor, ref);
    cursor.initialise(bytes, key, replicaCount);
    place(key.hash(), ref);
    size++;
  }

  /** Erases a record; {@code logIndex} is what a miss has to wait for from now on (COR-02). */
  void remove(ScopedKey key, long logIndex) {
    int at = locate(key);
    if (at < 0) {
      throw new IllegalStateException("no record to erase for key " + key);
    }
    int ref = slot(index[at]);
    point(probe, ref);
    arena.free(ref, probe.recordBytes());
    closeGap(at);
    size--;
    lastRemovalIndex = Math.max(lastRemovalIndex, logIndex);
  }

  /** Log index of the newest removal: absence in this stripe is certain once it is committed. */
  public long lastRemovalIndex() {
    return lastRemovalIndex;
  }

  public int size() {
    return size;
  }

  long usedBytes() {
    return arena.usedBytes() + 8L * index.length;
  }

  /**
   * Visits records from index position {@code from} on.
   *
   * <p>A slice ends only at an empty position: removals move entries back within their probe chain,
   * never across an empty position, so an object that stays is not missed between two slices.
   *
   * @return position to go on from, or -1 at the end
   */
  int scan(int from, int maxRecords, ObjectCursor cursor, RecordVisitor visitor) {
    int seen = 0;
    for (int at = from; at < index.length; at++) {
      if (index[at] != EMPTY) {
        seen++;
        point(cursor, slot(index[at]));
        visitor.record(cursor);
      } else if (seen >= maxRecords) {
        return at;
      }
    }
    return -1;
  }

  /** Begins to keep the records as they are at log index {@code cut} until they are captured. */
  void startCapture(long cut) {
    captureCut = cut;
    preserved = new ArrayList<>();
  }

  /** Before a record's first change after the cut: keeps a copy; returns the bytes that took. */
  int preserve(ObjectCursor object) {
    if (captureCut == NO_CAPTURE || object.lastIndex() > captureCut) {
      return 0;
    }
    byte[] copy = object.rawCopy();
    preserved.add(copy);
    return copy.length;
  }

  /** Copies the records of the stripe at the cut; ends the capture of the stripe. */
  void takeCapture(RecordBuffer into) {
    long cut = captureCut;
    preserved.forEach(into::add);
    scan(
        0,
        Integer.MAX_VALUE,
        new ObjectCursor(),
        object -> {
          if (object.lastIndex() <= cut) {
            into.add(object);
          }
        });
    dropCapture();
  }

  /** Forgets what was kept. */
  void dropCapture() {
    captureCut = NO_CAPTURE;
    preserved = new ArrayList<>();
  }

  /** Length of the index; a scan position is only good while it is unchanged. */
  int capacity() {
    return index.length;
  }

  private int locate(ScopedKey key) {
    int mask = index.length - 1;
    int tag = (int) key.hash();
    for (int at = home(tag, mask); index[at] != EMPTY; at = at + 1 & mask) {
      if ((int) (index[at] >>> 32) == tag) {
        point(probe, slot(index[at]));
        if (probe.keyEquals(key.bytes())) {
          return at;
        }
      }
    }
    return -1;
  }

  private void place(long hash, int ref) {
    int mask = index.length - 1;
    int tag = (int) hash;
    int at = home(tag, mask);
    while (index[at] != EMPTY) {
      at = at + 1 & mask;
    }
    index[at] = (long) tag << 32 | ref + 1L & 0xffffffffL;
  }

  private void grow() {
    long[] old = index;
    index = new long[old.length * 2];
    for (long entry : old) {
      if (entry != EMPTY) {
        place(entry >>> 32, slot(entry));
      }
    }
  }

  /** Moves later entries of the probe chain back, so that no tombstones are needed. */
  private void closeGap(int removed) {
    int mask = index.length - 1;
    int gap = removed;
    for (int at = gap + 1 & mask; index[at] != EMPTY; at = at + 1 & mask) {
      int home = home((int) (index[at] >>> 32), mask);
      if ((at - home & mask) >= (at - gap & mask)) {
        index[gap] = index[at];
        gap = at;
      }
    }
    index[gap] = EMPTY;
  }

  private static int home(int tag, int mask) {
    return tag * 0x9E3779B9 >>> 7 & mask;
  }

  private static int slot(long entry) {
    return (int) entry - 1;
  }

  private void point(ObjectCursor cursor, int ref) {
    cursor.at(arena.page(ref), arena.offset(ref));
  }

  /** Receives a record during a scan, under the stripe's lock. */
  @FunctionalInterface
  public interface RecordVisitor {
    void record(ObjectCursor cursor);
  }
}
