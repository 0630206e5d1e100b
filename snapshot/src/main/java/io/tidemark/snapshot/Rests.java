package io.tidemark.snapshot;

import java.util.concurrent.locks.LockSupport;

/**
 * Rests of a thread that reads a snapshot while a master serves beside it, so that it takes no more
 * than about a quarter of one core. Not a synchronisation: it only takes time. One thread.
 */
final class Rests {
  private static final int STEPS_A_LOOK = 64;
  private static final long BURST_NANOS = 200_000;
  private static final long REST_FACTOR = 3;
  private static final long MAX_REST_NANOS = 5_000_000;

  private final boolean resting;
  private long steps;
  private long burstBegan = System.nanoTime();

  /**
   * @param resting whether to rest at all
   */
  Rests(boolean resting) {
    this.resting = resting;
  }

  /** A small piece of work was done; rests if that makes enough of them. */
  void step() {
    if (resting && ++steps % STEPS_A_LOOK == 0) {
      look();
    }
  }

  /** As {@link #step}, after a larger piece. */
  void look() {
    long worked = System.nanoTime() - burstBegan;
    if (resting && worked >= BURST_NANOS) {
      LockSupport.parkNanos(Math.min(MAX_REST_NANOS, worked * REST_FACTOR));
      burstBegan = System.nanoTime();
    }
  }
}
