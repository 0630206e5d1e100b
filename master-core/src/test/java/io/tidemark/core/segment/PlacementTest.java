package io.tidemark.core.segment;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-182 to OBJ-186 and SEG-015 to SEG-017: which segments replicas go to. */
class PlacementTest {
  private static final long MIB = 1 << 20;
  private final SegmentTable segments = new SegmentTable(AllocatorKind.OFFSET);
  private final SplittableRandom random = new SplittableRandom(7);
  private int lastNumber;

  private Placement placement(AllocationStrategy strategy) {
    return new Placement(segments, random::nextInt, strategy);
  }

  private MountedSegment mount(String name, String host) {
    int number = ++lastNumber;
    SegmentInfo info =
        new SegmentInfo(new Uuid(1, number), name, number * 64L * MIB, 16 * MIB, name, "tcp", host);
    return segments.mount(number, info, new Uuid(2, 2), number);
  }

  private List<String> place(Placement placement, int replicas, String... preferred) {
    return placement.place(new Placement.Wish(MIB, replicas, List.of(preferred), 1)).stream()
        .map(r -> segments.get(r.segmentNumber()).info().name())
        .toList();
  }

  private static void fill(MountedSegment segment) {
    segment.take(0, 16 * MIB, 16 * MIB);
  }

  @Test
  @DisplayName("OBJ-182, OBJ-183 preferred names are taken first, in their order")
  void preferred() {
    List.of("m1", "m2", "m3").forEach(name -> mount(name, ""));
    Placement placement = placement(AllocationStrategy.RANDOM);
    for (int i = 0; i < 20; i++) {
      assertThat(place(placement, 1, "m2")).containsExactly("m2");
      assertThat(place(placement, 2, "m3", "m1")).containsExactly("m3", "m1");
      assertThat(place(placement, 3, "m3", "m3"))
          .startsWith("m3")
          .hasSize(3)
          .doesNotHaveDuplicates();
    }
  }

  @Test
  @DisplayName("OBJ-184 a preferred name that is unknown or full is passed over")
  void preferredUnknownOrFull() {
    mount("m1", "");
    fill(mount("m2", ""));
    Placement placement = placement(AllocationStrategy.RANDOM);
    assertThat(place(placement, 1, "nowhere")).containsExactly("m1");
    assertThat(place(placement, 1, "m2")).containsExactly("m1");
    assertThat(place(placement, 1, "")).containsExactly("m1");
  }

  @Test
  @DisplayName("OBJ-185 without segments, or with all of them full, nothing is placed")
  void nothing() {
    for (AllocationStrategy strategy : AllocationStrategy.values()) {
      assertThat(place(placement(strategy), 1)).isEmpty();
    }
    fill(mount("m1", ""));
    fill(mount("m2", ""));
    for (AllocationStrategy strategy : AllocationStrategy.values()) {
      assertThat(place(placement(strategy), 2)).isEmpty();
    }
  }

  @Test
  @DisplayName("RANDOM reaches every name, and finds the one that is free among 150")
  void random() {
    for (int i = 0; i < 150; i++) {
      MountedSegment segment = mount("m" + i, "");
      if (i != 77) {
        fill(segment);
      }
    }
    Placement placement = placement(AllocationStrategy.RANDOM);
    for (int i = 0; i < 60; i++) {
      assertThat(place(placement, 1)).containsExactly("m77");
    }
    Set<String> seen = new HashSet<>();
    SegmentTable empty = new SegmentTable(AllocatorKind.OFFSET);
    for (int i = 1; i <= 10; i++) {
      SegmentInfo info = new SegmentInfo(new Uuid(3, i), "e" + i, i * MIB, MIB, "e", "tcp", "");
      empty.mount(i, info, new Uuid(2, 2), i);
    }
    Placement spread = new Placement(empty, random::nextInt, AllocationStrategy.RANDOM);
    for (int i = 0; i < 200; i++) {
      spread
          .place(new Placement.Wish(1, 1, List.of(), 1))
          .forEach(r -> seen.add(empty.get(r.segmentNumber()).info().name()));
    }
    assertThat(seen).hasSize(10);
  }

  @Test
  @DisplayName("replicas get consecutive ids and never share a name")
  void idsAndNames() {
    mount("m1", "");
    mount("m1", "");
    mount("m2", "");
    List<PlacedReplica> placed =
        placement(AllocationStrategy.RANDOM).place(new Placement.Wish(MIB, 3, List.of(), 41));
    assertThat(placed).extracting(PlacedReplica::replicaId).containsExactly(41L, 42L);
    assertThat(placed).extracting(PlacedReplica::blockBytes).containsOnly(MIB);
  }

