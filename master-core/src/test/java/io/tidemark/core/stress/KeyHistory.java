package io.tidemark.core.stress;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.LogEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What the log says about each key after each entry: the truth that reads are held against. */
final class KeyHistory {
  /** Stands for a key without an object. */
  static final long ABSENT = 0;

  /** Stands for an object that nothing can be read of. */
  static final long UNREADABLE = -1;

  private record Change(long index, long state) {}

  private final Map<String, List<Change>> changes = new HashMap<>();

  /** Takes in the next entry. One replica an object is assumed. */
  void entry(LogEntry entry) {
    for (Event event : EventCodec.readAll(entry.payload())) {
      if (event instanceof Event.WriteStarted || event instanceof Event.WriteReopened) {
        add(((Event.ObjectEvent) event).key().key(), entry.header().index(), UNREADABLE);
      } else if (event instanceof Event.ReplicasCompleted completed
          && completed.replicaIds().length > 0) {
        add(completed.key().key(), entry.header().index(), completed.replicaIds()[0]);
      } else if (event instanceof Event.ReplicasDropped dropped) {
        add(
            dropped.key().key(),
            entry.header().index(),
            dropped.objectGone() ? ABSENT : UNREADABLE);
      }
    }
  }

  private void add(String key, long index, long state) {
    changes.computeIfAbsent(key, k -> new ArrayList<>()).add(new Change(index, state));
  }

  /** Whether a key had a state after some entry from {@code fromIndex} to {@code toIndex}. */
  boolean hadState(String key, long state, long fromIndex, long toIndex) {
    long current = ABSENT;
    for (Change change : changes.getOrDefault(key, List.of())) {
      if (change.index() > toIndex) {
        break;
      }
      if (change.index() > fromIndex && current == state) {
        return true;
      }
      current = change.state();
    }
    return current == state;
  }
}
