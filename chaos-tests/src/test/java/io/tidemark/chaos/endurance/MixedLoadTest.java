package io.tidemark.chaos.endurance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Mixed load on a master that evicts and takes snapshots all the time: nothing grows, nothing
 * stalls, nothing is answered that should not be. The figures are left in target/mixed-load-*.md.
 */
@RealProcesses
class MixedLoadTest {
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  /** Rows of the table, whatever the length of the run. */
  private static final int ROWS = 36;

  /**
   * The band: the median of the last third is at most so much above that of the middle third, plus
   * a few MiB, handles or threads.
   */
  private static final double BAND = 0.15;

  private static final double BAND_MIB = 8;
  private static final double BAND_COUNT = 3;

  /** Longest wait for any answer, ms; the machine's two cores are shared with the load. */
  private static final double LONGEST_STALL_MS = 2_000;

  private static final double MIB = 1 << 20;

  private final Series series = new Series();
  private MasterFigures figures;
  private MixedLoad load;
  private Path data;

  /** Takes 3 minutes unless -Dtidemark.soak.minutes says otherwise. */
  @Test
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void threeMinutesOfMixedLoadWithEvictionAndSnapshotsLeaveEverythingFlat(Evidence evidence)
      throws Exception {
    soak(evidence, Integer.getInteger("tidemark.soak.minutes", 3));
  }

  @Test
  @Tag("long")
  @Timeout(value = 2, unit = TimeUnit.HOURS)
  void thirtyMinutesOfMixedLoadWithEvictionAndSnapshotsLeaveEverythingFlat(Evidence evidence)
      throws Exception {
    soak(evidence, 30);
  }

  private void soak(Evidence evidence, int minutes) throws Exception {
    long seed = Long.getLong("tidemark.seed", System.nanoTime());
    System.out.println("mixed load: " + minutes + " min, seed " + seed);
    MasterProcess master =
        MasterProcess.start(evidence, "master", MasterProgram.TIDEMARK, Host.LOOPBACK, flags());
    figures = new MasterFigures(master);
    data = evidence.folder("master-data");
    load = MixedLoad.start(MasterFigures.address(master), seed);
    long window = TimeUnit.MINUTES.toNanos(minutes) / ROWS;
    observe(System.nanoTime() + WARM_UP.toNanos());
    load.takeSlowestMs();
    long begin = System.nanoTime();
    try {
      for (int row = 1; row <= ROWS; row++) {
        double lowestHeap = observe(begin + row * window);
        series.add(row(begin, lowestHeap));
      }
      load.stopWorkers();
      load.removeAll();
      Await.until(
          "all memory is free again",
          LIMIT,
          () -> figures.metric("master_allocated_bytes"),
          bytes -> bytes == 0);
      load.stop();
    } finally {
      report(minutes, seed);
    }
    judge();
    assertThat(master.terminate(LIMIT)).isZero();
  }

  /**
   * Small segments and short leases, so that eviction never rests; a snapshot every 4 MiB. What an
   * upsert replaces waits for the release timeout: 10 minutes would outlast the run.
   */
  private static Map<String, String> flags() {
    return Map.of(
        "default_kv_lease_ttl", "200",
        "writer_quarantine_sec", "5",
        "put_start_discard_timeout_sec", "2",
        "put_start_release_timeout_sec", "5",
        "snapshot_log_bytes", Integer.toString(4 << 20),
        "snapshot_interval_seconds", "10");
  }

  /**
   * Looks at the heap until {@code end}: the lowest figure of a while is what is left right after a
   * collection.
   */
  private double observe(long end) {
    double lowest = Double.MAX_VALUE;
    while (System.nanoTime() - end < 0) {
      lowest = Math.min(lowest, heapAfter(LOOK_EVERY));
    }
    return lowest;
  }

  private double heapAfter(Duration pause) {
    long next = System.nanoTime() + pause.toNanos();
    Await.until("the next look", LIMIT, () -> System.nanoTime() - next >= 0);
    load.requireNoFailure();
    try {
      return figures.metrics().get("tidemark_heap_used_bytes");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Map<String, Double> row(long begin, double lowestHeap) throws IOException {
    Map<String, Double> metrics = figures.metrics();
    Map<String, Double> row = new LinkedHashMap<>();
    row.put("s", (double) Math.round((System.nanoTime() - begin) / 1e9));
    row.put("calls", (double) load.calls());
    row.put("slowest ms", load.takeSlowestMs());
    row.put("heap MiB", lowestHeap / MIB);
    row.put("resident MiB", figures.residentBytes() / MIB);
    row.put("disk MiB", MasterFigures.diskBytes(data) / MIB);
    row.put("handles", (double) figures.openFiles());
    row.put("threads", (double) figures.threads());
    row.put("keys", metrics.get("master_key_count"));
    row.put("allocated MiB", metrics.get("master_allocated_bytes") / MIB);
    row.put("waiting MiB", metrics.get("master_put_start_discarded_staging_size") / MIB);
    row.put("evicted", metrics.get("master_evicted_key_count"));
    row.put("snapshots", metrics.get("master_snapshot_success"));
    row.put("failed snapshots", metrics.get("master_snapshot_fail"));
    row.put("segments removed", metrics.get("tidemark_log_segments_removed_total"));
    row.put("unbounded", metrics.get("tidemark_log_unbounded"));
    return row;
  }

  private void report(int minutes, long seed) throws IOException {
    Path file = Checkout.target().resolve("mixed-load-" + minutes + "-min.md");
    Files.createDirectories(file.getParent());
    Files.writeString(
        file, "Mixed load, " + minutes + " min, seed " + seed + ".\n\n" + series.table());
    System.out.println("mixed load: figures in " + file);
  }

  private void judge() {
    List<String> wrong = new ArrayList<>();
    for (String column : List.of("heap MiB", "resident MiB", "disk MiB", "waiting MiB")) {
      wrong.addAll(series.grows(column, BAND, BAND_MIB));
    }
    for (String column : List.of("handles", "threads")) {
      wrong.addAll(series.grows(column, 0, BAND_COUNT));
    }
    assertThat(wrong).isEmpty();
    assertThat(series.max("slowest ms")).isLessThan(LONGEST_STALL_MS);
    double capacity = MixedLoad.CAPACITY_BYTES / MIB;
    assertThat(series.max("allocated MiB")).isLessThanOrEqualTo(capacity);
    assertThat(series.median("allocated MiB", 2)).isGreaterThan(capacity / 2);
    assertThat(series.median("evicted", 2)).isGreaterThan(series.median("evicted", 1) + 1_000);
    assertThat(series.median("snapshots", 2)).isGreaterThan(series.median("snapshots", 1));
    assertThat(series.last("segments removed")).isPositive();
    assertThat(series.last("failed snapshots")).isZero();
    assertThat(series.max("unbounded")).isZero();
  }
}
