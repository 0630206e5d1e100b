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
 * Changes nothing; the outcome is in the event. After a start or a change of leader, memory whose
 * owner was not heard yet is used only where the rest does not do (COR-23).
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
    List<String> names = segments.allocatableNames();
    if (names.isEmpty()) {
      return new ArrayList<>();
    }
    Choice choice = new Choice(wish);
    choose(names, choice);
    if (choice.passedOver && !choice.isDone()) {
      choice.heardOnly = false;
      choose(names, choice);
    }
    return choice.placed;
  }

  /** The placement of one object as it grows. */
  private static final class Choice {
    final Wish wish;
    final List<String> used = new ArrayList<>(USUAL_REPLICAS);
    final List<PlacedReplica> placed = new ArrayList<>(USUAL_REPLICAS);

    /** First only memory of owners that were heard in this term (COR-23). */
    boolean heardOnly = true;

    /** Whether memory was passed over for that. */
    boolean passedOver;

    Choice(Wish wish) {
      this.wish = wish;
    }

    boolean isDone() {
      return placed.size() >= wish.replicas();
    }

    boolean mayUse(MountedSegment segment) {
      if (heardOnly && !segment.isOwnerHeard()) {
        passedOver = true;
        return false;
      }
      return true;
    }
  }

  private void choose(List<String> names, Choice choice) {
    for (String name : choice.wish.preferredNames()) {
      tryName(name, choice);
    }
    if (strategy == AllocationStrategy.FREE_RATIO_FIRST && !choice.isDone()) {
      for (String name : byFreeRatio(choice.wish, choice.placed.size())) {
        tryName(name, choice);
      }
    }
    walk(names, choice);
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

  private void walk(List<String> names, Choice choice) {
    if (choice.isDone()) {
      return;
    }
    int first = names.size() == 1 ? 0 : random.nextInt(names.size());
    for (int i = 0; i < names.size() && !choice.isDone(); i++) {
      tryName(names.get((first + i) % names.size()), choice);
    }
  }

  private void tryName(String name, Choice choice) {
    if (choice.isDone() || choice.used.contains(name)) {
      return;
    }
    List<MountedSegment> siblings = segments.allocatable(name);
    if (siblings.isEmpty()) {
      return;
    }
    long bytes = choice.wish.sizeBytes();
    int first = siblings.size() == 1 ? 0 : random.nextInt(siblings.size());
    for (int i = 0; i < siblings.size(); i++) {
      MountedSegment segment = siblings.get((first + i) % siblings.size());
      long offset = choice.mayUse(segment) ? segment.find(bytes) : -1;
      if (offset >= 0) {
        choice.used.add(name);
        choice.placed.add(
            new PlacedReplica(
                choice.wish.firstReplicaId() + choice.placed.size(),
                segment.number(),
                offset,
                segment.blockBytes(bytes)));
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
