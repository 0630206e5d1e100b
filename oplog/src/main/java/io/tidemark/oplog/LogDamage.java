package io.tidemark.oplog;

import java.nio.file.Path;

/**
 * Where a log stops being readable, and why.
 *
 * @param file segment file of the first byte that is not as it should be
 * @param offsetBytes position of that byte's document in {@code file}
 * @param index the first entry that is affected
 * @param explanation one sentence for an operator
 */
public record LogDamage(Kind kind, Path file, long offsetBytes, long index, String explanation) {

  /** What follows from the damage. */
  public enum Kind {
    /** Nothing readable follows; a start cuts the log here and keeps the rest as evidence. */
    TORN_TAIL,
    /** Intact entries follow that depend on the damaged ones; a start is refused. */
    CORRUPT_MIDDLE
  }

  @Override
  public String toString() {
    return file + ", offset " + offsetBytes + ", entry " + index + ": " + explanation;
  }
}
