package io.tidemark.chaos.history;

/**
 * One change of a key, from the first time that a call for it was sent to the answer that says that
 * it happened. In between it may or may not have happened.
 */
public final class Change {
  static final long NEVER = Long.MAX_VALUE;

  /** What the change leads to. */
  public enum To {
    /** Nothing under that name: removed, revoked, or never written. */
    ABSENT,
    /** Started and not ended: the writer has a range, readers get nothing. */
    OPEN,
    /** Readable. */
    STORED
  }

  final To to;
  final boolean byRevocation;
  final long sentNanos;
  private volatile long doneNanos = NEVER;
  private volatile MemoryRange range;

  Change(To to, boolean byRevocation, MemoryRange range, long sentNanos) {
    this.to = to;
    this.byRevocation = byRevocation;
    this.range = range;
    this.sentNanos = sentNanos;
  }

  /** How a key begins. */
  static Change beginning() {
    Change none = new Change(To.ABSENT, false, null, Long.MIN_VALUE);
    none.doneNanos = Long.MIN_VALUE;
    return none;
  }

  void done(MemoryRange told, long nanos) {
    range = told;
    doneNanos = nanos;
  }

  /** When it was acknowledged, or never. */
  long doneNanos() {
    return doneNanos;
  }

  /** Where the object lies; null if nowhere, or if nobody was told. */
  MemoryRange range() {
    return range;
  }

  @Override
  public String toString() {
    String end = doneNanos == NEVER ? "never acknowledged" : "acknowledged " + doneNanos;
    return to
        + (byRevocation ? " by revocation" : "")
        + (range == null ? "" : " at " + range)
        + ", sent "
        + sentNanos
        + ", "
        + end;
  }
}
