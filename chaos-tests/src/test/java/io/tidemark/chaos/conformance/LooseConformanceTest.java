package io.tidemark.chaos.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The loose arm: pools that fill, both masters evict as they see fit. What each says must be
 * possible, and the outcome of the same operations must be about the same.
 */
@RealProcesses
class LooseConformanceTest {
  private static final int PUTS = 12_000;
  private static final long LEASE_MS = 400;

  /** Refusals for lack of memory, each followed by a pause: so many more are no difference. */
  private static final int REFUSED_TOLERANCE = 100;

  /** How far the filling of the pools may differ, as a share of their capacity. */
  private static final double FILL_TOLERANCE = 0.10;

  static LongStream seeds() {
    return Seeds.of(2);
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void poolsThatFillEndAboutTheSameAndNoRangeHasTwoOwners(long seed, Evidence evidence) {
    List<LooseOp> ops = LooseOp.script(seed, PUTS);
    // Every other seed lets the pools run full: only a refused Start makes room then.
    String watermark = seed % 2 == 0 ? "1.0" : "0.9";
    MasterProgram upstream = MasterProgram.upstream(Release.V0_3_14);
    LooseLedger oracle = run("oracle", upstream, watermark, ops, evidence);
    LooseLedger subject = run("subject", Subject.program(), watermark, ops, evidence);
    System.out.println("loose arm, seed " + seed + "\n  oracle  " + oracle);
    System.out.println("  subject " + subject);
    for (LooseLedger ledger : List.of(oracle, subject)) {
      assertThat(ledger.violations()).isEmpty();
      assertThat(ledger.givenUp()).isZero();
      assertThat(ledger.lostHardPinned()).isZero();
      assertThat(ledger.lostRecent()).isEmpty();
      assertThat(ledger.lostSoftPinned()).isZero();
    }
    assertThat(subject.full()).isLessThan(2 * oracle.full() + REFUSED_TOLERANCE);
    assertThat(Math.abs(subject.aliveBytes() - oracle.aliveBytes()))
        .isLessThan((long) (LooseLedger.capacity() * FILL_TOLERANCE));
  }

  private static LooseLedger run(
      String name, MasterProgram program, String watermark, List<LooseOp> ops, Evidence evidence) {
    Map<String, String> flags = new HashMap<>();
    flags.put("default_kv_lease_ttl", Long.toString(LEASE_MS));
    flags.put("eviction_high_watermark_ratio", watermark);
    flags.put("client_active_ttl_sec", "3600"); // nobody pings; on a slow machine a run takes long
    if (program == MasterProgram.TIDEMARK) {
      flags.put("writer_quarantine_sec", "0");
    }
    MasterProcess master = MasterProcess.start(evidence, name, program, Host.LOOPBACK, flags);
    try (Side side = new Side(master, ExactRun.profile(Release.V0_3_14), 1)) {
      return new LooseRun(side, LEASE_MS).run(ops);
    } finally {
      master.kill();
    }
  }
}
