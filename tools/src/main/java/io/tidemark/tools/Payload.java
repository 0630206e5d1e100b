package io.tidemark.tools;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.oplog.EntryPlace;
import java.util.List;

/** The events of an entry; if they can't be read, the message says in which file and where. */
final class Payload {
  private Payload() {}

  /**
   * Decodes an entry.
   *
   * @throws UnknownEventException if a newer version wrote it
   * @throws LogFailureException if its bytes are no events
   */
  static List<Event> events(LogEntry entry, EntryPlace place) {
    try {
      return EventCodec.readAll(entry.payload());
    } catch (UnknownEventException newer) {
      throw newer;
    } catch (RuntimeException malformed) {
      throw new LogFailureException(
          at(entry, place)
              + ": its checksum fits, but it holds no events: "
              + malformed.getMessage(),
          malformed);
    }
  }

  /** File, offset and index of an entry. */
  static String at(LogEntry entry, EntryPlace place) {
    return place.file() + ", offset " + place.offsetBytes() + ", entry " + entry.header().index();
  }
}
