package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts on a log whose front a snapshot covers: damage there is found, and costs nothing. */
class CoveredLogStartTest {
  private static final int PUTS = 100;

  @TempDir private Path directory;

  /** Takes two snapshots with entries before, between and behind them. */
  private Outcome twoSnapshots(SnapshotScene scene) {
    scene.mount(2);
    for (int i = 0; i < PUTS; i++) {
      scene.put("before-" + i);
    }
    scene.snapshot();
    for (int i = 0; i < PUTS; i++) {
      scene.put("between-" + i);
    }
    Outcome newest = scene.snapshot();
    scene.put("behind");
    return newest;
  }

  /** The oldest segment file, which has the entries between the snapshots. */
  private Path covered() throws IOException {
    try (Stream<Path> files = Files.list(directory.resolve("segments"))) {
      return files.filter(f -> f.toString().endsWith(".cq4")).sorted().findFirst().orElseThrow();
    }
  }

  /** Damages a key in the middle of a file of the log. */
  private static void damage(Path segment) throws IOException {
    byte[] bytes = Files.readAllBytes(segment);
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    SnapshotScene.flip(segment, text.indexOf("between-" + PUTS / 2));
  }

  @Test
  void theCoveredPartIsReadWhileTheMasterServes() {
    try (SnapshotScene scene = SnapshotScene.start(directory)) {
      Outcome newest = twoSnapshots(scene);
      scene.restart();
      assertThat(scene.started.opened().log().checkedFrom()).isEqualTo(newest.index() + 1);
      assertThat(scene.started.opened().log().checkCovered(() -> true)).isEmpty();
      for (String key : List.of("before-1", "between-1", "behind")) {
        assertThat(scene.exists(key)).isTrue();
      }
    }
  }

  /** It is said, and the next snapshot makes the damaged file superfluous. */
  @Test
  void damageThatASnapshotCoversCostsNothing() throws IOException {
    try (SnapshotScene scene = SnapshotScene.start(directory)) {
      Outcome newest = twoSnapshots(scene);
      scene.crash();
      Path damaged = covered();
      damage(damaged);
      scene.restartCrashed();
      assertThat(scene.exists("between-" + PUTS / 2)).isTrue();
      assertThat(scene.exists("behind")).isTrue();

      scene.started.check().start();

      Await.until("the damaged file is gone", () -> !Files.exists(damaged));
      assertThat(scene.store().list().get(0).index()).isGreaterThan(newest.index());
      scene.restart();
      assertThat(scene.started.opened().log().checkCovered(() -> true)).isEmpty();
    }
  }

  /**
   * Without the newest snapshot the covered part is needed, and is read before anybody is served.
   */
  @Test
  void damageRefusesTheStartIfTheNewestSnapshotIsDamagedToo() throws IOException {
    SnapshotScene scene = SnapshotScene.start(directory);
    Outcome newest = twoSnapshots(scene);
    scene.crash();
    damage(covered());
    SnapshotScene.ruin(newest.folder());
    StartException refusal = catchThrowableOfType(StartException.class, scene::restartCrashed);
    assertThat(refusal.exitCode()).isEqualTo(ExitCode.LOG_DAMAGED);
    assertThat(refusal).hasMessageContaining("--log_cut_from=");
  }
}
