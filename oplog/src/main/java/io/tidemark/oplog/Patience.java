package io.tidemark.oplog;

import java.util.concurrent.locks.LockSupport;

/**
 * Tells a writer at work from a log that is torn: what a writer is in the middle of changes within
 * moments. Bounded: at most {@code retries} waits of 1 ms without progress, and at most as many
 * with.
 */
final class Patience {
  private static final long PAUSE_NANOS = 1_000_000;

  private final int retries;
  private int idle;
  private int busy;
  private long seenIndex = -1;

  /**
   * @param retries 0 if no writer can be there
   */
  Patience(int retries) {
    this.retries = retries;
  }

  /**
   * Waits a moment.
   *
   * @param index last entry that was read
   * @return false if there is no reason to wait (any more)
   */
  boolean waitFor(long index) {
    if (index == seenIndex) {
      idle++;
    } else if (seenIndex >= 0) {
      busy++;
      idle = 0;
    }
    seenIndex = index;
    if (idle >= retries) {
      return false;
    }
    LockSupport.parkNanos(PAUSE_NANOS);
    return true;
  }

  /** Whether the log grew at every look: somebody writes, faster than it settles. */
  boolean writerAtWork() {
    return busy >= retries;
  }
}
