package io.tidemark.chaos.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.OsProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * kill -9 at every step of a publication: the master writes snapshots so slowly that it is nearly
 * always at one, and is killed when a step was seen on the disk.
 */
@RealProcesses
class SnapshotKillTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int ENDLESS = Integer.MAX_VALUE;

  /** What can be seen of a publication from outside, each the moment of one kill. */
  private enum Moment {
    TEMPORARY_FOLDER(".unfinished-*"),
    FIRST_CHUNK(".unfinished-*/objects-*.chunk"),
    RENAMED("snapshot-*"),
    MANIFEST_BEGUN("snapshot-*/MANIFEST*"),
    VERIFIED("snapshot-*/VERIFIED*"),
    ANY_TIME("*");

    final String glob;

    Moment(String glob) {
      this.glob = glob;
    }
  }

  private static Map<String, String> flags() {
    return Map.of(
        "snapshot_log_bytes", "65536",
        "snapshot_interval_seconds", "1",
        "snapshot_write_bytes_per_second", "4000000",
        "client_active_ttl_sec", "3600");
  }

  @Test
  void nothingAcknowledgedIsLostWheneverTheMasterIsKilled(Evidence evidence) throws Exception {
    long seed = Long.getLong("tidemark.seed", System.nanoTime());
    System.out.println("seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    MasterProcess master =
        MasterProcess.start(evidence, "master", MasterProgram.TIDEMARK, Host.LOOPBACK, flags());
    Path data = evidence.folder().resolve("master-data");
    Path snapshots = data.resolve("snapshots");
    PutLoad load = new PutLoad(address(master));
    load.mount();
    load.run(200);
    for (Moment moment : Moment.values()) {
      Thread writer = new Thread(() -> load.run(ENDLESS), "load");
      writer.start();
      List<Path> before = seen(snapshots, moment.glob);
      Await.until(
          "a new file like " + moment.glob,
          LIMIT,
          () -> moment == Moment.ANY_TIME || !before.containsAll(seen(snapshots, moment.glob)));
      for (long pause = random.nextLong(20_000); pause > 0; pause--) {
        Thread.onSpinWait();
      }
      master.kill();
      writer.join();
      master.start();
      assertThat(load.lost()).as("after %s, seed %d", moment, seed).isEmpty();
    }
    assertThat(load.stored()).isGreaterThan(1000);
    for (int i = 0; i < 2; i++) {
      load.run(5);
      assertThat(take(evidence, master)).as("exit code of snapshot take").isZero();
    }
    assertThat(seen(snapshots, "snapshot-*/VERIFIED")).hasSizeGreaterThanOrEqualTo(2);
    assertThat(master.terminate(LIMIT)).isZero();
    assertThat(tool(evidence, data, "snapshot", "verify")).isZero();
    assertThat(tool(evidence, data, "log", "verify")).isZero();
    try (Stream<Path> segments = Files.list(data.resolve("segments"))) {
      assertThat(segments.count()).as("the log is bounded").isLessThan(6);
    }
  }

  private static int take(Evidence evidence, MasterProcess master) {
    String admin = Host.LOOPBACK.address() + ":" + master.metricsPort();
    List<String> command =
        List.of(Checkout.launcher().toString(), "snapshot", "take", "--admin", admin);
    return OsProcess.start(evidence, "take", command, Map.of()).awaitExit(LIMIT);
  }

  private static InetSocketAddress address(MasterProcess master) {
    int colon = master.address().lastIndexOf(':');
    return new InetSocketAddress(
        master.address().substring(0, colon),
        Integer.parseInt(master.address().substring(colon + 1)));
  }

  private static int tool(Evidence evidence, Path data, String... words) {
    List<String> command = new ArrayList<>(List.of(Checkout.launcher().toString()));
    command.addAll(List.of(words));
    command.addAll(List.of("--data_dir", data.toString()));
    return OsProcess.start(evidence, "tool-" + String.join("-", words), command, Map.of())
        .awaitExit(LIMIT);
  }

  /** Files below a folder by a pattern of one or two names. */
  private static List<Path> seen(Path folder, String glob) throws IOException {
    String[] names = glob.split("/");
    List<Path> found = new ArrayList<>();
    for (Path entry : entries(folder, names[0])) {
      if (names.length == 1) {
        found.add(entry);
      } else {
        found.addAll(entries(entry, names[1]));
      }
    }
    return found;
  }

  private static List<Path> entries(Path folder, String glob) throws IOException {
    List<Path> found = new ArrayList<>();
    try (var stream = Files.newDirectoryStream(folder, glob)) {
      stream.forEach(found::add);
    } catch (java.nio.file.NoSuchFileException | java.nio.file.NotDirectoryException gone) {
      return List.of();
    } catch (java.nio.file.DirectoryIteratorException gone) {
      return found;
    }
    return found;
  }
}
