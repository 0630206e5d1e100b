package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;

/**
 * Where the log begins: entries up to and including {@code position} are not in it any more,
 * because a snapshot holds what they did. Files with lower numbers than {@code firstSegment} are
 * leftovers, whatever is in them.
 */
record LogBase(int firstSegment, LogPosition position) {

  /** A log that reaches back to its first entry. */
  static final LogBase FIRST_ENTRY = new LogBase(0, LogPosition.START);
}
