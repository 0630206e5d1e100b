package io.tidemark.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateRecord;
import io.tidemark.snapshot.RestorePlan.Choice;
import io.tidemark.snapshot.RestorePlan.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a start goes on from, given snapshots in every condition and a log of any length. */
class RestorePlanTest {
  private static final int OBJECTS = 4;

  @TempDir private Path root;
  private boolean contradiction;

  /** A log from behind {@code base} to {@code end}. */
  private record Log(LogPosition base, LogPosition end) implements RestorePlan.LogView {
    @Override
    public LogPosition at(long index) {
      return index == base.index() ? base : Samples.at(index);
    }
  }

  /** A state that is the list of its records; if told so, object k2 contradicts the others. */
  private final class ListBuilder implements RestorePlan.StateBuilder<List<String>> {
    final boolean tolerant;
    final List<StateRecord> records = new ArrayList<>();

    ListBuilder(boolean tolerant) {
      this.tolerant = tolerant;
    }

    @Override
    public Optional<String> record(StateRecord record) {
      if (contradiction && record.toString().contains("key=k2")) {
        if (tolerant) {
          return Optional.of("it is there twice");
        }
        throw new IllegalStateException("k2 is there twice");
      }
      records.add(record);
      return Optional.empty();
    }

    @Override
    public RestorePlan.Built<List<String>> finish(LogPosition position, int leftOut) {
      return new RestorePlan.Built<>(
          records.stream().map(Samples::text).toList(), Samples.digest(records));
    }
  }

  private SnapshotStore store() {
    return new SnapshotStore(root);
  }

  private Choice<List<String>> choose(long base, long end) {
    LogPosition from = base == 0 ? LogPosition.START : Samples.at(base);
    LogPosition to = end == 0 ? LogPosition.START : Samples.at(end);
    return new RestorePlan<>(Samples.CLUSTER, new Log(from, to), ListBuilder::new)
        .choose(store().list());
  }

  private Snapshot snapshot(long index) {
    return Samples.verified(store(), index, OBJECTS);
  }

  private static void damage(Snapshot snapshot, String file, int offset) throws IOException {
    Path path = snapshot.folder().resolve(file);
    byte[] bytes = Files.readAllBytes(path);
    bytes[offset] ^= 4;
    Files.write(path, bytes);
  }

  private static void damageObject(Snapshot snapshot) throws IOException {
    damage(snapshot, "objects-000001.chunk", 60);
  }

  @Test
  void withoutSnapshotsAWholeLogIsReplayed() {
    assertThat(choose(0, 0).kind()).isEqualTo(Kind.FULL_REPLAY);
    assertThat(choose(0, 9).position()).isEqualTo(LogPosition.START);
    assertThatThrownBy(() -> choose(5, 9))
        .isInstanceOf(NothingToRestoreException.class)
        .hasMessage("the log begins at entry 6 and there is no snapshot");
  }

  @Test
  void theNewestOneWins() {
    snapshot(10);
    snapshot(20);
    Choice<List<String>> choice = choose(5, 30);
    assertThat(choice.kind()).isEqualTo(Kind.SNAPSHOT);
    assertThat(choice.position()).isEqualTo(Samples.at(20));
    assertThat(choice.rejected()).isEmpty();
    assertThat(choice.entriesLost()).isFalse();
    assertThat(choice.state().orElseThrow())
        .isEqualTo(Samples.records(OBJECTS).stream().map(Samples::text).toList());
    assertThat(choose(20, 20).position().index()).as("at both ends of the log").isEqualTo(20);
  }

  @Test
  void damagedOnesAreSteppedOverWithTheReason() throws IOException {
    snapshot(10);
    damageObject(snapshot(20));
    damage(snapshot(30), Snapshot.MANIFEST, 25);
    Choice<List<String>> choice = choose(5, 40);
    assertThat(choice.position().index()).isEqualTo(10);
    assertThat(choice.leftOut()).isEmpty();
    assertThat(choice.rejected()).hasSize(2);
    assertThat(choice.rejected().get(0).toString())
        .contains("snapshot-00000000000000000030: its manifest");
    assertThat(choice.rejected().get(1).reason()).contains("objects-000001.chunk, offset");
    damage(store().list().get(2), "tables-000000.chunk", 50);
    assertThat(choose(0, 40).kind())
        .as("a whole log before a damaged snapshot")
        .isEqualTo(Kind.FULL_REPLAY);
  }

