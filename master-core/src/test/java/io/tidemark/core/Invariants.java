package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.core.object.Group;
import io.tidemark.core.object.PendingWrite;
import io.tidemark.core.segment.DiscardClaims;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The accounts of a state: every byte taken from a segment belongs to exactly one replica or entry
 * of the discard list, and the side tables say what the records say.
 */
final class Invariants {

  private record Range(String owner, long from, long to, long requestedBytes) {}

  private final Map<Integer, List<Range>> taken = new HashMap<>();
  private final Set<ScopedKey> writing = new HashSet<>();
  private final Set<ScopedKey> pinned = new HashSet<>();
  private final Map<Integer, Set<ScopedKey>> members = new HashMap<>();
  private final Set<Long> replicaIds = new HashSet<>();
  private long objects;

  private Invariants() {}

  /** Fails if the accounts are not in order. */
  static void check(MasterState state) {
    Invariants found = new Invariants();
    state.objects().scan(Integer.MAX_VALUE, found::see);
    DiscardClaims.of(state.discards())
        .forEach(
            c ->
                found.take(
                    c.segmentNumber(),
                    new Range("discard list", c.offsetBytes(), end(c), c.objectBytes())));
    for (MountedSegment segment : state.segments().snapshot()) {
      if (segment.isValid()) {
        found.checkSegment(segment);
      }
    }
    found.checkTables(state);
    assertThat(state.objects().digest())
        .as("digest of the objects as it was kept up")
        .isEqualTo(state.objects().recomputedDigest());
  }

  private static long end(DiscardClaims.Claim claim) {
    return claim.offsetBytes() + claim.blockBytes();
  }

  private void see(ObjectCursor object) {
    objects++;
    ScopedKey key = object.key();
    for (int i = 0; i < object.replicaCount(); i++) {
      assertThat(replicaIds.add(object.replicaId(i)))
          .as("replica id of %s is its own", key)
          .isTrue();
      if (object.replicaKind(i) == ReplicaType.MEMORY) {
        long from = object.replicaOffset(i);
        take(
            object.replicaSegment(i),
            new Range(key.toString(), from, from + object.replicaBlock(i), object.sizeBytes()));
      }
    }
    assertThat(object.replicaCount()).as("replicas of %s", key).isPositive();
    if (object.isWriting()) {
      writing.add(key);
    }
    if (object.pinDeadlineMs() != 0) {
      pinned.add(key);
    }
    if (object.groupNumber() != 0) {
      members.computeIfAbsent(object.groupNumber(), n -> new HashSet<>()).add(key);
    }
  }

  private void take(int segmentNumber, Range range) {
    taken.computeIfAbsent(segmentNumber, n -> new ArrayList<>()).add(range);
  }

  private void checkSegment(MountedSegment segment) {
    List<Range> ranges = taken.getOrDefault(segment.number(), List.of());
    List<Range> sorted = ranges.stream().sorted(Comparator.comparingLong(Range::from)).toList();
    long bytes = 0;
    long requested = 0;
    Range before = new Range("start", 0, 0, 0);
    for (Range range : sorted) {
      assertThat(range.from())
          .as("%s follows %s on mount %d", range, before, segment.number())
          .isGreaterThanOrEqualTo(before.to());
      bytes += range.to() - range.from();
      requested += range.requestedBytes();
      before = range;
    }
    assertThat(before.to()).as("end of the last range").isLessThanOrEqualTo(size(segment));
    assertThat(segment.takenBytes()).as("bytes taken of %s", segment.info()).isEqualTo(bytes);
    assertThat(segment.requestedBytes()).as("bytes asked of it").isEqualTo(requested);
  }

  private static long size(MountedSegment segment) {
    return segment.info().sizeBytes();
  }

  private void checkTables(MasterState state) {
    Set<ScopedKey> pending = new HashSet<>();
    state.writes().all().stream().map(PendingWrite::key).forEach(pending::add);
    assertThat(pending).as("unfinished writes").isEqualTo(writing);
    assertThat(state.softPins().size()).as("soft pins").isEqualTo(pinned.size());
    assertThat(state.objects().objectCount()).as("objects").isEqualTo(objects);
    members.forEach(
        (number, keys) -> {
          Group group = state.groups().get(number);
          assertThat(group).as("group %d", number).isNotNull();
          assertThat(group.members()).as("members of %s", group.name()).isEqualTo(keys);
        });
  }
}
