package io.tidemark.core;

/**
 * One leadership term as readers and writers see it. A reader takes it once and checks it again
 * after granting its lease (COR-08). Any thread.
 */
final class Term {
  private final long epoch;
  private final LogClock clock;
  private final long leaseFloorMs;
  private volatile long committedIndex;
  private volatile String endedBecause;

  Term(long epoch, LogClock clock, long leaseFloorMs) {
    this.epoch = epoch;
    this.clock = clock;
    this.leaseFloorMs = leaseFloorMs;
  }

  long epoch() {
    return epoch;
  }

  long nowMs() {
    return clock.nowMs();
  }

  /** Log time until which every object counts as leased (COR-24). */
  long leaseFloorMs() {
    return leaseFloorMs;
  }

  long committedIndex() {
    return committedIndex;
  }

  void committed(long index) {
    committedIndex = index;
  }

  boolean isServing() {
    return endedBecause == null;
  }

  /** Ends the term; the first reason stays. */
  synchronized void end(String why) {
    if (endedBecause == null) {
      endedBecause = why;
    }
  }

  /** Why the term ended, or null while it lasts. */
  String endedBecause() {
    return endedBecause;
  }
}
