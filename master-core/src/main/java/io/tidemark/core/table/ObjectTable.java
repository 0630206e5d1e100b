package io.tidemark.core.table;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * All objects, spread over stripes by key hash.
 *
 * <p>Threads: any thread may take a stripe's lock and look things up; only the holder of the core
 * role inserts, removes and changes anything but leases.
 */
public final class ObjectTable {
  /** Number of stripes; a power of two. */
  public static final int STRIPES = 512;

  private static final int STRIPE_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(STRIPES);

  private final Stripe[] stripes = new Stripe[STRIPES];
  private final AtomicLong objectCount = new AtomicLong();
  private final AtomicBoolean captureHeld = new AtomicBoolean();
  private volatile boolean capturing;

  /** Sum of the records' digests; touched by the holder of the core role only. */
  private long digest;

  /** What changing records may still add; written by the holder of the core role. */
  private volatile long preserveBudgetBytes;

  private volatile long hurryBelowBytes;

  /** An empty table. */
  public ObjectTable() {
    for (int i = 0; i < STRIPES; i++) {
      stripes[i] = new Stripe();
    }
  }

  /** The stripe that holds, or would hold, a key. */
  public Stripe stripeOf(ScopedKey key) {
    return stripes[(int) (key.hash() >>> STRIPE_SHIFT)];
  }

  /** Stripe {@code i} of {@link #STRIPES}. */
  public Stripe stripe(int i) {
    return stripes[i];
  }

  /** Creates a record under the held lock of its stripe. */
  public void insert(ScopedKey key, int replicaCount, ObjectCursor cursor) {
    stripeOf(key).insert(key, replicaCount, cursor);
    objectCount.incrementAndGet();
  }

  /** Erases a record under the held lock of its stripe. */
  public void remove(ScopedKey key, long logIndex) {
    stripeOf(key).remove(key, logIndex);
    objectCount.decrementAndGet();
  }

  public long objectCount() {
    return objectCount.get();
  }

  /** Bytes of records and indexes. */
  public long usedBytes() {
    long bytes = 0;
    for (Stripe stripe : stripes) {
      stripe.lock();
      try {
        bytes += stripe.usedBytes();
      } finally {
        stripe.unlock();
      }
    }
    return bytes;
  }

  /**
   * Visits every record, at most {@code sliceRecords} per hold of a stripe's lock. An object that
   * is there from start to end is visited at least once; one that comes or goes meanwhile may or
   * may not be; growth of a stripe restarts it, so a visitor must bear seeing an object twice.
   */
  public void scan(int sliceRecords, Stripe.RecordVisitor visitor) {
    scan(sliceRecords, visitor, () -> {});
  }

  /**
   * As {@link #scan(int, Stripe.RecordVisitor)}; {@code afterSlice} runs after each slice, without
   * the lock.
   */
  public void scan(int sliceRecords, Stripe.RecordVisitor visitor, Runnable afterSlice) {
    for (int i = 0; i < stripes.length; i++) {
      scanStripe(i, sliceRecords, visitor, afterSlice);
    }
  }

  /** Parts that a scan may take one by one with {@link #scanStripe}. */
  public int stripeCount() {
    return stripes.length;
  }

  /** As {@link #scan(int, Stripe.RecordVisitor, Runnable)}, of one part. */
  public void scanStripe(
      int number, int sliceRecords, Stripe.RecordVisitor visitor, Runnable afterSlice) {
    ObjectCursor cursor = new ObjectCursor();
    Stripe stripe = stripes[number];
    int position = 0;
    int capacity = -1;
    while (position >= 0) {
      stripe.lock();
      try {
        if (capacity != stripe.capacity()) {
          position = 0;
          capacity = stripe.capacity();
        }
        position = stripe.scan(position, sliceRecords, cursor, visitor);
      } finally {
        stripe.unlock();
      }
      afterSlice.run();
    }
  }

  // ---- digest (COR-28) --------------------------------------------------------------------------

  /**
   * Sum of the records' digests, modulo 2^64: equal for equal objects, whatever their order. Kept
   * up by {@link #digestChanged}; read by the holder of the core role, or at rest.
   */
  public long digest() {
    return digest;
  }

  /**
   * A record was changed, made or erased. By the holder of the core role.
   *
   * @param before the record's digest before, 0 for one that was made
   * @param after the record's digest after, 0 for one that was erased
   */
  public void digestChanged(long before, long after) {
    digest += after - before;
  }

  /** What {@link #digest} has to be, from the records as they are; takes each stripe's lock. */
  public long recomputedDigest() {
    long[] sum = new long[1];
    scan(Integer.MAX_VALUE, object -> sum[0] += object.digest());
    return sum[0];
  }

  // ---- capture (COR-27) -------------------------------------------------------------------------

  /**
   * Starts a capture of all records as they are at log index {@code cut}. Called while nothing
   * changes.
   *
   * @param maxPreservedBytes bound of what changing records may add meanwhile; above it the capture
   *     is given up
   */
  public void startCapture(long cut, long maxPreservedBytes) {
    if (!captureHeld.compareAndSet(false, true)) {
      throw new IllegalStateException("another capture has not ended yet");
    }
    preserveBudgetBytes = maxPreservedBytes;
    hurryBelowBytes = maxPreservedBytes / 2;
    capturing = true;
    for (Stripe stripe : stripes) {
      stripe.lock();
      try {
        stripe.startCapture(cut);
      } finally {
        stripe.unlock();
      }
    }
  }

  /** Before a change to a record, under its stripe's held lock. */
  public void preserve(Stripe stripe, ObjectCursor object) {
    if (capturing) {
      int bytes = stripe.preserve(object);
      if (bytes > 0) {
        long left = preserveBudgetBytes - bytes;
        preserveBudgetBytes = left;
        if (left < 0) {
          capturing = false;
        }
      }
    }
  }

  /** Whether half of what a capture may keep is used up, so that it should hurry. Any thread. */
  public boolean captureIsPressed() {
    return preserveBudgetBytes < hurryBelowBytes;
  }

  /**
   * Copies the records of stripe {@code i} at the cut.
   *
   * @param into holds them and nothing else then
   * @throws CaptureAbortedException if too much changed meanwhile
   */
  public void captureStripe(int i, RecordBuffer into) {
    into.clear();
    Stripe stripe = stripes[i];
    stripe.lock();
    try {
      if (!capturing) {
        throw new CaptureAbortedException();
      }
      stripe.takeCapture(into);
      into.rewind();
    } finally {
      stripe.unlock();
    }
  }

  /** Ends the capture; what was kept and not taken is dropped. */
  public void endCapture() {
    capturing = false;
    for (Stripe stripe : stripes) {
      stripe.lock();
      try {
        stripe.dropCapture();
      } finally {
        stripe.unlock();
      }
    }
    captureHeld.set(false);
  }

  /** More changed during a capture than it may keep in memory. */
  public static final class CaptureAbortedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CaptureAbortedException() {
      super(
          "more records changed during the capture than may be kept in memory; the next one may succeed");
    }
  }
}
