package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.chaos.conformance.LooseOp.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What one master said in the loose arm, and whether that can be true: no range belongs to two live
 * objects, none to a leased or unfinished one and another, all lie in their segment.
 */
final class LooseLedger {
  /** A lease that has less than this left when the answer arrives protects nobody. */
  private static final long LEASE_SLACK_MS = 100;

  private record Place(String endpoint, long address, long sizeBytes) {
    static Place of(ReplicaDescriptor descriptor) {
      ReplicaDescriptor.Memory memory = (ReplicaDescriptor.Memory) descriptor;
      return new Place(memory.transportEndpoint(), memory.bufferAddress(), memory.sizeBytes());
    }
  }

  private static final class Entry {
    final LooseOp op;
    final List<Place> places;
    boolean open = true;
    long leasedUntilMs;

    Entry(LooseOp op, List<Place> places) {
      this.op = op;
      this.places = places;
    }
  }

  private final long leaseMs;
  private final Function<String, Optional<List<ReplicaDescriptor>>> reader;
  private final Map<String, SegmentInfo> segments = new HashMap<>();
  private final Map<String, Entry> entries = new LinkedHashMap<>();
  private final Map<String, TreeMap<Long, String>> holders = new HashMap<>();
  private final List<String> violations = new ArrayList<>();
  private final List<Kind> aliveKinds = new ArrayList<>();
  private final List<String> lostRecent = new ArrayList<>();
  private int started;
  private int full;
  private int otherRefusals;
  private int givenUp;
  private long aliveBytes;
  private int lostHardPinned;
  private int lostSoftPinned;
  private int softPinned;

  LooseLedger(long leaseMs, Function<String, Optional<List<ReplicaDescriptor>>> reader) {
    this.leaseMs = leaseMs;
    this.reader = reader;
  }

  void mounted(SegmentInfo segment) {
    segments.put(segment.teEndpoint(), segment);
  }

  /** A Start was refused. An upsert that is refused may cost the old object on upstream. */
  void refused(LooseOp op, boolean forLackOfMemory) {
    if (op.kind() == Kind.UPSERT) {
      forget(op.key());
    }
    if (forLackOfMemory) {
      full++;
    } else {
      otherRefusals++;
    }
  }

  void started(LooseOp op, List<ReplicaDescriptor> replicas) {
    started++;
    List<Place> places = replicas.stream().map(Place::of).toList();
    if (places.stream().map(Place::endpoint).distinct().count() < places.size()) {
      violations.add(op.key() + " has two replicas on one segment: " + places);
    }
    // What an upsert gives up stays reserved; nobody may get it during the test.
    Entry entry = new Entry(op, places);
    for (Place place : places) {
      claim(op.key(), place);
    }
    entries.put(op.key(), entry);
  }

  private void claim(String key, Place place) {
    SegmentInfo segment = segments.get(place.endpoint());
    if (segment == null
        || place.address() < segment.base()
        || place.address() + place.sizeBytes() > segment.base() + segment.sizeBytes()) {
      violations.add(key + " lies outside of its segment: " + place);
      return;
    }
    TreeMap<Long, String> byAddress =
        holders.computeIfAbsent(place.endpoint(), endpoint -> new TreeMap<>());
    for (String holder : overlapping(byAddress, place)) {
      if (!holder.equals(key)) {
        judgeOverlap(key, place, holder);
      }
    }
    byAddress.put(place.address(), key);
  }

  /** Holders whose recorded ranges overlap; their records are dropped, since the range is new. */
  private List<String> overlapping(TreeMap<Long, String> byAddress, Place place) {
    List<String> found = new ArrayList<>();
    long longest = LooseOp.SEGMENT_BYTES / 256;
    Map<Long, String> near =
        byAddress.subMap(
            place.address() - longest, true, place.address() + place.sizeBytes(), false);
    near.entrySet()
        .removeIf(
            at -> {
              boolean overlaps = overlaps(at.getKey(), at.getValue(), place);
              if (overlaps) {
                found.add(at.getValue());
              }
              return overlaps;
            });
    return found;
  }

  private boolean overlaps(long address, String holder, Place place) {
    Entry entry = entries.get(holder);
    return entry != null
        && entry.places.stream()
            .anyMatch(
                other ->
                    other.endpoint().equals(place.endpoint())
                        && other.address() == address
                        && other.address() < place.address() + place.sizeBytes()
                        && place.address() < other.address() + other.sizeBytes());
  }

