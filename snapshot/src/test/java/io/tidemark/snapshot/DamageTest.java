package io.tidemark.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.state.StateRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every byte of a snapshot, damaged in turn: it is always noticed, and costs what it hit. */
class DamageTest {
  private static final int OBJECTS = 6;

  @TempDir private Path root;
  private SnapshotStore store;
  private Snapshot snapshot;
  private Set<String> written;

  @BeforeEach
  void writeSnapshot() {
    store = new SnapshotStore(root);
    snapshot = Samples.verified(store, 42, OBJECTS);
    written = new HashSet<>(Samples.records(OBJECTS).stream().map(Samples::text).toList());
  }

  private record Seen(SnapshotReader.Outcome outcome, List<String> records, int unreadable) {}

  private Seen read() {
    List<String> records = new ArrayList<>();
    int[] unreadable = new int[1];
    SnapshotReader.Outcome outcome =
        SnapshotReader.read(
            snapshot,
            new SnapshotReader.Visitor() {
              @Override
              public void record(StateRecord record, RecordPlace place) {
                records.add(Samples.text(record));
              }

              @Override
              public void unreadable(RecordPlace place, String why) {
                unreadable[0]++;
              }
            });
    return new Seen(outcome, records, unreadable[0]);
  }

  @Test
  void anyFlippedByteOfAChunkCostsAtMostOneRecordAndIsNoticed() throws IOException {
    for (Manifest.Chunk chunk : snapshot.manifest().orElseThrow().chunks()) {
      Path file = snapshot.folder().resolve(chunk.file());
      byte[] sound = Files.readAllBytes(file);
      for (int at = 0; at < sound.length; at++) {
        byte[] flipped = sound.clone();
        flipped[at] ^= (byte) (1 << at % 8);
        Files.write(file, flipped);
        boolean inRecords =
            at >= ChunkLayout.HEADER_BYTES && at < sound.length - ChunkLayout.TRAILER_BYTES;
        Seen seen = read();
        assertThat(seen.outcome().faults()).as("%s byte %d", chunk.file(), at).isNotEmpty();
        assertThat(seen.outcome().faults().get(0)).contains(file.toString());
        assertThat(seen.records()).as("%s byte %d", chunk.file(), at).allMatch(written::contains);
        assertThat(seen.records()).hasSize(written.size() - (inRecords ? 1 : 0));
        assertThat(seen.unreadable()).isEqualTo(inRecords ? 1 : 0);
        boolean objects = chunk.kind().equals("objects");
        assertThat(seen.outcome().lostObjects()).isEqualTo(inRecords && objects ? 1 : 0);
        assertThat(seen.outcome().lostOthers()).isEqualTo(inRecords && !objects);
      }
      Files.write(file, sound);
    }
    assertThat(read().outcome().intact()).isTrue();
  }

  @Test
  void anyFlippedByteOfTheManifestMakesItUnreadable() throws IOException {
    Path manifest = snapshot.folder().resolve(Snapshot.MANIFEST);
    byte[] sound = Files.readAllBytes(manifest);
    for (int at = 0; at < sound.length; at++) {
      byte[] flipped = sound.clone();
      flipped[at] ^= (byte) (1 << at % 8);
      Files.write(manifest, flipped);
      Snapshot damaged = store.list().get(0);
      assertThat(damaged.state()).as("byte %d", at).isEqualTo(Snapshot.State.UNREADABLE);
      assertThat(damaged.reason()).isNotEmpty();
    }
  }

  @Test
  void aChunkThatIsCutAnywhereKeepsWhatIsBeforeTheCut() throws IOException {
    Manifest.Chunk chunk = snapshot.manifest().orElseThrow().chunks().get(1);
    Path file = snapshot.folder().resolve(chunk.file());
    byte[] sound = Files.readAllBytes(file);
    for (int length = 0; length < sound.length; length++) {
      Files.write(file, Arrays.copyOf(sound, length));
      Seen seen = read();
      assertThat(seen.outcome().faults()).as("cut at %d", length).isNotEmpty();
      assertThat(seen.records()).allMatch(written::contains);
      long missing = written.size() - seen.records().size();
      assertThat(seen.outcome().lostObjects()).isEqualTo(missing);
    }
    Files.write(file, Arrays.copyOf(sound, sound.length + 1));
    assertThat(read().outcome().lostObjects()).isZero();
    assertThat(read().outcome().faults()).isNotEmpty();
  }

