package io.tidemark.api.state;

import io.tidemark.api.event.EventBuffer;
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

  /** The next record; objects come to {@link #object}. */
  void record(StateRecord record);

  /**
   * The next object.
   *
   * @param object valid during the call
   * @param groupId its group, empty for none
   */
  default void object(ObjectView object, String groupId) {
    EventBuffer copy = new EventBuffer(256);
    StateRecordCodec.writeObject(object, groupId, copy);
    record(StateRecordCodec.read(EventBuffer.reading(copy.array(), 0, copy.position())));
  }

  /**
   * All records were given.
   *
   * @param digest digest of the state at the position (COR-28)
   * @param objectCount number of object records
   */
  void end(long digest, long objectCount);
}