  /** The earlier holder must have been evicted: not unfinished, not leased, not readable there. */
  private void judgeOverlap(String key, Place place, String holder) {
    Entry entry = entries.get(holder);
    if (entry.open) {
      violations.add(key + " was given " + place + " of the unfinished " + holder);
    } else if (entry.leasedUntilMs > ProtocolWait.nowMs()) {
      violations.add(key + " was given " + place + " of the leased " + holder);
    } else {
      List<ReplicaDescriptor> shown = reader.apply(holder).orElse(List.of());
      boolean still =
          shown.stream()
              .map(Place::of)
              .anyMatch(
                  other ->
                      other.endpoint().equals(place.endpoint())
                          && other.address() < place.address() + place.sizeBytes()
                          && place.address() < other.address() + other.sizeBytes());
      if (still) {
        violations.add(key + " was given " + place + " while " + holder + " is read there");
      }
    }
  }

  void ended(String key, int code) {
    if (code == 0) {
      entries.get(key).open = false;
    } else {
      violations.add("the End of " + key + " was refused with " + code);
    }
  }

  void revoked(String key, int code) {
    if (code == 0) {
      forget(key);
    } else {
      violations.add("the revoke of " + key + " was refused with " + code);
    }
  }

  void removed(String key, int code) {
    if (code == 0) {
      forget(key);
    }
  }

  private void forget(String key) {
    Entry entry = entries.remove(key);
    if (entry != null) {
      for (Place place : entry.places) {
        holders.get(place.endpoint()).remove(place.address(), key);
      }
    }
  }

  void existed(String key, boolean found) {
    if (found) {
      leased(key);
    }
  }

  void wasRead(String key, Optional<List<ReplicaDescriptor>> replicas) {
    Entry entry = entries.get(key);
    if (replicas.isEmpty()) {
      return;
    }
    if (entry == null) {
      return;
    }
    if (!entry.places.containsAll(replicas.get().stream().map(Place::of).toList())) {
      violations.add(key + " is read where it was not written: " + replicas.get());
    }
    leased(key);
  }

  private void leased(String key) {
    Entry entry = entries.get(key);
    if (entry != null) {
      entry.leasedUntilMs = ProtocolWait.nowMs() + leaseMs - LEASE_SLACK_MS;
    }
  }

  /** Reads everything at the end. */
  void takeStock() {
    List<String> keys = new ArrayList<>(entries.keySet());
    long recentBytes = 0;
    for (int i = keys.size() - 1; i >= 0; i--) {
      Entry entry = entries.get(keys.get(i));
      Optional<List<ReplicaDescriptor>> read =
          entry.open ? Optional.empty() : reader.apply(keys.get(i));
      boolean isAlive = read.isPresent();
      if (isAlive) {
        wasRead(keys.get(i), read);
        aliveKinds.add(entry.op.kind());
        aliveBytes += entry.op.sizeBytes() * read.get().size();
      }
      count(entry, isAlive);
      recentBytes += entry.op.sizeBytes() * entry.places.size();
      if (!isAlive && !entry.open && recentBytes < capacity() / 4) {
        lostRecent.add(keys.get(i));
      }
    }
  }

  private void count(Entry entry, boolean isAlive) {
    if (entry.op.kind() == Kind.PUT_HARD_PINNED && !isAlive) {
      lostHardPinned++;
    } else if (entry.op.kind() == Kind.PUT_SOFT_PINNED) {
      softPinned++;
      lostSoftPinned += isAlive ? 0 : 1;
    }
  }

  static long capacity() {
    return LooseOp.SEGMENTS * LooseOp.SEGMENT_BYTES;
  }

  /** What can't be true. */
  List<String> violations() {
    return violations;
  }

  /** Objects among the newest quarter of the capacity that were evicted nevertheless. */
  List<String> lostRecent() {
    return lostRecent;
  }

  int started() {
    return started;
  }

  /** Starts that were refused for lack of memory. */
  int full() {
    return full;
  }

  /** A write that was refused again and again. */
  void gaveUp() {
    givenUp++;
  }

  /** Writes that never found memory. */
  int givenUp() {
    return givenUp;
  }

  /** Starts that were refused for other reasons. */
  int otherRefusals() {
    return otherRefusals;
  }

  int alive() {
    return aliveKinds.size();
  }

  long aliveBytes() {
    return aliveBytes;
  }

  int lostHardPinned() {
    return lostHardPinned;
  }

  int lostSoftPinned() {
    return lostSoftPinned;
  }

  int softPinned() {
    return softPinned;
  }

  @Override
  public String toString() {
    return String.format(
        "%d started, %d refused for lack of memory (%d for good), %d otherwise;"
            + " at the end %d alive with %.1f MiB, hard-pinned lost %d, soft-pinned lost %d of %d, recent lost %d",
        started,
        full,
        givenUp,
        otherRefusals,
        alive(),
        aliveBytes / 1048576.0,
        lostHardPinned,
        lostSoftPinned,
        softPinned,
        lostRecent.size());
  }
}
