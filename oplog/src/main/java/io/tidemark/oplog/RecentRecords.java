package io.tidemark.oplog;

/**
 * The records that were appended last, in memory: who follows the end of the log closely, to ship
 * it or to apply it, gets them without a read of the file for each batch. Their indexes follow one
 * another, and the last is the log's last.
 *
 * <p>Any thread. Records are added and forgotten by the appending thread.
 */
final class RecentRecords {
  /** Entries of an ordinary size that reach {@link #CAPACITY_BYTES}; a power of two. */
  private static final int SLOTS = 1 << 12;

  /** What is kept at most, bytes of records, but for the last one. */
  static final long CAPACITY_BYTES = 1 << 20;

  private final Recent[] slots = new Recent[SLOTS];

  // Guarded by this. Empty while first > last.
  private long first = 1;
  private long last;
  private long bytes;

  /**
   * One of them.
   *
   * @param record nobody changes it
   */
  record Recent(long index, long chainHash, byte[] record) {}

  /** A record was appended. One that does not follow the last begins anew. */
  synchronized void add(long index, long chainHash, byte[] record) {
    if (index != last + 1) {
      forget();
      first = index;
    }
    last = index;
    bytes += record.length;
    while (first < last && (bytes > CAPACITY_BYTES || last - first >= SLOTS)) {
      drop();
    }
    slots[slot(index)] = new Recent(index, chainHash, record);
  }

  /** The record of an index, null if it is not kept. */
  synchronized Recent at(long index) {
    return index >= first && index <= last ? slots[slot(index)] : null;
  }

  /** The log was cut, or begins elsewhere. */
  synchronized void forget() {
    while (first <= last) {
      drop();
    }
    first = 1;
    last = 0;
  }

  private void drop() {
    int slot = slot(first);
    bytes -= slots[slot].record().length;
    slots[slot] = null;
    first++;
  }

  private static int slot(long index) {
    return (int) (index & (SLOTS - 1));
  }
}
