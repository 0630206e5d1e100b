package io.tidemark.api.state;

import io.tidemark.api.event.UnknownEventException;

/**
 * Kinds of state records with their number in a snapshot. Numbers are for ever; a changed layout
 * gets a new version.
 */
public enum StateRecordType {
  FACTS(1),
  CLIENT(2),
  SEGMENT(3),
  DISCARD(4),
  OBJECT(5),
  WRITE(6);

  private final int code;

  StateRecordType(int code) {
    this.code = code;
  }

  /** Number in a snapshot. */
  public int code() {
    return code;
  }

  /** Layout version that this release writes. */
  public int version() {
    return 1;
  }

  static StateRecordType of(int code) {
    for (StateRecordType type : values()) {
      if (type.code == code) {
        return type;
      }
    }
    throw new UnknownEventException("unknown state record type " + code);
  }
}