  @Test
  void aDamageThatCostsNothingIsNoReason() throws IOException {
    Snapshot snapshot = snapshot(20);
    damage(snapshot, "objects-000001.chunk", 9);
    assertThat(SnapshotReader.verify(snapshot)).isNotEmpty();
    assertThat(choose(5, 40).position().index()).isEqualTo(20);
  }

  @Test
  void onlyWhenNothingElseIsLeftADamagedOneServesWithoutItsDamagedObjects() throws IOException {
    damageObject(snapshot(10));
    damageObject(snapshot(20));
    Choice<List<String>> choice = choose(5, 40);
    assertThat(choice.position().index()).isEqualTo(20);
    assertThat(choice.leftOut())
        .singleElement()
        .asString()
        .contains("unknown object (")
        .contains("offset 24");
    assertThat(choice.state().orElseThrow()).hasSize(Samples.records(OBJECTS).size() - 1);
    assertThat(choice.rejected()).hasSize(2);
  }

  @Test
  void damageOfAnythingButObjectsIsNotServed() throws IOException {
    damage(snapshot(20), "tables-000000.chunk", 50);
    assertThatThrownBy(() -> choose(5, 40))
        .isInstanceOf(NothingToRestoreException.class)
        .hasMessageContaining("the log begins at entry 6 and no snapshot can be used; snapshot-0")
        .hasMessageContaining("tables-000000.chunk");
    assertThat(store().list()).hasSize(1);
  }

  @Test
  void cor26OneThatDoesNotFitTheLogIsRejected() {
    snapshot(20);
    LogPosition end = Samples.at(40);
    LogPosition other = new LogPosition(1, 20, 999);
    assertThatThrownBy(
            () ->
                new RestorePlan<>(Samples.CLUSTER, new Log(other, end), ListBuilder::new)
                    .choose(store().list()))
        .hasMessageContaining("the log has another entry 20");
    assertThatThrownBy(() -> choose(25, 40))
        .hasMessageContaining("entries from 21 on would be needed");
  }

  @Test
  void cor26OneAboveTheLogsEndShowsThatTheLogLostItsTail() throws IOException {
    Snapshot old = snapshot(10);
    Snapshot above = snapshot(20);
    Choice<List<String>> choice = choose(0, 15);
    assertThat(choice.kind()).isEqualTo(Kind.SNAPSHOT_BEYOND_LOG);
    assertThat(choice.entriesLost()).isTrue();
    assertThat(choose(0, 0).kind()).isEqualTo(Kind.SNAPSHOT_BEYOND_LOG);
    damage(above, Snapshot.MANIFEST, 25);
    Choice<List<String>> older = choose(0, 15);
    assertThat(older.position()).isEqualTo(old.manifest().orElseThrow().position());
    assertThat(older.entriesLost()).as("its folder alone says so").isTrue();
    damage(old, Snapshot.MANIFEST, 25);
    assertThat(choose(0, 15).entriesLost()).isTrue();
    assertThatThrownBy(() -> choose(0, 0))
        .hasMessageStartingWith("the log is empty and no snapshot");
  }

  @Test
  void anotherClustersIsRejected() {
    SnapshotOptions other =
        new SnapshotOptions(new UUID(8, 8), Samples.NODE, "x", 4096, 0, () -> 0);
    Samples.write(store(), other, 20, OBJECTS);
    assertThat(choose(0, 15).entriesLost()).isFalse();
    assertThat(choose(0, 15).rejected())
        .singleElement()
        .asString()
        .contains("it is of cluster 00000000");
    assertThatThrownBy(() -> choose(5, 15)).hasMessageContaining("this data directory is of");
  }

  @Test
  void anObjectThatContradictsOthersIsLeftOutIfNothingElseIsLeft() {
    snapshot(20);
    contradiction = true;
    Choice<List<String>> choice = choose(5, 40);
    assertThat(choice.rejected()).singleElement().asString().contains("k2 is there twice");
    assertThat(choice.leftOut()).singleElement().asString().contains("k2").contains("twice");
    assertThat(choose(0, 40).kind()).isEqualTo(Kind.FULL_REPLAY);
  }

  @Test
  void recordsThatGiveAnotherDigestAreNotServed() {
    try (SnapshotWriter writer = store().writer(Samples.options(4096), () -> false)) {
      writer.begin(Samples.at(20));
      Samples.records(2).forEach(writer::record);
      writer.end(12345, 2);
    }
    assertThatThrownBy(() -> choose(5, 40))
        .hasMessageContaining("it was written with 0000000000003039");
  }
}
