package io.tidemark.chaos.history;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;

/**
 * Whether a range was given to a writer while it was certainly another one's (COR-09). It certainly
 * is from the answer that gives it out until a call is sent that may free it, and longer if a
 * reader's lease on it, or the quarantine of a write that was given up, lasts longer.
 */
final class RangeChecker {
  private static final long NANOS_PER_MS = 1_000_000;

  private final long quarantineNanos;

  RangeChecker(long quarantineMs) {
    this.quarantineNanos = quarantineMs * NANOS_PER_MS;
  }

  /** A range that somebody certainly has from one time to another. */
  private record Holding(String holder, MemoryRange range, long from, long until) {
    @Override
    public String toString() {
      return range + " of " + holder + " (" + from + " to " + until + ")";
    }
  }

  List<String> violations(History history) {
    List<Holding> holdings = new ArrayList<>();
    for (KeyHistory key : history.all()) {
      addHoldings(key, holdings);
    }
    holdings.sort(Comparator.comparingLong(Holding::from));
    List<String> violations = new ArrayList<>();
    PriorityQueue<Holding> ending = new PriorityQueue<>(Comparator.comparingLong(Holding::until));
    Map<String, TreeMap<Long, Holding>> present = new HashMap<>();
    for (Holding next : holdings) {
      while (!ending.isEmpty() && ending.peek().until() <= next.from()) {
        Holding over = ending.poll();
        present.get(over.range().endpoint()).remove(over.range().address(), over);
      }
      TreeMap<Long, Holding> ranges =
          present.computeIfAbsent(next.range().endpoint(), endpoint -> new TreeMap<>());
      for (Holding other : neighbours(ranges, next.range())) {
        violations.add("given out twice: " + next + " while " + other);
      }
      ranges.put(next.range().address(), next);
      ending.add(next);
    }
    return violations;
  }

  private static List<Holding> neighbours(TreeMap<Long, Holding> ranges, MemoryRange range) {
    List<Holding> found = new ArrayList<>();
    Map.Entry<Long, Holding> below = ranges.floorEntry(range.address());
    if (below != null && below.getValue().range().overlaps(range)) {
      found.add(below.getValue());
    }
    found.addAll(
        ranges.subMap(range.address(), false, range.address() + range.sizeBytes(), false).values());
    return found;
  }

  private void addHoldings(KeyHistory key, List<Holding> holdings) {
    Map<MemoryRange, Long> leased = new HashMap<>();
    for (Read read : key.reads()) {
      if (read.seen() == Read.Seen.FOUND) {
        leased.merge(read.range(), read.sentNanos() + read.leaseMs() * NANOS_PER_MS, Math::max);
      }
    }
    List<Change> states = key.changes();
    for (int i = 0; i < states.size(); i++) {
      Change start = states.get(i);
      if (start.to == Change.To.OPEN && start.range() != null) {
        long until = until(states, i + 1, leased.getOrDefault(start.range(), Long.MIN_VALUE));
        if (until > start.doneNanos()) {
          holdings.add(new Holding(key.key(), start.range(), start.doneNanos(), until));
        }
      }
    }
  }

  private long until(List<Change> states, int next, long leasedUntil) {
    for (Change change : states.subList(next, states.size())) {
      if (change.to != Change.To.STORED) {
        long freed = change.sentNanos + (change.byRevocation ? quarantineNanos : 0);
        return Math.max(freed, leasedUntil);
      }
    }
    return Long.MAX_VALUE;
  }
}