  @Test
  @DisplayName("siblings of a name are all used before it counts as full")
  void siblings() {
    fill(mount("m1", ""));
    mount("m1", "");
    Placement placement = placement(AllocationStrategy.RANDOM);
    for (int i = 0; i < 20; i++) {
      assertThat(place(placement, 1)).containsExactly("m1");
    }
  }

  @Test
  @DisplayName("FREE_RATIO_FIRST takes the emptiest names, preferred ones before them")
  void freeRatio() {
    for (int i = 0; i < 4; i++) {
      mount("m" + i, "").take(0, i * MIB, i * MIB);
    }
    Placement placement = placement(AllocationStrategy.FREE_RATIO_FIRST);
    for (int i = 0; i < 20; i++) {
      assertThat(place(placement, 1)).containsExactly("m0");
      assertThat(place(placement, 3)).containsExactly("m0", "m1", "m2");
      assertThat(place(placement, 2, "m3")).containsExactly("m3", "m0");
    }
  }

  @Test
  @DisplayName("FREE_RATIO_FIRST falls back to what it did not sample")
  void freeRatioFallsBack() {
    List<MountedSegment> all = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      all.add(mount("m" + i, ""));
    }
    all.stream().filter(s -> s.number() != 40).forEach(PlacementTest::fill);
    Placement placement = placement(AllocationStrategy.FREE_RATIO_FIRST);
    for (int i = 0; i < 20; i++) {
      assertThat(place(placement, 1)).containsExactly("m39");
    }
  }

  @Test
  @DisplayName(
      "OBJ-186, SEG-015 host order begins at the writer's host, or at the next one, and wraps")
  void hostOrder() {
    mount("on0", "host0");
    mount("on1", "host1");
    mount("on2", "host2");
    Placement placement = placement(AllocationStrategy.LOCAL_FIRST);
    assertThat(placement.hostOrder("host1", 0)).containsExactly("on1", "on2", "on0");
    assertThat(placement.hostOrder("host0", 0)).containsExactly("on0", "on1", "on2");
    assertThat(placement.hostOrder("host3", 0)).containsExactly("on0", "on1", "on2");
    segments.startUnmounting(2, Reason.SEGMENT_UNMOUNTED, 10);
    assertThat(placement.hostOrder("host1", 0)).containsExactly("on2", "on0");
  }

  @Test
  @DisplayName("SEG-016 a name with two segments stays in the order until the last of them is gone")
  void hostOrderOfSiblings() {
    mount("s", "host1");
    mount("s", "host1");
    Placement placement = placement(AllocationStrategy.LOCAL_FIRST);
    assertThat(placement.hostOrder("host1", 0)).containsExactly("s");
    segments.startGrace(1, 100, 10);
    assertThat(placement.hostOrder("host1", 0)).containsExactly("s");
    segments.startGrace(2, 100, 11);
    assertThat(placement.hostOrder("host1", 0)).isEmpty();
  }

  @Test
  @DisplayName("SEG-017 the names of a host are sorted and rotated by the key's hash")
  void rotation() {
    mount("b", "host1");
    mount("a", "host1");
    mount("c", "host1");
    Placement placement = placement(AllocationStrategy.LOCAL_FIRST);
    List<String> sorted = List.of("a", "b", "c");
    for (long hash : new long[] {0, 1, 2, 3, -1, Long.MIN_VALUE}) {
      List<String> expected = new ArrayList<>(sorted);
      Collections.rotate(expected, -(int) Long.remainderUnsigned(hash, 3));
      assertThat(placement.hostOrder("host1", hash)).isEqualTo(expected);
    }
  }

  @Test
  @DisplayName("names keep Mooncake's order: a removed one is replaced by the last")
  void nameOrder() {
    List.of("m1", "m2", "m3", "m4").forEach(name -> mount(name, ""));
    segments.startUnmounting(2, Reason.SEGMENT_UNMOUNTED, 10);
    assertThat(segments.allocatableNames()).containsExactly("m1", "m4", "m3");
    segments.startUnmounting(3, Reason.SEGMENT_UNMOUNTED, 11);
    assertThat(segments.allocatableNames()).containsExactly("m1", "m4");
  }
}
