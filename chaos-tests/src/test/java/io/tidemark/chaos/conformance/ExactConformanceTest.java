package io.tidemark.chaos.conformance;

import static org.assertj.core.api.Assertions.fail;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The exact arm: every field of every answer is the oracle's, or the difference is known. */
@RealProcesses
class ExactConformanceTest {
  private static final int ATTEMPTS = 3;

  static Stream<Arguments> newest() {
    return Stream.of(
            sequences(Release.V0_3_14, Setting.CALM, 3),
            sequences(Release.V0_3_14, Setting.LEASES, 1),
            sequences(Release.V0_3_14, Setting.WRITES, 1),
            sequences(Release.V0_3_14, Setting.LIVENESS, 2))
        .flatMap(s -> s);
  }

  static Stream<Arguments> secondNewest() {
    return Stream.of(
            sequences(Release.V0_3_13_POST1, Setting.CALM, 2),
            sequences(Release.V0_3_13_POST1, Setting.LEASES, 1),
            sequences(Release.V0_3_13_POST1, Setting.WRITES, 1))
        .flatMap(s -> s);
  }

  private static Stream<Arguments> sequences(Release release, Setting setting, int count) {
    String only = System.getProperty("tidemark.conformance.setting", setting.name());
    if (!only.equals(setting.name())) {
      return Stream.empty();
    }
    return Seeds.of(count).mapToObj(seed -> Arguments.of(release, setting, seed));
  }

  @ParameterizedTest(name = "{0} {1} seed {2}")
  @MethodSource("newest")
  @Timeout(300)
  void answersAreThoseOfTheNewestMaster(
      Release oracle, Setting setting, long seed, Evidence evidence) throws IOException {
    compare(oracle, setting, seed, evidence);
  }

  @ParameterizedTest(name = "{0} {1} seed {2}")
  @MethodSource("secondNewest")
  @Timeout(300)
  void answersAreThoseOfTheMasterBefore(
      Release oracle, Setting setting, long seed, Evidence evidence) throws IOException {
    compare(oracle, setting, seed, evidence);
  }

  private static void compare(Release oracle, Setting setting, long seed, Evidence evidence)
      throws IOException {
    List<Step> steps = Script.of(setting, oracle, seed);
    ExactRun runner = new ExactRun(evidence, oracle, setting);
    ExactRun.Outcome outcome = runner.run(steps);
    for (int i = 1; i < ATTEMPTS && outcome.late() && !outcome.differences().isEmpty(); i++) {
      System.out.println("a call met a deadline on this busy machine; the sequence runs again");
      outcome = runner.run(steps);
    }
    System.out.println(
        "conformance: "
            + Subject.program()
            + " against "
            + oracle
            + ", "
            + setting
            + ", seed "
            + seed
            + ": "
            + outcome.calls()
            + " calls, known differences "
            + outcome.known());
    Files.write(evidence.folder().resolve("history.txt"), outcome.history());
    if (!outcome.differences().isEmpty()) {
      Files.writeString(
          evidence.folder().resolve("differences.txt"), outcome.differences().toString());
      fail(new Shrinker(runner).report(steps, outcome, seed));
    }
  }
}
