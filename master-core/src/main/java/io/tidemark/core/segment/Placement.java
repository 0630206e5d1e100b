package io.tidemark.core.segment;

import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.port.RandomSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;

/**
 * Chooses segments and ranges for the replicas of one object (objects specification, section 17).
 * Changes nothing; the outcome is in the event.
 *
 * <p>Differs from Mooncake in one point: RANDOM walks all names, not 100, so a put never fails
 * while a segment has room.
 */
public final class Placement {
  /** Largest object under the CACHELIB allocator. */
  public static final long CACHELIB_MAX_BYTES = (1L << 24) - 16;

  /** Alignment of segments under the CACHELIB allocator. */
  public static final long CACHELIB_SLAB_BYTES = 1L << 24;

  static final long CACHELIB_MIN_BYTES = 64;
  private static final int SAMPLE_FACTOR = 6;

  private static final int USUAL_REPLICAS = 2;

  private final SegmentTable segments;
  private final RandomSource random;
  private final AllocationStrategy strategy;

  public Placement(SegmentTable segments, RandomSource random, AllocationStrategy strategy) {
    this.segments = segments;
    this.random = random;
    this.strategy = strategy;
  }

  /**
   * What to place.
   *
   * @param replicas number wanted, above 0
   * @param preferredNames tried first, in order
   * @param firstReplicaId id of the first replica; the others follow
   */
  public record Wish(
      long sizeBytes, long replicas, List<String> preferredNames, long firstReplicaId) {}

  /**
   * The replicas that could be placed, at most one a name; possibly fewer than wanted, possibly
   * none.
   */
  public List<PlacedReplica> place(Wish wish) {
    List<PlacedReplica> placed = new ArrayList<>(USUAL_REPLICAS);
    List<String> names = segments.allocatableNames();
    if (names.isEmpty()) {
      return placed;
    }
    List<String> used = new ArrayList<>(USUAL_REPLICAS);
    for (String name : wish.preferredNames()) {
      tryName(name, wish, used, placed);
    }
    if (strategy == AllocationStrategy.FREE_RATIO_FIRST && placed.size() < wish.replicas()) {
      for (String name : byFreeRatio(wish, placed.size())) {
        tryName(name, wish, used, placed);
      }
    }
    walk(names, wish, used, placed);
    return placed;
  }

  /**
   * All names in host order: hosts sorted, from the writer's host (or the next one) on, wrapping;
   * names of a host sorted and rotated by the key's hash (objects specification, section 17.6).
   */
  public List<String> hostOrder(String writerHost, long keyHash) {
    TreeMap<String, List<String>> byHost = new TreeMap<>();
    for (String name : segments.allocatableNames()) {
      String host = segments.allocatable(name).get(0).info().hostId();
      byHost.computeIfAbsent(host, h -> new ArrayList<>()).add(name);
    }
    List<String> ordered = new ArrayList<>();
    byHost
        .tailMap(writerHost, true)
        .values()
        .forEach(names -> ordered.addAll(rotated(names, keyHash)));
    byHost
        .headMap(writerHost, false)
        .values()
        .forEach(names -> ordered.addAll(rotated(names, keyHash)));
    return ordered;
  }

  private static List<String> rotated(List<String> names, long keyHash) {
    Collections.sort(names);
    Collections.rotate(names, -(int) Long.remainderUnsigned(keyHash, names.size()));
    return names;
  }

  private void walk(List<String> names, Wish wish, List<String> used, List<PlacedReplica> placed) {
    if (placed.size() >= wish.replicas()) {
      return;
    }
    int first = names.size() == 1 ? 0 : random.nextInt(names.size());
    for (int i = 0; i < names.size() && placed.size() < wish.replicas(); i++) {
      tryName(names.get((first + i) % names.size()), wish, used, placed);
    }
  }

  private void tryName(String name, Wish wish, List<String> used, List<PlacedReplica> placed) {
    if (placed.size() >= wish.replicas() || used.contains(name)) {
      return;
    }
    List<MountedSegment> siblings = segments.allocatable(name);
    if (siblings.isEmpty()) {
      return;
    }
    int first = siblings.size() == 1 ? 0 : random.nextInt(siblings.size());
    for (int i = 0; i < siblings.size(); i++) {
      MountedSegment segment = siblings.get((first + i) % siblings.size());
      long offset = segment.find(wish.sizeBytes());
      if (offset >= 0) {
        used.add(name);
        placed.add(
            new PlacedReplica(
                wish.firstReplicaId() + placed.size(),
                segment.number(),
                offset,
                segment.blockBytes(wish.sizeBytes())));
        return;
      }
    }
  }

  private List<String> byFreeRatio(Wish wish, int alreadyPlaced) {
    List<String> names = segments.allocatableNames();
    long wanted = Math.min(wish.replicas() - alreadyPlaced, names.size());
    int sample = (int) Math.min(SAMPLE_FACTOR * wanted, names.size());
    int first = names.size() == 1 ? 0 : random.nextInt(names.size());
    List<String> sampled = new ArrayList<>(sample);
    for (int i = 0; i < sample; i++) {
      sampled.add(names.get((first + i) % names.size()));
    }
    sampled.sort(Comparator.comparingDouble((String name) -> -freeRatio(name)));
    return sampled;
  }

  private double freeRatio(String name) {
    double total = 0;
    List<MountedSegment> siblings = segments.allocatable(name);
    for (MountedSegment segment : siblings) {
      total += segment.freeRatio();
    }
    return siblings.isEmpty() ? 0 : total / siblings.size();
  }
}
