package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateSink;
import io.tidemark.core.StateImporter.Restored;
import io.tidemark.core.segment.AllocatorKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** A damaged snapshot: what can't be read, or can't be, costs itself only. */
class TolerantImporterTest {
  private final List<StateRecord> records = new ArrayList<>();
  private MasterFixture m;
  private LogPosition position;

  @BeforeEach
  void captureSomeObjects() {
    m = MasterFixture.base();
    for (int i = 0; i < 10; i++) {
      m.put("k" + i);
    }
    m.putStart(C1, "open", KIB);
    m.master()
        .capture(
            new StateSink() {
              @Override
              public void begin(LogPosition at) {
                position = at;
              }

              @Override
              public void record(StateRecord record) {
                records.add(record);
              }

              @Override
              public void end(long digest, long objectCount) {}
            },
            Long.MAX_VALUE);
  }

  private static Predicate<StateRecord> object(String key) {
    return record -> record instanceof StateRecord.StoredObject o && o.key().key().equals(key);
  }

  private StateRecord.StoredObject find(String key) {
    return (StateRecord.StoredObject)
        records.stream().filter(object(key)).findFirst().orElseThrow();
  }

  private static StateRecord.StoredObject with(
      StateRecord.StoredObject o, String key, List<StateRecord.Replica> replicas) {
    return new StateRecord.StoredObject(
        new io.tidemark.api.ObjectKey(o.key().tenant(), key),
        o.clientId(),
        o.sizeBytes(),
        o.startMs(),
        o.lastIndex(),
        o.leaseUntilMs(),
        o.checksum(),
        o.pinDeadlineMs(),
        o.groupId(),
        o.hardPin(),
        o.writing(),
        o.reissued(),
        o.dataType(),
        replicas);
  }

  private Restored load(int alreadyLeftOut, List<String> reasons) {
    TolerantImporter importer = new TolerantImporter(AllocatorKind.OFFSET);
    int leftOut = alreadyLeftOut;
    for (StateRecord record : records) {
      Optional<String> reason = importer.record(record);
      reason.ifPresent(reasons::add);
      leftOut += reason.isPresent() ? 1 : 0;
    }
    return importer.finish(position, leftOut);
  }

  private Replayer tail(Restored restored) {
    Replayer replayer = new Replayer(restored);
    m.entries().stream()
        .filter(entry -> entry.header().index() > position.index())
        .forEach(replayer::entry);
    return replayer;
  }

  @Test
  void aWholeSnapshotGivesTheWholeState() {
    List<String> reasons = new ArrayList<>();
    Restored restored = load(0, reasons);
    assertThat(reasons).isEmpty();
    assertThat(restored.digest()).isEqualTo(m.view().stateDigest());
    assertThat(restored.leftOut()).isZero();
  }

  @Test
  @DisplayName("HA-107 an object in another one's range is left out, the others are served")
  void overlappingRanges() {
    StateRecord.StoredObject first = find("k3");
    records.add(with(first, "thief", first.replicas()));
    List<String> reasons = new ArrayList<>();
    Restored restored = load(0, reasons);
    assertThat(reasons).singleElement().asString().contains("where another object");
    assertThat(restored.state().objects().objectCount()).isEqualTo(11);
    assertThat(restored.leftOut()).isEqualTo(1);
  }

  @Test
  void whatMakesNoSenseIsLeftOut() {
    StateRecord.StoredObject any = find("k3");
    StateRecord.Replica r = any.replicas().get(0);
    records.remove(any);
    records.add(with(any, "a", List.of(new StateRecord.Replica(900, 0, 1, 0, 1024, 77))));
    records.add(with(any, "b", List.of(new StateRecord.Replica(901, 0, 1, 1L << 40, 1024, 3))));
    records.add(with(any, "c", List.of(new StateRecord.Replica(902, 0, 1, -4096, 1024, 3))));
    records.add(with(any, "k4", List.of(r)));
    List<String> reasons = new ArrayList<>();
    assertThat(load(0, reasons).state().objects().objectCount()).isEqualTo(10);
    assertThat(reasons).hasSize(4);
    assertThat(reasons.get(0)).contains("unknown status 77");
    assertThat(reasons.get(3)).contains("twice");
  }

  @Test
  void aWriteWhoseObjectIsMissingIsLeftOutToo() {
    records.removeIf(object("open"));
    List<String> reasons = new ArrayList<>();
    Restored restored = load(1, reasons);
    assertThat(reasons).containsExactly("its object is not there");
    assertThat(restored.state().writes().size()).isZero();
  }

  @Test
  void theLogGoesOnBehindAMissingObjectAndMayUseItsKeyAndItsRange() {
    records.removeIf(object("k3"));
    m.advance(20_000);
    m.remove("k3", false);
    m.put("after");
    m.put("k3");
    m.putStart(C1, "k5", KIB);
    Replayer replayer = tail(load(1, new ArrayList<>()));
    assertThat(replayer.eventsLeftOut()).isEqualTo(1);
    assertThat(replayer.state().objects().objectCount()).isEqualTo(m.view().objectCount());
    assertThat(replayer.digest()).as("k3 was gone and is back").isEqualTo(m.view().stateDigest());
  }

  @Test
  void aTailThatPutsAMissingObjectsRangesIntoQuarantineIsRefused() {
    records.removeIf(object("open"));
    records.removeIf(r -> r instanceof StateRecord.Write);
    m.putRevoke(C1, "open", ReplicaType.ALL);
    Restored restored = load(1, new ArrayList<>());
    assertThatThrownBy(() -> tail(restored))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("open")
        .hasMessageContaining("quarantine");
  }

  @Test
  void withoutAnythingLeftOutAMissingObjectIsABrokenLog() {
    records.removeIf(object("k3"));
    m.advance(20_000);
    m.remove("k3", false);
    Restored restored = load(0, new ArrayList<>());
    assertThatThrownBy(() -> tail(restored)).hasMessageContaining("does not exist");
  }
}
