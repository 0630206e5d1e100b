package io.tidemark.chaos.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.FreePorts;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.MasterSettings;
import io.tidemark.chaos.process.OsProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The data directory's file system is full to the last block (COR-03); see {@link LoopDisk}. */
@RealProcesses
class FullDiskTest {
  private static final long DISK_BYTES = 256L << 20;
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int FULLS = 4;
  private static final int SLOWEST_MS = 2_000;
  private static final String REFUSALS = "tidemark_log_full_refusals_total";
  private static final String FAILED = "master_snapshot_fail";
  private static final String TAKEN = "master_snapshot_success";

  @BeforeAll
  static void unmountWhatAKilledRunLeft() throws IOException {
    LoopDisk.unmountLeftovers(Checkout.target().resolve("evidence/FullDiskTest"));
  }

  @Test
  void aFullDiskRefusesMutationsLosesNothingAndHealsWithoutARestart(Evidence evidence)
      throws Exception {
    LoopDisk disk = LoopDisk.mount(evidence, "master-data", DISK_BYTES);
    MasterProcess master = start(evidence, Map.of());
    MasterFigures figures = new MasterFigures(master);
    DiskClients clients = DiskClients.start(MasterFigures.address(master), 0);
    long pid = master.process().pid();
    awaitProgress(clients, 2_000);
    for (int round = 1; round <= FULLS; round++) {
      long counted = figures.metric(REFUSALS);
      if (round == 1) {
        disk.fill();
      } else {
        disk.grab();
      }
      staysFull(clients, master);
      assertThat(disk.free()).isZero();
      assertThat(figures.metric(REFUSALS)).isGreaterThan(counted);
      disk.release();
      awaitProgress(clients, 1_000);
      assertThat(master.process().pid()).isEqualTo(pid);
      master.process().requireAlive();
    }
    clients.stop();
    System.out.printf(
        "full disk: %d acknowledged, %d refused, %d reads and %d pings, the slowest %d ms%n",
        clients.acknowledged(),
        clients.refused(),
        clients.reader().reads(),
        clients.reader().pings(),
        clients.reader().slowestMs());
    assertThat(clients.reader().slowestMs()).isLessThan(SLOWEST_MS);
    assertThat(clients.wrong()).isEmpty();
    master.kill();
    master.start();
    assertThat(clients.stored()).isGreaterThan(1_000);
    assertThat(clients.wrong()).as("after kill -9").isEmpty();
    assertThat(master.terminate(LIMIT)).isZero();
    soundIn(evidence, disk.folder(), "log");
  }

  @Test
  void aKillOnAFullDiskLosesNothingAndTheStartSaysWhatToDo(Evidence evidence) throws Exception {
    LoopDisk disk = LoopDisk.mount(evidence, "master-data", DISK_BYTES);
    MasterProcess master = start(evidence, Map.of());
    DiskClients clients = DiskClients.start(MasterFigures.address(master), 2);
    awaitProgress(clients, 2_000);
    disk.grab();
    staysFull(clients, master);
    clients.stop();
    master.kill();
    startEndsForWantOfSpace(evidence, disk.folder(), "after-kill");
    disk.release();
    master.start();
    assertThat(clients.wrong()).isEmpty();
    disk.grab();
    assertThat(master.terminate(LIMIT)).as("status of a stop without space").isZero();
    startEndsForWantOfSpace(evidence, disk.folder(), "after-stop");
    disk.release();
    master.start();
    assertThat(clients.wrong()).isEmpty();
    assertThat(master.terminate(LIMIT)).isZero();
    soundIn(evidence, disk.folder(), "log");
  }

  @Test
  void anEmptyDirectoryOnAFullDiskIsRefusedAtTheStart(Evidence evidence) throws Exception {
    LoopDisk disk = LoopDisk.mount(evidence, "master-data", 32 << 20);
    disk.grab();
    startEndsForWantOfSpace(evidence, disk.folder(), "empty");
    disk.release();
    startEndsForWantOfSpace(evidence, disk.folder(), "below-the-reserve");
  }

