package io.tidemark.chaos.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The load generator on real masters: plausible figures, and nothing left behind. */
@RealProcesses
class BenchTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final String SHORT = "--seconds 0.2 --warmup-seconds 0.1 --keys 20000 --batch 16";
  private static final int TERMINATED = 143;

  @Test
  void tidemark(Evidence evidence) throws Exception {
    MasterProcess master =
        MasterProcess.start(evidence, "tidemark", MasterProgram.TIDEMARK, Host.LOOPBACK, Map.of());
    everyPhaseInAClosedLoop(evidence, master);
    stoppedItPrintsWhatItHasAndCleansUp(evidence, master);
    openLoopThatKeepsItsKeys(evidence, master);
    theMasterIsKilled(evidence, master);
  }

  private static void everyPhaseInAClosedLoop(Evidence evidence, MasterProcess master)
      throws Exception {
    String options =
        " --json --connections 4 --release 0.3.10.post2"
            + " --phases put,get,exist,batch-put,batch-get,batch-exist,mixed";
    List<JsonNode> lines =
        BenchRun.start(evidence, "closed", master.address(), SHORT + options).cleanJson();
    assertThat(lines).hasSize(8);
    plausible(lines);
    assertThat(lines.get(7).path("segments_unmounted").asInt()).isEqualTo(16);
    nothingIsLeft(master);
  }

  private static void stoppedItPrintsWhatItHasAndCleansUp(Evidence evidence, MasterProcess master)
      throws Exception {
    BenchRun run = inItsSecondPhase(evidence, "stopped", master);
    assertThat(run.process().terminate(LIMIT)).isEqualTo(TERMINATED);
    assertThat(run.out())
        .containsPattern("(?m)^put +\\d+")
        .contains("cleaned up: 2000 keys removed, 16 segments unmounted");
    assertThat(run.err()).isEmpty();
    nothingIsLeft(master);
  }

  private static void openLoopThatKeepsItsKeys(Evidence evidence, MasterProcess master)
      throws Exception {
    String options = " --json --rate 200 --keep --phases put,mixed,batch-get";
    List<JsonNode> lines =
        BenchRun.start(evidence, "open", master.address(), SHORT + options).cleanJson();
    assertThat(lines).hasSize(4);
    plausible(lines);
    for (JsonNode phase : lines.subList(0, 3)) {
      assertThat(phase.path("ops").asLong() + phase.path("behind").asLong()).isEqualTo(40);
      assertThat(phase.path("ops_per_s").asDouble()).isLessThan(201);
    }
    assertThat(lines.get(3).path("kept").asBoolean()).isTrue();
    assertThat(BenchRun.metric(master, "master_key_count"))
        .isGreaterThanOrEqualTo(lines.get(0).path("ops").asLong());
  }

  private static void theMasterIsKilled(Evidence evidence, MasterProcess master) throws Exception {
    BenchRun run = inItsSecondPhase(evidence, "killed", master);
    master.kill();
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out()).containsPattern("(?m)^put +\\d+").containsPattern("broken after .* s: ");
    assertThat(run.err()).startsWith("tidemark bench: cleaning up failed (").hasLineCount(1);
  }

  /** A run whose first phase ended with its keys; the second would go on for a minute. */
  private static BenchRun inItsSecondPhase(Evidence evidence, String name, MasterProcess master) {
    BenchRun run =
        BenchRun.start(
            evidence,
            name,
            master.address(),
            "--phases put,get --keys 2000 --seconds 60 --warmup-seconds 0");
    Await.until(
        "the first phase is over", LIMIT, () -> run.out().contains("all keys were written"));
    return run;
  }

  @ParameterizedTest
  @EnumSource(
      value = Release.class,
      names = {"V0_3_14", "V0_3_13_POST1"})
  void mooncakesOwnMasters(Release release, Evidence evidence) throws Exception {
    MasterProcess master =
        MasterProcess.start(
            evidence, "upstream", MasterProgram.upstream(release), Host.LOOPBACK, Map.of());
    List<JsonNode> lines =
        BenchRun.start(
                evidence,
                "bench",
                master.address(),
                SHORT
                    + " --json --phases put,get,exist,batch-put,batch-get,mixed --release "
                    + release)
            .cleanJson();
    assertThat(lines).hasSize(7);
    plausible(lines);
    assertThat(lines.get(6).path("segments_unmounted").asInt()).isEqualTo(16);
    nothingIsLeft(master);
    if (release == Release.V0_3_14) {
      speaksAnotherRelease(evidence, master);
    }
  }

  private static void speaksAnotherRelease(Evidence evidence, MasterProcess master)
      throws Exception {
    BenchRun foreign =
        BenchRun.start(evidence, "foreign", master.address(), "--release 0.3.10.post2");
    assertThat(foreign.exitCode()).isEqualTo(3);
    assertThat(foreign.err())
        .startsWith(
            "tidemark bench: " + master.address() + ": the master does not take MountSegment")
        .contains("name its release with --release")
        .hasLineCount(1);
    assertThat(foreign.out()).isEmpty();
  }

  private static void plausible(List<JsonNode> lines) {
    JsonNode end = lines.get(lines.size() - 1);
    assertThat(end.path("type").asText()).isEqualTo("end");
    assertThat(end.path("status").asInt()).isZero();
    for (JsonNode phase : lines.subList(0, lines.size() - 1)) {
      String name = phase.path("phase").asText();
      double seconds = phase.path("seconds").asDouble();
      double ops = phase.path("ops").asDouble();
      assertThat(ops).as(name).isPositive();
      // The seconds are rounded to milliseconds, and a phase that has used up its keys is short.
      double rate = ops / seconds;
      double rounding = rate * (0.01 + 0.001 / seconds);
      assertThat(phase.path("ops_per_s").asDouble()).isCloseTo(rate, within(rounding));
      assertThat(phase.path("keys_failed").asLong()).as("%s", phase).isZero();
      assertThat(phase.path("keys_done").asDouble()).isEqualTo(ops * phase.path("batch").asInt());
      JsonNode latency = phase.path("latency_us");
      double last = 1;
      for (String percentile : List.of("p50", "p90", "p99", "p99_9", "max")) {
        assertThat(latency.path(percentile).asDouble()).as(name).isGreaterThanOrEqualTo(last);
        last = latency.path(percentile).asDouble();
      }
    }
  }

  private static void nothingIsLeft(MasterProcess master) throws Exception {
    assertThat(BenchRun.metric(master, "master_key_count")).isZero();
    assertThat(BenchRun.metric(master, "master_allocated_bytes")).isZero();
    assertThat(BenchRun.metric(master, "master_total_capacity_bytes")).isZero();
  }
}
