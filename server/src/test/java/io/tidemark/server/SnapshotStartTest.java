package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.log.LogEntry;
import io.tidemark.core.Replayer;
import io.tidemark.core.StateImporter;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import io.tidemark.snapshot.Manifest;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts on snapshots in every condition, with the real log. */
class SnapshotStartTest {
  private static final SnapshotConfig KEEP_ALL =
      new SnapshotConfig(true, 1L << 40, 0, 1000, 0, false);
  private static final SnapshotConfig START_EMPTY =
      new SnapshotConfig(true, 1L << 40, 0, 2, 0, true);

  @TempDir private Path directory;

  /** Takes three snapshots with changes before, between and behind them; the log is trimmed. */
  private List<Outcome> threeSnapshots(SnapshotScene scene) {
    SplittableRandom random = new SplittableRandom(1);
    scene.mount(3);
    List<Outcome> taken = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      for (int c = 0; c < 300; c++) {
        scene.change(random);
      }
      scene.put("stays-" + i);
      taken.add(scene.snapshot());
    }
    for (int c = 0; c < 100; c++) {
      scene.change(random);
    }
    scene.put("tail");
    return taken;
  }

  @Test
  @DisplayName("COR-26, HA-REQ-062: 100 random (snapshot, cut) pairs under load equal full replay")
  void snapshotPlusTailEqualsFullReplay() {
    long seed = Long.getLong("tidemark.seed", 20261130);
    try (SnapshotScene scene = SnapshotScene.start(directory, KEEP_ALL)) {
      scene.mount(3);
      AtomicBoolean over = new AtomicBoolean();
      CompletableFuture<Void> load =
          CompletableFuture.runAsync(
              () -> {
                SplittableRandom random = new SplittableRandom(seed);
                while (!over.get()) {
                  scene.change(random);
                }
              });
      List<Snapshot> snapshots = new ArrayList<>();
      try {
        for (int tries = 0; snapshots.size() < 25 && tries < 1000 && !load.isDone(); tries++) {
          Outcome outcome = scene.snapshot();
          if (!outcome.alreadyThere()) {
            snapshots.add(0, scene.store().list().get(0));
          }
        }
      } finally {
        over.set(true);
        SnapshotScene.get(load);
      }
      List<LogEntry> log = scene.entries(1);
      Map<Long, List<Snapshot>> pairs = new HashMap<>();
      SplittableRandom random = new SplittableRandom(seed);
      for (Snapshot snapshot : snapshots) {
        for (int i = 0; i < 4; i++) {
          long behind = log.size() - snapshot.index();
          long cut = snapshot.index() + (behind == 0 ? 0 : random.nextLong(behind + 1));
          pairs.computeIfAbsent(cut, c -> new ArrayList<>()).add(snapshot);
        }
      }
      compare(log, pairs, seed);
    }
  }

  private static void compare(List<LogEntry> log, Map<Long, List<Snapshot>> pairs, long seed) {
    int compared = 0;
    Replayer full = new Replayer(AllocatorKind.OFFSET);
    for (LogEntry entry : log) {
      full.entry(entry);
      long cut = entry.header().index();
      for (Snapshot snapshot : pairs.getOrDefault(cut, List.of())) {
        Manifest manifest = snapshot.manifest().orElseThrow();
        StateImporter importer = new StateImporter(AllocatorKind.OFFSET);
        assertThat(SnapshotReader.read(snapshot, (r, place) -> importer.record(r)).intact())
            .isTrue();
        StateImporter.Restored restored = importer.finish(manifest.position());
        assertThat(restored.digest()).isEqualTo(manifest.digest());
        Replayer tail = new Replayer(restored);
        log.subList((int) snapshot.index(), (int) cut).forEach(tail::entry);
        assertThat(tail.digest())
            .as("snapshot %d, cut %d, seed %d", snapshot.index(), cut, seed)
            .isEqualTo(full.digest());
        compared++;
      }
    }
    assertThat(compared).isEqualTo(100);
  }

  @Test
  void aRestartGoesOnFromTheNewestAndTheLogBeforeTheSecondIsGone() {
    SnapshotScene scene = SnapshotScene.start(directory);
    List<Outcome> taken = threeSnapshots(scene);
    long base = scene.started.opened().log().base().index();
    assertThat(base).isPositive().isLessThanOrEqualTo(taken.get(1).index());
    assertThat(scene.store().list())
        .extracting(Snapshot::index)
        .containsExactly(taken.get(2).index(), taken.get(1).index());
    long objects = scene.master().view().objectCount();
    scene.restart();
    try (scene) {
      assertThat(scene.master().view().objectCount()).isEqualTo(objects);
      assertThat(scene.exists("stays-0")).isTrue();
      assertThat(scene.exists("tail")).isTrue();
      assertThat(scene.started.droppedMemoryReplicas()).isFalse();
      assertThat(replayedFromSnapshot(scene)).isEqualTo(scene.master().view().stateDigest());
      scene.put("more");
      scene.snapshot();
    }
  }

  private static long replayedFromSnapshot(SnapshotScene scene) {
    Snapshot newest = scene.store().list().get(0);
    StateImporter importer = new StateImporter(AllocatorKind.OFFSET);
    SnapshotReader.read(newest, (r, place) -> importer.record(r));
    Replayer tail = new Replayer(importer.finish(newest.manifest().orElseThrow().position()));
    scene.entries(newest.index() + 1).forEach(tail::entry);
    return tail.digest();
  }

  @Test
  @DisplayName("HA-REQ-064: the newest is corrupt: the older one and a longer tail")
  void theNewestIsCorrupt() {
    SnapshotScene scene = SnapshotScene.start(directory);
    List<Outcome> taken = threeSnapshots(scene);
    SnapshotScene.ruin(taken.get(2).folder());
    long objects = scene.master().view().objectCount();
    scene.restart();
    try (scene) {
      assertThat(scene.master().view().objectCount()).isEqualTo(objects);
      assertThat(scene.exists("tail")).isTrue();
      assertThat(scene.store().list().get(0).state()).isEqualTo(Snapshot.State.DAMAGED);
      long base = scene.started.opened().log().base().index();
      scene.put("after");
      scene.snapshot();
      assertThat(scene.started.opened().log().base().index())
          .as("the log behind the only sound older snapshot stays")
          .isEqualTo(base);
    }
  }

  @Test
  @DisplayName(
      "HA-REQ-064: all are corrupt and the log is trimmed: refused, until told to start empty")
  void allAreCorruptAndTheLogIsTrimmed() {
    SnapshotScene scene = SnapshotScene.start(directory);
    List<Outcome> taken = threeSnapshots(scene);
    SnapshotScene.ruin(taken.get(2).folder());
    SnapshotScene.ruin(taken.get(1).folder());
    long end = scene.master().view().logEnd().index();
    scene.crash();
    assertThatThrownBy(() -> SnapshotScene.start(directory))
        .isInstanceOfSatisfying(
            StartException.class,
            refused -> assertThat(refused.exitCode()).isEqualTo(ExitCode.NOTHING_TO_RESTORE))
        .hasMessageContaining("no snapshot can be used")
        .hasMessageContaining(taken.get(2).folder().substring(taken.get(2).folder().length() - 20))
        .hasMessageContaining("--start_empty");
    SnapshotScene empty = SnapshotScene.start(directory, START_EMPTY);
    assertThat(empty.master().view().objectCount()).isZero();
    assertThat(empty.master().view().logEnd().index()).isGreaterThan(end);
    empty.mount(1);
    empty.put("new");
    Await.until("a snapshot of the empty state", () -> empty.store().list().get(0).index() > end);
    empty.crash();
    try (SnapshotScene again = SnapshotScene.start(directory)) {
      assertThat(again.exists("new")).isTrue();
    }
  }

  @Test
  @DisplayName("HA-REQ-064: all are corrupt and the log is whole: full replay")
  void allAreCorruptAndTheLogIsWhole() {
    SnapshotScene scene = SnapshotScene.start(directory, KEEP_ALL);
    List<Outcome> taken = threeSnapshots(scene);
    taken.forEach(outcome -> SnapshotScene.ruin(outcome.folder()));
    long objects = scene.master().view().objectCount();
    scene.restart();
    try (scene) {
      assertThat(scene.master().view().objectCount()).isEqualTo(objects);
      assertThat(scene.started.droppedMemoryReplicas()).isFalse();
    }
  }

  @Test
  @DisplayName("COR-26, COR-13: the log has lost its tail: it goes on behind the snapshot")
  void theLogHasLostItsTail() throws IOException {
    SnapshotScene before = SnapshotScene.start(directory);
    long index = threeSnapshots(before).get(2).index();
    before.crash();
    try (var files = Files.list(directory.resolve("segments"))) {
      List<Path> segments = files.filter(f -> f.toString().endsWith("F.cq4")).sorted().toList();
      for (Path file : segments) {
        Files.delete(file);
      }
    }
    SnapshotScene scene = SnapshotScene.start(directory);
    assertThat(scene.started.droppedMemoryReplicas()).isTrue();
    assertThat(scene.started.opened().log().base().index()).isEqualTo(index);
    assertThat(scene.master().view().logEnd().index()).isGreaterThan(index);
    scene.mount(90, 90);
    scene.put("after");
    scene.restart();
    try (scene) {
      assertThat(scene.exists("after")).as("said once, not at every start").isTrue();
      assertThat(scene.started.droppedMemoryReplicas()).isFalse();
    }
  }

  @Test
  @DisplayName("one bad object costs that object only, and memory waits for its late writers")
  void oneBadObject() {
    SnapshotScene scene = SnapshotScene.start(directory);
    scene.mount(2);
    for (int i = 0; i < 50; i++) {
      scene.put("k" + i);
    }
    List<Outcome> taken = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      scene.put("more-" + i);
      taken.add(scene.snapshot());
    }
    scene.put("tail");
    SnapshotScene.damageObject(taken.get(2).folder());
    SnapshotScene.damageObject(taken.get(1).folder());
    long objects = scene.master().view().objectCount();
    scene.restart();
    try (scene) {
      assertThat(scene.master().view().objectCount()).isEqualTo(objects - 1);
      assertThat(scene.exists("tail")).isTrue();
      assertThat(scene.putStart("early", 1024))
          .isEqualTo(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value());
      long readable = 0;
      for (int i = 0; i < 50; i++) {
        readable += scene.exists("k" + i) ? 1 : 0;
      }
      assertThat(readable).isGreaterThanOrEqualTo(49);
    }
  }

  @Test
  void aSnapshotThatIsAskedForTwiceWithoutAChangeIsTakenOnce() {
    try (SnapshotScene scene =
        SnapshotScene.start(directory, new SnapshotConfig(false, 1L << 40, 0, 2, 0, false))) {
      Outcome first = scene.snapshot();
      Outcome second = scene.snapshot();
      assertThat(second.alreadyThere() || second.index() > first.index()).isTrue();
      assertThat(first.objects()).isZero();
    }
  }
}
