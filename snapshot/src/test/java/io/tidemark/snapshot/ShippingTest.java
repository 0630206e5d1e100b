package io.tidemark.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.log.LogPosition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** HA-REQ-036: a snapshot travels from one node's folder to another's. */
class ShippingTest {
  @TempDir private Path from;
  @TempDir private Path to;
  private SnapshotStore target;
  private Snapshot sent;

  @BeforeEach
  void write() {
    sent = Samples.verified(new SnapshotStore(from), 11, 40);
    target = new SnapshotStore(to.resolve("snapshots"));
  }

  private static List<byte[]> parts(Snapshot snapshot, int max) {
    List<byte[]> parts = new ArrayList<>();
    try (SnapshotExport export = new SnapshotExport(snapshot)) {
      long left = export.bytes();
      while (left > 0) {
        byte[] part = export.read(max);
        assertThat(part.length).isBetween(1, max);
        parts.add(part);
        left -= part.length;
      }
      assertThat(export.read(max)).isEmpty();
    }
    return parts;
  }

  private static byte[] whole(Snapshot snapshot) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    parts(snapshot, 1 << 20).forEach(all::writeBytes);
    return all.toByteArray();
  }

  private SnapshotImport importer(SnapshotStore store, long bytes) {
    return store.importer(Samples.CLUSTER, Samples.at(11), bytes);
  }

  @Test
  void whateverTheSizeOfThePartsItArrivesAsItIs() throws IOException {
    byte[] all = whole(sent);
    for (int max : new int[] {1, 3, 255, 256, 1000, 1 << 20}) {
      SnapshotStore store = new SnapshotStore(to.resolve("at-" + max));
      SnapshotImport in = importer(store, all.length);
      parts(sent, max).forEach(in::write);
      assertThat(store.list()).as("before it is published").isEmpty();
      Snapshot arrived = in.publish();
      assertThat(store.list()).singleElement().matches(Snapshot::isVerified);
      assertThat(arrived.manifest()).isEqualTo(sent.manifest());
      for (Manifest.Chunk chunk : sent.manifest().orElseThrow().chunks()) {
        assertThat(Files.readAllBytes(arrived.folder().resolve(chunk.file())))
            .isEqualTo(Files.readAllBytes(sent.folder().resolve(chunk.file())));
      }
    }
  }

  @Test
  void oneThatIsThereAlreadyIsTaken() {
    byte[] all = whole(sent);
    for (int i = 0; i < 2; i++) {
      SnapshotImport in = importer(target, all.length);
      in.write(all);
      in.publish();
    }
    assertThat(target.list()).singleElement().matches(Snapshot::isVerified);
  }

  @Test
  void aPartOfItIsNoSnapshot() throws IOException {
    byte[] all = whole(sent);
    SnapshotImport in = importer(target, all.length);
    in.write(Arrays.copyOf(all, all.length - 1));
    assertThatThrownBy(in::publish).hasMessageContaining("in part only");
    assertThat(target.list()).isEmpty();
    try (var left = Files.list(target.root())) {
      assertThat(left).isEmpty();
    }
  }

  /** What a crash left of an earlier try goes when the next one begins, and not before. */
  @Test
  void anAbandonedTryLeavesNothingForLong() throws IOException {
    byte[] all = whole(sent);
    importer(target, all.length).write(Arrays.copyOf(all, 500));
    assertThat(target.open()).isEmpty();
    try (var left = Files.list(target.root())) {
      assertThat(left).hasSize(1);
    }
    SnapshotImport again = importer(target, all.length);
    again.write(all);
    again.publish();
    try (var left = Files.list(target.root())) {
      assertThat(left).hasSize(1);
    }
  }

  @Test
  void everyFlippedByteIsNoticed() {
    byte[] all = whole(sent);
    for (int at = 0; at < all.length; at += 7) {
      byte[] bad = all.clone();
      bad[at] ^= 0x10;
      SnapshotImport in = importer(target, all.length);
      int where = at;
      assertThatThrownBy(
              () -> {
                in.write(bad);
                in.publish();
              })
          .as("byte %d", where)
          .isInstanceOf(SnapshotException.class);
      in.abandon();
      assertThat(target.list()).as("byte %d", at).noneMatch(Snapshot::isVerified);
    }
  }

  @Test
  void anotherClustersOrPositionsIsRefused() {
    byte[] all = whole(sent);
    SnapshotImport other = target.importer(new UUID(8, 8), Samples.at(11), all.length);
    assertThatThrownBy(() -> other.write(all)).hasMessageContaining("announced was");
    LogPosition elsewhere = new LogPosition(2, 11, 5);
    SnapshotImport moved = target.importer(Samples.CLUSTER, elsewhere, all.length);
    assertThatThrownBy(() -> moved.write(all)).hasMessageContaining("announced was");
    SnapshotImport longer = importer(target, all.length + 1L);
    assertThatThrownBy(() -> longer.write(all)).hasMessageContaining("length");
  }

  @Test
  void aDiskThatBreaksAtAnyStepLeavesNoSnapshot() {
    byte[] all = whole(sent);
    int step = 1;
    while (breaks(step, all)) {
      assertThat(target.list())
          .as("step %d", step)
          .allMatch(s -> s.manifest().isEmpty() || SnapshotReader.verify(s).isEmpty());
      step++;
    }
    assertThat(step).isGreaterThan(20);
  }

  private boolean breaks(int step, byte[] all) {
    SnapshotStore breaking = new SnapshotStore(target.root(), new BreakingOperations(step, true));
    try {
      SnapshotImport in = importer(breaking, all.length);
      in.write(all);
      in.publish();
      return false;
    } catch (SnapshotException failed) {
      assertThat(failed).hasMessageContaining("free some space");
      return true;
    }
  }

  @Test
  void oneThatIsRemovedWhileItIsSentEndsWithAnError() throws IOException {
    try (SnapshotExport export = new SnapshotExport(sent)) {
      export.read(100);
      Folders.remove(new DiskOperations(), sent.folder());
      assertThatThrownBy(
              () -> {
                while (export.read(100).length > 0) {
                  continue;
                }
              })
          .hasMessageContaining("can't be read");
    }
  }

  @Test
  void theNewestVerifiedOneIsFoundFromAnIndexOn() {
    SnapshotStore store = new SnapshotStore(from);
    Samples.write(store, Samples.options(256), 30, 3);
    assertThat(store.newestVerified(Samples.CLUSTER, 11).orElseThrow().index()).isEqualTo(11);
    assertThat(store.newestVerified(Samples.CLUSTER, 12)).isEmpty();
    assertThat(store.newestVerified(new UUID(8, 8), 0)).isEmpty();
  }
}