  @Test
  void aSnapshotThatFindsTheDiskFullIsCountedAndTakenLater(Evidence evidence) throws Exception {
    LoopDisk disk = LoopDisk.mount(evidence, "master-data", DISK_BYTES);
    Map<String, String> flags =
        Map.of("snapshot_log_bytes", "65536", "snapshot_write_bytes_per_second", "300000");
    MasterProcess master = start(evidence, flags);
    MasterFigures figures = new MasterFigures(master);
    DiskClients clients = DiskClients.start(MasterFigures.address(master), 2);
    awaitProgress(clients, 6_000);
    Path snapshots = disk.folder().resolve("snapshots");
    long failed = figures.metric(FAILED);
    Await.until("a snapshot is being written", LIMIT, () -> unfinished(snapshots) > 0);
    disk.grab();
    Await.until("a failed snapshot", LIMIT, () -> figures.metric(FAILED), v -> v > failed);
    staysFull(clients, master);
    long taken = figures.metric(TAKEN);
    disk.release();
    awaitProgress(clients, 1_000);
    Await.until("a snapshot", LIMIT, () -> figures.metric(TAKEN), v -> v > taken);
    clients.stop();
    master.kill();
    master.start();
    assertThat(clients.wrong()).isEmpty();
    assertThat(master.terminate(LIMIT)).isZero();
    soundIn(evidence, disk.folder(), "log");
    soundIn(evidence, disk.folder(), "snapshot");
  }

  private static MasterProcess start(Evidence evidence, Map<String, String> more) {
    Map<String, String> flags = new HashMap<>(more);
    flags.put("client_active_ttl_sec", "3600");
    return MasterProcess.start(evidence, "master", MasterProgram.TIDEMARK, Host.LOOPBACK, flags);
  }

  private static void awaitProgress(DiskClients clients, long calls) {
    long before = clients.acknowledged();
    Await.until(
        calls + " acknowledged calls",
        LIMIT,
        () -> {
          clients.requireNoFailure();
          return clients.acknowledged() - before;
        },
        done -> done >= calls);
  }

  /** Every writer is refused, and from then on nothing is acknowledged while reads go on. */
  private static void staysFull(DiskClients clients, MasterProcess master) {
    awaitRefusals(clients, master, 1);
    long acknowledged = clients.acknowledged();
    long reads = clients.reader().reads();
    long pings = clients.reader().pings();
    awaitRefusals(clients, master, 40);
    Await.until("reads go on", LIMIT, () -> clients.reader().reads() >= reads + 200);
    Await.until("pings go on", LIMIT, () -> clients.reader().pings() >= pings + 10);
    clients.requireNoFailure();
    assertThat(clients.acknowledged()).isEqualTo(acknowledged);
  }

  private static void awaitRefusals(DiskClients clients, MasterProcess master, int more) {
    long before = clients.leastRefused();
    Await.until(
        more + " more refusals of every writer",
        LIMIT,
        () -> {
          master.process().requireAlive();
          clients.requireNoFailure();
          return clients.leastRefused() - before;
        },
        refusals -> refusals >= more);
  }

  private static void startEndsForWantOfSpace(Evidence evidence, Path data, String name)
      throws IOException {
    MasterSettings settings =
        new MasterSettings(
            Host.LOOPBACK.address(), FreePorts.next(), FreePorts.next(), data, Map.of());
    OsProcess process =
        OsProcess.start(
            evidence,
            name,
            MasterProgram.TIDEMARK.command(settings),
            MasterProgram.TIDEMARK.environment());
    assertThat(process.awaitExit(LIMIT)).as(process.lastWords()).isEqualTo(4);
    String said =
        Files.readString(evidence.folder().resolve(name + ".err"), StandardCharsets.ISO_8859_1);
    System.out.println("full disk, " + name + ": " + said.strip());
    assertThat(said)
        .contains("tidemark master: can't start: ")
        .contains(data.toString())
        .containsPattern("free some space|No space left on device")
        .doesNotContain("\tat ");
  }

  private static long unfinished(Path snapshots) throws IOException {
    if (!Files.isDirectory(snapshots)) {
      return 0;
    }
    try (Stream<Path> entries = Files.list(snapshots)) {
      return entries.filter(e -> e.getFileName().toString().startsWith(".unfinished")).count();
    }
  }

  private static void soundIn(Evidence evidence, Path data, String what) {
    List<String> command =
        new ArrayList<>(
            List.of(Checkout.launcher().toString(), what, "verify", "--data_dir", data.toString()));
    OsProcess process = OsProcess.start(evidence, what + "-verify", command, Map.of());
    assertThat(process.awaitExit(LIMIT)).as(what + " verify").isZero();
  }
}
