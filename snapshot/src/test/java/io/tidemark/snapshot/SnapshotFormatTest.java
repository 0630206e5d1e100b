package io.tidemark.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.state.StateRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The bytes of format 1, and that they can be read back. */
class SnapshotFormatTest {
  @TempDir private Path root;

  private SnapshotStore store() {
    return new SnapshotStore(root);
  }

  private static String hex(Path file) throws IOException {
    return HexFormat.of().formatHex(Files.readAllBytes(file));
  }

  @Test
  void goldenBytes() throws IOException {
    Path folder = Samples.write(store(), Samples.options(4096), 42, 1).folder();
    assertThat(folder.getFileName()).hasToString("snapshot-00000000000000000042");
    assertThat(hex(folder.resolve("tables-000000.chunk"))).isEqualTo(GoldenSnapshot.TABLES);
    assertThat(hex(folder.resolve("objects-000001.chunk"))).isEqualTo(GoldenSnapshot.OBJECTS);
    assertThat(hex(folder.resolve("writes-000002.chunk"))).isEqualTo(GoldenSnapshot.WRITES);
    assertThat(Files.readString(folder.resolve(Snapshot.MANIFEST)))
        .isEqualTo(GoldenSnapshot.MANIFEST);
  }

  @Test
  void recordsComeBackInOrderAcrossChunks() {
    Snapshot snapshot = Samples.write(store(), Samples.options(500), 7, 1000);
    assertThat(snapshot.manifest().orElseThrow().chunks()).hasSizeGreaterThan(100);
    List<String> read = new ArrayList<>();
    SnapshotReader.Outcome outcome =
        SnapshotReader.read(snapshot, (record, place) -> read.add(Samples.text(record)));
    assertThat(outcome.intact()).isTrue();
    assertThat(outcome.objects()).isEqualTo(1000);
    assertThat(read).isEqualTo(Samples.records(1000).stream().map(Samples::text).toList());
    Snapshot listed = store().list().get(0);
    assertThat(listed.manifest()).isEqualTo(snapshot.manifest());
    assertThat(listed.state()).isEqualTo(Snapshot.State.PUBLISHED);
  }

  @Test
  void anEmptyStateIsASnapshotToo() {
    Snapshot snapshot = Samples.write(store(), Samples.options(500), 1, 0);
    assertThat(SnapshotReader.verify(snapshot)).isEmpty();
    assertThat(snapshot.manifest().orElseThrow().objects()).isZero();
  }

  @Test
  void newerFormatsAreRefusedWithWordsThatSayWhatToDo() throws IOException {
    Snapshot snapshot = Samples.write(store(), Samples.options(4096), 42, 3);
    Path manifest = snapshot.folder().resolve(Snapshot.MANIFEST);
    String text = Files.readString(manifest);
    Files.writeString(manifest, text.replace("tidemark-snapshot 1", "tidemark-snapshot 2"));
    Snapshot newer = store().list().get(0);
    assertThat(newer.state()).isEqualTo(Snapshot.State.UNREADABLE);
    assertThat(newer.reason()).contains("format 2").contains("start the release that wrote it");
    Files.writeString(manifest, text);

    Path chunk = snapshot.folder().resolve("objects-000001.chunk");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[4] = 2;
    ChunkLayout.putInt(bytes, 20, ChunkLayout.crc(bytes, 0, 20));
    Files.write(chunk, bytes);
    assertThat(SnapshotReader.verify(snapshot)).singleElement().asString().contains("layout 2");
  }

  @Test
  void aChunkOfAnotherSnapshotIsNotTaken() throws IOException {
    Snapshot one = Samples.write(store(), Samples.options(4096), 42, 3);
    Snapshot two = Samples.write(store(), Samples.options(4096), 43, 3);
    String name = "objects-000001.chunk";
    Files.write(two.folder().resolve(name), Files.readAllBytes(one.folder().resolve(name)));
    assertThat(SnapshotReader.verify(two)).singleElement().asString().contains("of index 42");
  }

  @Test
  void aRecordOfATypeThatIsNotKnownEndsTheReading() throws IOException {
    Snapshot snapshot = Samples.write(store(), Samples.options(4096), 42, 1);
    Path chunk = snapshot.folder().resolve("objects-000001.chunk");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[ChunkLayout.HEADER_BYTES + ChunkLayout.FRAME_BYTES] = 99;
    int body = ChunkLayout.getInt(bytes, ChunkLayout.HEADER_BYTES + 2);
    int crc = ChunkLayout.frameCrc(bytes, ChunkLayout.HEADER_BYTES, body);
    ChunkLayout.putInt(bytes, ChunkLayout.HEADER_BYTES + 6, crc);
    Files.write(chunk, bytes);
    assertThatThrownBy(() -> SnapshotReader.read(snapshot, (record, place) -> {}))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("99")
        .hasMessageContaining("newer");
  }

  @Test
  void aCaptureThatMiscountsIsNotPublished() {
    try (SnapshotWriter writer = store().writer(Samples.options(4096), () -> false)) {
      writer.begin(Samples.at(5));
      List<StateRecord> records = Samples.records(2);
      records.forEach(writer::record);
      assertThatThrownBy(() -> writer.end(0, 3)).isInstanceOf(SnapshotException.class);
    }
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void aCaptureThatIsStoppedLeavesNothing() {
    boolean[] stop = new boolean[1];
    try (SnapshotWriter writer = store().writer(Samples.options(64), () -> stop[0])) {
      writer.begin(Samples.at(5));
      writer.record(Samples.object("a"));
      stop[0] = true;
      assertThatThrownBy(() -> writer.record(Samples.object("b")))
          .isInstanceOf(SnapshotException.class);
    }
    assertThat(root).isEmptyDirectory();
  }

  @Test
  void manifestsAreReadWhateverTheLocale() {
    byte[] bytes = GoldenSnapshot.MANIFEST.getBytes(StandardCharsets.UTF_8);
    assertThat(ManifestText.read(bytes).position()).isEqualTo(Samples.at(42));
    assertThat(ManifestText.write(ManifestText.read(bytes))).isEqualTo(GoldenSnapshot.MANIFEST);
  }
}
