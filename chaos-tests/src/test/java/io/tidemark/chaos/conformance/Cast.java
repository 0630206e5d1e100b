package io.tidemark.chaos.conformance;

import io.tidemark.api.Uuid;
import io.tidemark.api.WireText;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Who and what a sequence talks about, and what its author believes of their state, so that most
 * calls make sense. The belief may be wrong; both masters are asked the same all the same.
 */
final class Cast {
  static final int CLIENTS = 4;
  static final int STRANGER = CLIENTS - 1;
  static final long SEGMENT_BYTES = 1L << 30;
  private static final int KEYS = 18;

  /** A segment that is believed to be mounted. */
  record Mounted(SegmentInfo info, int owner, boolean allocatable) {}

  final Dice dice;
  final List<Uuid> clients = new ArrayList<>();
  final List<String> keys = new ArrayList<>();
  final List<String> groups = List.of("g-one", "g-two");
  final Map<Uuid, Mounted> segments = new LinkedHashMap<>();
  final List<Mounted> gone = new ArrayList<>();

  /** Key to the client whose write of it is believed to be unfinished. */
  final Map<String, Integer> open = new LinkedHashMap<>();

  /** Key to the size of the object that is believed to be complete. */
  final Map<String, Long> complete = new HashMap<>();

  /** Keys that were read, so that they may be leased. */
  final Set<String> read = new HashSet<>();

  private int nextSegment;
  private int nextFreshKey;

  Cast(long seed) {
    this.dice = new Dice(seed);
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(new Uuid(0x1000 + seed * 16 + i, 0xC11E57L + i));
    }
    for (int i = 0; i < KEYS; i++) {
      keys.add("s" + seed + "/obj-" + i);
    }
    keys.add(WireText.encode("s" + seed + "/ключ-✓"));
    keys.add("s" + seed + "/raw-\u0000\u00ff\u00fe\n");
    keys.add("s" + seed + "/long-" + "x".repeat(300));
  }

  Uuid client(int index) {
    return clients.get(index);
  }

  /** A client that lends memory. */
  int anyLender() {
    return dice.below(STRANGER);
  }

  int anyClient() {
    return dice.below(CLIENTS);
  }

  String anyKey() {
    return dice.of(keys);
  }

  /** A key that satisfies a condition; a new one if none is found. */
  String keyWhere(Predicate<String> condition) {
    for (int i = 0; i < KEYS; i++) {
      String key = anyKey();
      if (condition.test(key)) {
        return key;
      }
    }
    return "fresh-" + nextFreshKey++;
  }

  /** Mostly a key whose write is unfinished. */
  String likelyOpenKey() {
    return open.isEmpty() || dice.oneIn(5) ? anyKey() : dice.of(List.copyOf(open.keySet()));
  }

  /** A segment that was never mounted. Every other one is named like its endpoint. */
  SegmentInfo newSegment(int owner) {
    int number = nextSegment++;
    String endpoint = "127.0.0.1:" + (17_000 + number);
    String name = number % 2 == 0 ? endpoint : "host-" + owner + ":" + (15_000 + number);
    Uuid id = new Uuid(dice.nextLong(), number + 1L);
    long base = 0x1000_0000_0000L + number * (4L << 30);
    return new SegmentInfo(id, name, base, SEGMENT_BYTES, endpoint, "tcp", "");
  }

  List<Mounted> segmentsOf(int owner) {
    return segments.values().stream().filter(segment -> segment.owner() == owner).toList();
  }

  /** Names that take allocations. */
  List<String> placeable() {
    return segments.values().stream()
        .filter(Mounted::allocatable)
        .map(segment -> segment.info().name())
        .distinct()
        .toList();
  }

  void mounted(SegmentInfo info, int owner) {
    segments.put(info.id(), new Mounted(info, owner, true));
  }

  void unmounted(Uuid id) {
    Mounted segment = segments.remove(id);
    if (segment != null) {
      gone.add(segment);
    }
  }

  void stopAllocating(Uuid id) {
    segments.computeIfPresent(
        id, (key, segment) -> new Mounted(segment.info(), segment.owner(), false));
  }
}
