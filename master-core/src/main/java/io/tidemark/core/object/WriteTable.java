package io.tidemark.core.object;

import io.tidemark.api.state.StateRecord;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Unfinished writes in the order of their start. Touched by the holder of the core role only. */
public final class WriteTable {
  private final Map<ScopedKey, PendingWrite> byKey = new LinkedHashMap<>();

  /**
   * Up to this many connections keep their set although nothing is in it, so that not every write
   * makes a new one.
   */
  private static final int KEPT_CONNECTIONS = 1024;

  /** Soft state: keyed look-ups only, never iterated, so its order can't reach an event. */
  private final Map<Long, Set<PendingWrite>> byConnection = new HashMap<>();

  void add(PendingWrite write) {
    remove(write.key());
    byKey.put(write.key(), write);
  }

  void remove(ScopedKey key) {
    PendingWrite write = byKey.remove(key);
    if (write != null) {
      detach(write);
    }
  }

  /** The unfinished write of a key, or null. */
  public PendingWrite get(ScopedKey key) {
    return byKey.get(key);
  }

  public int size() {
    return byKey.size();
  }

  /** Oldest first. */
  public Collection<PendingWrite> all() {
    return Collections.unmodifiableCollection(byKey.values());
  }

  /** The writes as state records, oldest first. */
  public List<StateRecord.Write> export() {
    return byKey.values().stream().map(PendingWrite::export).toList();
  }

  /** Puts a write back at a restore. */
  public void restore(StateRecord.Write record) {
    add(PendingWrite.of(record));
  }

  /**
   * Keys of writes that started before log time {@code startedBeforeMs}, oldest first, at most
   * {@code limit}.
   */
  public List<ScopedKey> startedBefore(long startedBeforeMs, int limit) {
    List<ScopedKey> keys = new ArrayList<>();
    for (PendingWrite write : byKey.values()) {
      if (write.startMs() >= startedBeforeMs || keys.size() == limit) {
        break;
      }
      keys.add(write.key());
    }
    return keys;
  }

  /** Remembers which connection started a write. */
  public void attach(PendingWrite write, long connectionId) {
    if (connectionId != 0) {
      write.connectionId(connectionId);
      byConnection.computeIfAbsent(connectionId, id -> new LinkedHashSet<>()).add(write);
    }
  }

  /** A connection closed: its writers may resume at once (COR-11). */
  public void connectionClosed(long connectionId) {
    Set<PendingWrite> writes = byConnection.remove(connectionId);
    if (writes != null) {
      writes.forEach(write -> write.connectionId(0));
    }
  }

  private void detach(PendingWrite write) {
    Set<PendingWrite> siblings = byConnection.get(write.connectionId());
    if (siblings != null) {
      siblings.remove(write);
      if (siblings.isEmpty() && byConnection.size() > KEPT_CONNECTIONS) {
        byConnection.remove(write.connectionId());
      }
    }
  }
}
