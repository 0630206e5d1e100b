package io.tidemark.core;

import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * One leadership term as readers and writers see it. A reader takes it once and checks it again
 * after granting its lease (COR-08). Any thread.
 */
final class Term {
  private final long epoch;
  private final LogClock clock;
  private final long leaseFloorMs;
  private final long placeFromMs;
  private final BooleanSupplier fenced;
  private volatile long committedIndex;
  private volatile Throwable endedBy;
  private volatile String endedBecause;

  /**
   * @param placeFromMs log time before which no memory is given out, 0 for at once
   * @param fenced whether the leadership may be over although nobody ended the term yet (COR-08)
   */
  Term(long epoch, LogClock clock, long leaseFloorMs, long placeFromMs, BooleanSupplier fenced) {
    this.epoch = epoch;
    this.clock = clock;
    this.leaseFloorMs = leaseFloorMs;
    this.placeFromMs = placeFromMs;
    this.fenced = fenced;
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

  /**
   * Whether memory may be given out. Not for a while behind a damaged snapshot: what seems free may
   * be where an object was that is missing, and may still be read or written (COR-09, COR-24).
   */
  boolean mayPlace() {
    return placeFromMs == 0 || nowMs() >= placeFromMs;
  }

  long committedIndex() {
    return committedIndex;
  }

  void committed(long index) {
    committedIndex = index;
  }

  boolean isServing() {
    return endedBecause == null && !isFenced();
  }

  /** Whether nothing may be answered any more, not even what is committed (COR-08). */
  boolean isFenced() {
    return fenced.getAsBoolean();
  }

  /** Ends the term; the first reason stays. */
  void end(String why) {
    end(why, null);
  }

  /** Ends the term for something that was thrown; the first reason stays. */
  synchronized void end(String why, Throwable cause) {
    if (endedBecause == null) {
      endedBy = cause;
      endedBecause = why;
    }
  }

  /** What was thrown when the term ended, if anything was. */
  Optional<Throwable> endedBy() {
    return Optional.ofNullable(endedBy);
  }

  /** Why the term ended, or null while it lasts. */
  String endedBecause() {
    return endedBecause;
  }
}
