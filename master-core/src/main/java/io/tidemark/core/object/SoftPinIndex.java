package io.tidemark.core.object;

import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Committed soft-pin deadlines, earliest first (objects specification, section 10.5): a heap with
 * lazily dropped entries that is rebuilt when it outgrows its registrations.
 *
 * <p>Touched by the holder of the core role; {@link #size} by any thread.
 */
public final class SoftPinIndex {
  private static final int MIN_HEAP_BEFORE_REBUILD = 4096;

  private record Entry(ScopedKey key, long deadlineMs, long order) {}

  private final Map<ScopedKey, Long> registered = new LinkedHashMap<>();
  private PriorityQueue<Entry> heap = newHeap();
  private long lastOrder;
  private volatile int size;

  private static PriorityQueue<Entry> newHeap() {
    return new PriorityQueue<>(
        Comparator.comparingLong(Entry::deadlineMs).thenComparingLong(Entry::order));
  }

  /** Registers, moves or, with deadline 0, drops the deadline of a key. */
  public void set(ScopedKey key, long deadlineMs) {
    if (deadlineMs == 0) {
      registered.remove(key);
    } else {
      Long before = registered.put(key, deadlineMs);
      if (before == null || before != deadlineMs) {
        heap.add(new Entry(key, deadlineMs, ++lastOrder));
      }
    }
    size = registered.size();
    if (heap.size() > Math.max(MIN_HEAP_BEFORE_REBUILD, 2 * registered.size())) {
      heap = newHeap();
      registered.forEach((pinned, deadline) -> heap.add(new Entry(pinned, deadline, ++lastOrder)));
    }
  }

  /**
   * Keys whose deadline is not after {@code nowMs}, at most {@code limit}. They stay registered
   * until set.
   */
  public List<ScopedKey> due(long nowMs, int limit) {
    Set<ScopedKey> due = new LinkedHashSet<>();
    List<Entry> kept = new ArrayList<>();
    while (due.size() < limit && !heap.isEmpty() && heap.peek().deadlineMs() <= nowMs) {
      Entry entry = heap.poll();
      Long current = registered.get(entry.key());
      boolean live = current != null && current == entry.deadlineMs();
      if (live && due.add(entry.key())) {
        kept.add(entry);
      }
    }
    heap.addAll(kept);
    return List.copyOf(due);
  }

  /** Earliest deadline that may be due; {@link Long#MAX_VALUE} if there is none. */
  public long nextDeadlineMs() {
    return heap.isEmpty() ? Long.MAX_VALUE : heap.peek().deadlineMs();
  }

  /** Number of pinned objects. */
  public int size() {
    return size;
  }

  int heapSize() {
    return heap.size();
  }
}
