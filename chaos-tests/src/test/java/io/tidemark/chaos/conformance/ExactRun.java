package io.tidemark.chaos.conformance;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.Release;
import io.tidemark.wire.schema.WireProfile;
import java.util.List;
import java.util.Map;

/** Starts two masters afresh, runs one sequence and ends them. */
final class ExactRun {

  /** What came of it. */
  record Outcome(
      List<Difference> differences,
      boolean late,
      int calls,
      Map<KnownDifference, Integer> known,
      List<String> history) {}

  private final Evidence evidence;
  private final Release oracle;
  private final Setting setting;
  private int runs;

  ExactRun(Evidence evidence, Release oracle, Setting setting) {
    this.evidence = evidence;
    this.oracle = oracle;
    this.setting = setting;
  }

  Outcome run(List<Step> steps) {
    runs++;
    MasterProcess expected = start("oracle", MasterProgram.upstream(oracle));
    MasterProcess actual = start("subject", Subject.program());
    WireProfile profile = profile(oracle);
    try (Side oracleSide = new Side(expected, profile, Cast.CLIENTS);
        Side subjectSide = new Side(actual, profile, Cast.CLIENTS)) {
      Comparison comparison = new Comparison(oracle, setting, oracleSide, subjectSide);
      List<Difference> differences = comparison.run(steps);
      return new Outcome(
          differences,
          comparison.isLate(),
          comparison.calls(),
          comparison.known(),
          comparison.history());
    } finally {
      expected.kill();
      actual.kill();
    }
  }

  private MasterProcess start(String name, MasterProgram program) {
    return MasterProcess.start(
        evidence, name + "-" + runs, program, Host.LOOPBACK, setting.flags(program));
  }

  static WireProfile profile(Release release) {
    return release == Release.V0_3_14 ? WireProfile.V0_3_14 : WireProfile.MAIN;
  }
}