  @Test
  void missingAndAdditionalChunksAreRefused() throws IOException {
    Manifest.Chunk chunk = snapshot.manifest().orElseThrow().chunks().get(1);
    Path file = snapshot.folder().resolve(chunk.file());
    Path away = snapshot.folder().resolve("elsewhere");
    Files.move(file, away);
    assertThat(store.verify(snapshot))
        .singleElement()
        .asString()
        .contains(chunk.file() + " is missing");
    Files.move(away, file);
    assertThat(store.list().get(0).state()).isEqualTo(Snapshot.State.DAMAGED);
    assertThat(store.verify(snapshot)).isEmpty();
    assertThat(store.list().get(0).state()).isEqualTo(Snapshot.State.VERIFIED);
    Files.write(snapshot.folder().resolve("objects-000099.chunk"), new byte[3]);
    assertThat(store.verify(snapshot))
        .singleElement()
        .asString()
        .contains("does not name: objects-000099.chunk");
  }

  @Test
  void aLaterReadNoticesEveryChangedByte() throws IOException {
    Snapshot verified = store.list().get(0);
    assertThat(store.verifyAgain(verified)).isEmpty();
    for (Manifest.Chunk chunk : snapshot.manifest().orElseThrow().chunks()) {
      Path file = snapshot.folder().resolve(chunk.file());
      byte[] sound = Files.readAllBytes(file);
      for (int at = 0; at < sound.length; at++) {
        byte[] changed = sound.clone();
        changed[at] ^= 1;
        Files.write(file, changed);
        assertThat(SnapshotReader.isAsWritten(verified)).as("%s at %d", chunk.file(), at).isFalse();
        assertThat(SnapshotReader.verify(verified)).as("%s at %d", chunk.file(), at).isNotEmpty();
      }
      Files.write(file, sound);
    }
    assertThat(SnapshotReader.isAsWritten(verified)).isTrue();
    Path file = snapshot.folder().resolve(chunkFile(0));
    Files.write(file, new byte[10]);
    assertThat(store.verifyAgain(verified)).isNotEmpty();
    assertThat(store.list().get(0).state()).isEqualTo(Snapshot.State.DAMAGED);
  }

  /** A chunk that is read back in many slices, with a record larger than one. */
  @Test
  void aChunkOfManySlicesIsReadBackWhole() throws IOException {
    SnapshotOptions options = Samples.options(8 << 20);
    Snapshot large;
    try (SnapshotWriter writer = store.writer(options, () -> false)) {
      writer.begin(Samples.at(77));
      for (int i = 0; i < 8000; i++) {
        writer.record(Samples.object(i == 3000 ? "k".repeat(1 << 20) : "key-" + i));
      }
      writer.end(1, 8000);
      large = writer.published();
    }
    assertThat(store.verify(large)).isEmpty();
    Snapshot verified = store.list().get(0);
    assertThat(verified.index()).isEqualTo(77);
    assertThat(SnapshotReader.isAsWritten(verified)).isTrue();
    Manifest.Chunk chunk = verified.manifest().orElseThrow().chunks().get(0);
    Path file = verified.folder().resolve(chunk.file());
    byte[] sound = Files.readAllBytes(file);
    assertThat(sound.length).isGreaterThan(8 * DiskOperations.SLICE_BYTES);
    Random random = new Random(20261201);
    for (int i = 0; i < 60; i++) {
      int at = random.nextInt(sound.length);
      sound[at] ^= 4;
      Files.write(file, sound);
      assertThat(SnapshotReader.isAsWritten(verified)).as("byte %d", at).isFalse();
      assertThat(SnapshotReader.verify(verified)).as("byte %d", at).isNotEmpty();
      sound[at] ^= 4;
    }
    Files.write(file, Arrays.copyOf(sound, sound.length - 1));
    assertThat(SnapshotReader.isAsWritten(verified)).isFalse();
    Files.write(file, sound);
    assertThat(SnapshotReader.verify(verified)).isEmpty();
  }

  private String chunkFile(int number) {
    return snapshot.manifest().orElseThrow().chunks().get(number).file();
  }
}
