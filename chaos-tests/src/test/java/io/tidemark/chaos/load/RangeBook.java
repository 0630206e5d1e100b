package io.tidemark.chaos.load;

import io.tidemark.api.rpc.ReplicaDescriptor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Every range of memory that a master said somebody may write to, and whether it may be given to
 * somebody else yet. Thread-safe.
 *
 * <p>Answers of concurrent calls arrive in any order, so a range whose holder has asked for its
 * removal may be claimed by another before the holder hears of its success; if the removal then
 * turns out not to have happened, the claim was wrong.
 */
final class RangeBook {

  /** A range of one segment. */
  record Range(String endpoint, long address, long sizeBytes) {
    static Range of(ReplicaDescriptor descriptor) {
      ReplicaDescriptor.Memory memory = (ReplicaDescriptor.Memory) descriptor;
      return new Range(memory.transportEndpoint(), memory.bufferAddress(), memory.sizeBytes());
    }

    boolean overlaps(Range other) {
      return endpoint.equals(other.endpoint)
          && address < other.address + other.sizeBytes
          && other.address < address + sizeBytes;
    }
  }

  private static final class Holding {
    final Range range;
    final String holder;
    boolean releasing;
    String claimedBy;

    Holding(Range range, String holder) {
      this.range = range;
      this.holder = holder;
    }
  }

  private final Map<String, TreeMap<Long, Holding>> byEndpoint = new TreeMap<>();
  private final List<String> violations = new ArrayList<>();
  private long claims;

  /** A master gave a range to a holder. Saying so again changes nothing. */
  synchronized void claim(Range range, String holder) {
    claims++;
    TreeMap<Long, Holding> ranges =
        byEndpoint.computeIfAbsent(range.endpoint(), endpoint -> new TreeMap<>());
    for (Holding other : neighbours(ranges, range)) {
      if (other.holder.equals(holder) && other.range.equals(range)) {
        other.releasing = false;
        return;
      }
      if (!other.releasing) {
        violations.add(
            range + " was given to " + holder + " while " + other.holder + " has " + other.range);
      }
      other.claimedBy = holder;
      ranges.remove(other.range.address());
    }
    ranges.put(range.address(), new Holding(range, holder));
  }

  private static List<Holding> neighbours(TreeMap<Long, Holding> ranges, Range range) {
    List<Holding> found = new ArrayList<>();
    Map.Entry<Long, Holding> below = ranges.floorEntry(range.address());
    if (below != null && below.getValue().range.overlaps(range)) {
      found.add(below.getValue());
    }
    ranges
        .subMap(range.address(), false, range.address() + range.sizeBytes(), false)
        .values()
        .forEach(found::add);
    return found;
  }

  /** The holder is about to ask for the end of its claim. */
  synchronized void releasing(Range range) {
    Holding holding = find(range);
    if (holding != null) {
      holding.releasing = true;
    }
  }

  /** The claim has ended. */
  synchronized void released(Range range, String holder) {
    Holding holding = find(range);
    if (holding != null && holding.holder.equals(holder)) {
      byEndpoint.get(range.endpoint()).remove(range.address());
    }
  }

  /** The claim goes on after all. */
  synchronized void kept(Range range, String holder) {
    Holding holding = find(range);
    if (holding == null || !holding.holder.equals(holder)) {
      violations.add(range + " of " + holder + " was given away although it was not removed");
    } else {
      holding.releasing = false;
    }
  }

  private Holding find(Range range) {
    TreeMap<Long, Holding> ranges = byEndpoint.get(range.endpoint());
    Holding holding = ranges == null ? null : ranges.get(range.address());
    return holding != null && holding.range.equals(range) ? holding : null;
  }

  /** What must never happen and did. */
  synchronized List<String> violations() {
    return List.copyOf(violations);
  }

  /** How many ranges were given out. */
  synchronized long claims() {
    return claims;
  }
}
