package io.tidemark.chaos.load;

import java.util.Optional;

/**
 * What a writer was told about one of its keys. Written by the writer's thread; read by the test
 * while no call is under way.
 */
final class KeyRecord {

  /** What was acknowledged last. */
  enum State {
    /** Removed, or never written. */
    ABSENT,
    /** A Start was acknowledged, its End not. */
    OPEN,
    /** Stored. */
    STORED
  }

  final String key;
  private volatile State state = State.ABSENT;
  private volatile RangeBook.Range range;
  private volatile boolean unsure;

  KeyRecord(String key) {
    this.key = key;
  }

  State state() {
    return state;
  }

  Optional<RangeBook.Range> range() {
    return Optional.ofNullable(range);
  }

  /**
   * Whether a call about the key is under way or was cut off, so that the state may have changed.
   */
  boolean isUnsure() {
    return unsure;
  }

  void asking() {
    unsure = true;
  }

  /** An answer arrived. */
  void is(State acknowledged, RangeBook.Range where) {
    range = where;
    state = acknowledged;
    unsure = false;
  }

  /** An answer arrived that changed nothing. */
  void unchanged() {
    unsure = false;
  }

  @Override
  public String toString() {
    return key + " " + state + (unsure ? " (unsure)" : "") + " " + range;
  }
}
