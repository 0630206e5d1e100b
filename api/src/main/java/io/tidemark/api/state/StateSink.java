package io.tidemark.api.state;

import io.tidemark.api.log.LogPosition;

/**
 * Takes the state at one log position, record by record, while the master serves. Called by the
 * thread that captures; may take its time, and may throw to give up: the capture is dropped, the
 * master goes on.
 */
public interface StateSink {

  /**
   * The cut: everything up to and including {@code position} is in the records, nothing behind it.
   */
  void begin(LogPosition position);

  /** The next record. */
  void record(StateRecord record);

  /**
   * All records were given.
   *
   * @param digest digest of the state at the position (COR-28)
   * @param objectCount number of object records
   */
  void end(long digest, long objectCount);
}
