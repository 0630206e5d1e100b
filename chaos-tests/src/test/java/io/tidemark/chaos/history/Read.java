package io.tidemark.chaos.history;

/**
 * What one reader was told of a key.
 *
 * @param range where it lies, if the reader asked for that and found it
 * @param leaseMs for how long the reader may go on using the range
 * @param from who answered
 */
public record Read(
    Seen seen, MemoryRange range, long leaseMs, long sentNanos, long doneNanos, String from) {

  /** What a reader saw. */
  public enum Seen {
    /** The object, and where it lies. */
    FOUND,
    /** That it exists. */
    EXISTS,
    /** That it does not exist, or is not readable. */
    EXISTS_NOT,
    /** That somebody writes it. */
    NOT_READY,
    /** That there is none. */
    NOT_FOUND
  }

  boolean fits(Change state) {
    return switch (seen) {
      case FOUND -> state.to == Change.To.STORED && range.equals(state.range());
      case EXISTS -> state.to == Change.To.STORED;
      case EXISTS_NOT -> state.to != Change.To.STORED;
      case NOT_READY -> state.to == Change.To.OPEN;
      case NOT_FOUND -> state.to == Change.To.ABSENT;
    };
  }
}
