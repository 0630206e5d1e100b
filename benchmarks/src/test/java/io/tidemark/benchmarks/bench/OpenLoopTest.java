package io.tidemark.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/**
 * A master that stalls can't hide it from the open loop: each operation that was due meanwhile has
 * waited. All bounds hold on a machine of any speed: being slow only adds delay.
 */
class OpenLoopTest {
  private static final Duration STALL = Duration.ofMillis(200);
  private static final int STALLS_AT = 100;
  private static final int RATE = 1_000;
  private static final int CONNECTIONS = 4;

  /** The histogram keeps three digits. */
  private static final double PRECISION = 0.999;

  @Test
  void everyOperationThatWasDueInAStallShowsItsDelay() throws IOException {
    Measurement measured = measure(OptionalInt.of(RATE));
    Tally tally = measured.tally();
    assertThat(tally.operations() + measured.behind()).isEqualTo(RATE);
    assertThat(measured.brokenBy()).isEmpty();
    // The stall begins when an operation that is due has arrived. What is due in its first 150 ms
    // waits 50 ms or more, and so on; each millisecond has one.
    assertThat(atLeast(tally.latencies(), 50)).isGreaterThanOrEqualTo(150 - CONNECTIONS);
    assertThat(atLeast(tally.latencies(), 100)).isGreaterThanOrEqualTo(100 - CONNECTIONS);
    assertThat(atLeast(tally.latencies(), 150)).isGreaterThanOrEqualTo(50 - CONNECTIONS);
    assertThat(measured.maxMicros()).isGreaterThanOrEqualTo(STALL.toMillis() * 1e3 * PRECISION);
    // All but those that the connections were just sending began late.
    assertThat(tally.late()).isGreaterThanOrEqualTo(STALL.toMillis() - 2 * CONNECTIONS);
  }

  @Test
  void theClosedLoopSeesAStallOnceAConnection() throws IOException {
    Measurement measured = measure(OptionalInt.empty());
    Tally tally = measured.tally();
    assertThat(tally.operations()).isGreaterThan(STALLS_AT);
    assertThat(measured.maxMicros()).isGreaterThanOrEqualTo(STALL.toMillis() * 1e3 * PRECISION);
    assertThat(measured.behind()).isZero();
    assertThat(tally.late()).isZero();
  }

  @Test
  void whatIsDueAndNotBegunAtTheEndIsBehind() {
    Pace pace = new Pace(OptionalInt.of(10));
    pace.start(0);
    long second = Duration.ofSeconds(1).toNanos();
    assertThat(pace.behindAt(second)).isEqualTo(10);
    assertThat(pace.isDue(0)).isTrue();
    assertThat(pace.take(5)).isZero();
    assertThat(pace.isDue(second / 10 - 1)).isFalse();
    assertThat(pace.nextDueNanos()).isEqualTo(second / 10);
    assertThat(pace.take(second)).isEqualTo(second / 10);
    assertThat(pace.behindAt(second)).isEqualTo(8);
    assertThat(pace.behindAt(second + 1)).isEqualTo(9);
  }

  private static Measurement measure(OptionalInt rate) throws IOException {
    try (StubMaster master = new StubMaster()) {
      master.stallAt(STALLS_AT, STALL);
      BenchPlan plan =
          new BenchPlan(
              master.target(),
              master.address(),
              MooncakeRelease.V0_3_14,
              List.of(BenchPhase.GET),
              CONNECTIONS,
              rate,
              2,
              32,
              4096,
              1_000,
              Duration.ofSeconds(1),
              Duration.ZERO,
              1,
              false);
      KeySpace keys = new KeySpace(1, plan.keyBytes(), plan.keys());
      Requests requests = new Requests(plan, Uuid.ZERO, "segment");
      try (LoadDriver driver = new LoadDriver(plan, requests, keys, () -> false)) {
        return driver.drive(BenchPhase.GET, new Pace(rate), plan.measured());
      }
    }
  }

  private static long atLeast(Histogram latencies, long ms) {
    long nanos = (long) (Duration.ofMillis(ms).toNanos() * PRECISION);
    return latencies.getCountBetweenValues(nanos, latencies.getHighestTrackableValue());
  }
}
