package io.tidemark.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which snapshots are kept, and what they stand for. */
class SnapshotStoreTest {
  @TempDir private Path root;

  private SnapshotStore store() {
    return new SnapshotStore(root);
  }

  private List<Long> indexes() {
    return store().list().stream().map(Snapshot::index).toList();
  }

  @Test
  void theyAreListedByIndexNewestFirst() throws IOException {
    SnapshotStore store = store();
    for (long index : new long[] {900, 1000, 9, 10}) {
      Samples.verified(store, index, 1);
    }
    Files.createDirectory(root.resolve("something-else"));
    assertThat(indexes()).containsExactly(1000L, 900L, 10L, 9L);
    assertThat(store.list()).allMatch(Snapshot::isVerified);
  }

  @Test
  void olderOnesGoOnlyBehindTwoVerifiedOnes() {
    SnapshotStore store = store();
    Samples.verified(store, 1, 1);
    Samples.write(store, Samples.options(256), 2, 1);
    assertThat(store.floor(2, Samples.CLUSTER)).isEmpty();
    assertThat(store.retain(2, Samples.CLUSTER)).isEmpty();
    Samples.verified(store, 3, 1);
    assertThat(store.floor(1, Samples.CLUSTER)).as("never fewer than two").hasValue(1);
    assertThat(store.retain(1, Samples.CLUSTER)).isEmpty();
    Samples.verified(store, 4, 1);
    assertThat(store.floor(2, Samples.CLUSTER)).hasValue(3);
    assertThat(store.floor(3, Samples.CLUSTER)).hasValue(1);
    assertThat(store.retain(2, Samples.CLUSTER)).hasSize(2);
    assertThat(indexes()).containsExactly(4L, 3L);
  }

  @Test
  void aDamagedOneDoesNotCount() throws IOException {
    SnapshotStore store = store();
    Samples.verified(store, 1, 1);
    Samples.verified(store, 2, 1);
    Snapshot newest = Samples.verified(store, 3, 1);
    assertThat(store.floor(2, Samples.CLUSTER)).hasValue(2);
    Path chunk = newest.folder().resolve("objects-000001.chunk");
    byte[] bytes = Files.readAllBytes(chunk);
    bytes[40] ^= 1;
    Files.write(chunk, bytes);
    assertThat(store.verify(newest)).isNotEmpty();
    assertThat(store.list().get(0).state()).isEqualTo(Snapshot.State.DAMAGED);
    assertThat(store.list().get(0).reason()).contains("objects-000001.chunk");
    assertThat(store.floor(2, Samples.CLUSTER)).hasValue(1);
    assertThat(store.retain(2, Samples.CLUSTER)).isEmpty();
    assertThat(indexes()).containsExactly(3L, 2L, 1L);
  }

  @Test
  void theMarkOfAnotherManifestIsNone() throws IOException {
    SnapshotStore store = store();
    Snapshot one = Samples.verified(store, 1, 1);
    Snapshot two = Samples.write(store, Samples.options(256), 2, 1);
    Files.copy(
        one.folder().resolve(Snapshot.VERIFIED_MARK), two.folder().resolve(Snapshot.VERIFIED_MARK));
    assertThat(store.list().get(0).state()).isEqualTo(Snapshot.State.PUBLISHED);
  }

  @Test
  void anotherClustersDoNotCount() {
    SnapshotStore store = store();
    Samples.verified(store, 1, 1);
    Samples.verified(store, 2, 1);
    assertThat(store.floor(2, new UUID(7, 7))).isEmpty();
    assertThat(store.retain(2, new UUID(7, 7))).isEmpty();
  }

  @Test
  void aVerifiedOneIsNotReplacedAndAnUnverifiedOneIs() {
    SnapshotStore store = store();
    Samples.write(store, Samples.options(256), 5, 1);
    Snapshot again = Samples.write(store, Samples.options(256), 5, 2);
    assertThat(store.list().get(0).manifest()).isEqualTo(again.manifest());
    store.verify(again);
    assertThatThrownBy(() -> Samples.write(store, Samples.options(256), 5, 3))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("there already");
    assertThat(store.list()).singleElement().matches(Snapshot::isVerified);
    assertThat(store.open()).isEmpty();
  }

  @Test
  void oneThatIsSetAsideIsNoneAnyMore() {
    SnapshotStore store = store();
    Snapshot snapshot = Samples.verified(store, 5, 1);
    assertThat(store.setAside(snapshot)).isDirectory();
    assertThat(store.list()).isEmpty();
    assertThat(store.open()).isEmpty();
    assertThat(store.setAside(Samples.verified(store, 5, 1))).isDirectory();
  }
}
