package io.tidemark.snapshot;

import java.util.concurrent.locks.LockSupport;

/**
 * Keeps a writer below a rate, so that a snapshot leaves the disk to the log. Not a
 * synchronisation: it only takes time. One thread.
 */
final class Throttle {
  private static final long NANOS_PER_SECOND = 1_000_000_000;

  private final long bytesPerSecond;
  private long freeAtNanos = System.nanoTime();

  /**
   * @param bytesPerSecond 0 for no limit
   */
  Throttle(long bytesPerSecond) {
    this.bytesPerSecond = bytesPerSecond;
  }

  /** Returns when {@code bytes} may be written. */
  void admit(int bytes) {
    if (bytesPerSecond <= 0) {
      return;
    }
    long now = System.nanoTime();
    while (freeAtNanos - now > 0) {
      LockSupport.parkNanos(freeAtNanos - now);
      if (Thread.currentThread().isInterrupted()) {
        throw new SnapshotException("the snapshot was stopped");
      }
      now = System.nanoTime();
    }
    freeAtNanos = now + (long) ((double) bytes / bytesPerSecond * NANOS_PER_SECOND);
  }
}
