package io.tidemark.oplog.replication;

import java.util.EnumSet;
import java.util.Set;

/** How far a leader is with one connected standby. */
public enum StandbyPhase {
  /** The point up to which both logs agree is being looked for. */
  PROBE,
  /** It was found; the standby cuts what is behind it. */
  TRUNCATE,
  /** The logs have nothing in common; the standby is sent a snapshot, and dials anew with it. */
  SNAPSHOT,
  /** Records are shipped as they are appended. */
  REPLICATE,
  /** The stream is over. */
  CLOSED;

  private Set<StandbyPhase> next() {
    return switch (this) {
      case PROBE -> EnumSet.of(TRUNCATE, SNAPSHOT, CLOSED);
      case SNAPSHOT -> EnumSet.of(CLOSED);
      case TRUNCATE -> EnumSet.of(REPLICATE, CLOSED);
      case REPLICATE -> EnumSet.of(CLOSED);
      case CLOSED -> EnumSet.noneOf(StandbyPhase.class);
    };
  }

  /** Whether this phase may be followed by {@code other}. */
  public boolean mayBecome(StandbyPhase other) {
    return next().contains(other);
  }

  /**
   * Goes on to another phase.
   *
   * @throws IllegalStateException if the table does not have the step
   */
  StandbyPhase to(StandbyPhase other) {
    if (!mayBecome(other)) {
      throw new IllegalStateException("a standby can't go from " + this + " to " + other);
    }
    return other;
  }
}
