package io.tidemark.benchmarks.bench;

import io.tidemark.benchmarks.bench.LentMemory.Removed;
import io.tidemark.benchmarks.bench.Measurement.Ended;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

/** One load from begin to end: mounts, runs the phases, takes everything away again. */
final class Bench {
  /** What is written for a phase that reads, if nothing is there. */
  private static final int FILLED_KEYS = 100_000;

  private static final Duration FILL_LIMIT = Duration.ofSeconds(60);

  /** The part of the keys that the warm-up of a phase that writes may use up. */
  private static final int WARMUP_PART = 4;

  private final BenchPlan plan;
  private final Report report;
  private final BooleanSupplier stop;
  private final List<String> troubles = new ArrayList<>();
  private final KeySpace keys;
  private final int runId;
  private boolean clean = true;
  private long removed;
  private long left;
  private int unmounted;

  /**
   * A load that has not begun.
   *
   * @param stop whether to end early; asked all the time, may be set by another thread
   */
  Bench(BenchPlan plan, Report report, BooleanSupplier stop) {
    this.plan = plan;
    this.report = report;
    this.stop = stop;
    this.runId = ThreadLocalRandom.current().nextInt();
    this.keys = new KeySpace(runId, plan.keyBytes(), plan.keys());
  }

  /**
   * Runs it on the calling thread.
   *
   * @return the {@link ExitStatus}
   * @throws BenchException if it can't begin; nothing was reported and nothing is left behind then
   */
  int run() throws BenchException {
    new MasterProbe(plan).requireMaster();
    try (LentMemory memory = LentMemory.mount(plan, runId)) {
      report.begin();
      load(memory);
      if (!plan.keep()) {
        cleanUp(memory);
      }
    }
    int status = clean && troubles.isEmpty() ? ExitStatus.OK : ExitStatus.FAILED;
    boolean interrupted = stop.getAsBoolean();
    report.end(
        new Report.End(
            status, plan.keep(), removed, left, unmounted, interrupted, List.copyOf(troubles)));
    return status;
  }

  private void load(LentMemory memory) {
    Requests requests = new Requests(plan, memory.id(), memory.segmentName());
    try (LoadDriver driver = new LoadDriver(plan, requests, keys, stop)) {
      for (BenchPhase phase : plan.phases()) {
        if (!prepare(phase, driver, memory) || !measure(phase, driver)) {
          return;
        }
      }
    } catch (IOException e) {
      troubles.add("the load ended early: " + e.getMessage());
    }
  }

  /** Makes the keys what the phase needs: gone, or there. */
  private boolean prepare(BenchPhase phase, LoadDriver driver, LentMemory memory)
      throws IOException {
    if (phase.fillsKeys() || keys.size() == 0) {
      removed += memory.remove(keys).gone();
      driver.forgetKeys();
    }
    if (!phase.fillsKeys() && keys.size() == 0) {
      return fill(driver);
    }
    return !stop.getAsBoolean();
  }

  private boolean fill(LoadDriver driver) {
    keys.limit(FILLED_KEYS);
    Measurement filled =
        driver.drive(BenchPhase.BATCH_PUT, new Pace(OptionalInt.empty()), FILL_LIMIT);
    keys.unlimited();
    if (!filled.isClean()) {
      clean = false;
      report.phase(filled);
    }
    return filled.brokenBy().isEmpty() && keys.size() > 0 && !stop.getAsBoolean();
  }

  private boolean measure(BenchPhase phase, LoadDriver driver) {
    if (!plan.warmup().isZero()) {
      if (phase.fillsKeys()) {
        keys.limit(plan.keys() / WARMUP_PART);
      }
      Measurement dropped = driver.drive(phase, new Pace(plan.rate()), plan.warmup());
      keys.unlimited();
      if (dropped.ended() == Ended.BROKEN) {
        return report(dropped);
      }
      if (stop.getAsBoolean()) {
        return false;
      }
    }
    return report(driver.drive(phase, new Pace(plan.rate()), plan.measured()));
  }

  /** Reports a measurement; whether there can be another. */
  private boolean report(Measurement measurement) {
    report.phase(measurement);
    clean &= measurement.isClean();
    return measurement.brokenBy().isEmpty() && !stop.getAsBoolean();
  }

  private void cleanUp(LentMemory memory) {
    try {
      Removed done = memory.remove(keys);
      removed += done.gone();
      left = done.left();
      unmounted = memory.unmount();
    } catch (IOException e) {
      left = keys.mayBeThere();
      troubles.add(
          "cleaning up failed ("
              + e.getMessage()
              + "); a master that runs drops keys and segments by itself once it misses this"
              + " client's pings");
      return;
    }
    if (left > 0) {
      troubles.add(
          left + " keys could not be removed in time; with the segments they are lost anyway");
    }
  }
}
