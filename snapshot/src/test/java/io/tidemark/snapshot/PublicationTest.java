package io.tidemark.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever step of a publication fails, or is the last one before a crash. */
class PublicationTest {
  @TempDir private Path root;
  private SnapshotStore store;

  @BeforeEach
  void keepOne() {
    store = new SnapshotStore(root);
    Samples.verified(store, 10, 20);
  }

  @Test
  void aCrashAtAnyStepLeavesTheOldSnapshotAndNothingThatLooksLikeOne() throws IOException {
    int step = 1;
    int clearedSteps = 0;
    while (breaks(step, true)) {
      List<Snapshot> found = store.list();
      assertThat(found.get(found.size() - 1).isVerified()).as("old one, step %d", step).isTrue();
      for (Snapshot snapshot : found) {
        boolean usable = snapshot.manifest().isPresent();
        assertThat(usable)
            .as("step %d: %s", step, snapshot)
            .isEqualTo(usable && SnapshotReader.verify(snapshot).isEmpty());
      }
      clearedSteps += store.open().isEmpty() ? 0 : 1;
      List<Snapshot> after = store.list();
      assertThat(after).as("step %d", step).allMatch(s -> s.manifest().isPresent());
      try (var entries = Files.list(root)) {
        assertThat(entries).as("step %d", step).hasSize(after.size());
      }
      if (after.size() == 2) {
        Folders.remove(new DiskOperations(), after.get(0).folder());
      }
      step++;
    }
    assertThat(step).isGreaterThan(20);
    assertThat(clearedSteps).isGreaterThan(10);
  }

  @Test
  void aFailureAtAnyStepIsSaidAndClearedAwayAtOnce() throws IOException {
    int step = 1;
    while (breaks(step, false)) {
      List<Snapshot> found = store.list();
      assertThat(found.get(found.size() - 1).isVerified()).isTrue();
      if (found.size() == 2) {
        assertThat(SnapshotReader.verify(found.get(0))).as("step %d", step).isEmpty();
        Folders.remove(new DiskOperations(), found.get(0).folder());
      }
      try (var entries = Files.list(root)) {
        assertThat(entries).as("step %d", step).hasSize(1);
      }
      step++;
    }
  }

  private boolean breaks(int step, boolean forEver) {
    SnapshotStore breaking = new SnapshotStore(root, new BreakingOperations(step, forEver));
    try {
      Snapshot snapshot = Samples.write(breaking, Samples.options(256), 11, 20);
      Folders.remove(new DiskOperations(), snapshot.folder());
      return false;
    } catch (SnapshotException failed) {
      assertThat(failed)
          .hasMessageContaining(root.toString())
          .hasMessageContaining("No space left on device; free some space")
          .hasMessageContaining("Nothing is lost");
      return true;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aCrashAtAnyStepOfARemovalLeavesWholeSnapshotsAndLeftovers() {
    for (int step = 1; step < 12; step++) {
      Samples.verified(store, 11, 5);
      Samples.verified(store, 12, 5);
      SnapshotStore breaking = new SnapshotStore(root, new BreakingOperations(step, true));
      try {
        breaking.retain(2, Samples.CLUSTER);
      } catch (SnapshotException crash) {
        assertThat(crash).hasMessageContaining("free some space");
      }
      store.open();
      assertThat(store.list())
          .as("step %d", step)
          .allMatch(s -> s.manifest().isPresent() && SnapshotReader.verify(s).isEmpty());
      assertThat(store.floor(2, Samples.CLUSTER)).hasValue(11);
      store.list().forEach(s -> remove(s.folder()));
      Samples.verified(store, 10, 20);
    }
  }

  private static void remove(Path folder) {
    try {
      Folders.remove(new DiskOperations(), folder);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aFolderThatCannotBeMadeIsSaid() throws IOException {
    Path file = Files.createFile(root.resolve("file"));
    SnapshotStore none = new SnapshotStore(file.resolve("snapshots"));
    assertThatThrownBy(none::open)
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining(file.toString())
        .hasMessageContaining("the log goes on");
    assertThat(none.list()).isEmpty();
  }

  @Test
  void aReadOnlyFolderIsSaid() {
    FileOperations readOnly =
        new FailingWith(new java.nio.file.AccessDeniedException(root.toString()));
    assertThatThrownBy(
            () -> Samples.write(new SnapshotStore(root, readOnly), Samples.options(256), 11, 3))
        .isInstanceOf(SnapshotException.class)
        .hasMessageContaining("permission denied; make it writable for this user");
  }

  private record FailingWith(IOException cause) implements FileOperations {
    @Override
    public void createDirectory(Path directory) throws IOException {
      throw cause;
    }

    @Override
    public Output create(Path file) throws IOException {
      throw cause;
    }

    @Override
    public void force(Path file) throws IOException {
      throw cause;
    }

    @Override
    public void rename(Path from, Path to) throws IOException {
      throw cause;
    }

    @Override
    public void forceNames(Path directory) throws IOException {
      throw cause;
    }

    @Override
    public void delete(Path path) throws IOException {
      throw cause;
    }
  }
}
