package io.tidemark.tools;

import static io.tidemark.tools.Scenario.C1;
import static io.tidemark.tools.Scenario.C2;
import static io.tidemark.tools.Scenario.KIB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code log dump} prints. */
class DumpCommandTest {
  @TempDir Path directory;

  @Test
  void oneLineAnEventInTheOrderOfTheLog() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k").remove("k", false);
      Cli.Result result = Cli.log(directory, "dump");
      assertThat(result.status()).isEqualTo(ExitStatus.OK);
      assertThat(result.err()).isEmpty();
      assertThat(result.lines())
          .hasSize(6)
          .satisfiesExactly(
              line ->
                  assertThat(line).contains("TERM_START  the master  epoch 1 began on node 9-9"),
              line -> assertThat(line).contains("client 1-1 is JOINING"),
              line -> assertThat(line).contains("segment \"m1\" mounted by client 1-1 as mount 1"),
              line -> assertThat(line).contains("write of \"k\" started by client 1-1"),
              line -> assertThat(line).contains("replica 1 readable, write finished"),
              line -> assertThat(line).contains("\"k\" is gone: removed by a client; replica 1;"));
      assertThat(result.lines().get(3))
          .startsWith("3  epoch 1  commit 0  0 ms  2023-11-14T22:13:20Z  PutStart  client 1-1  ");
    }
  }

  @Test
  void aRangeAndAKeySelect() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a").put("b").put("a\n");
      assertThat(Cli.log(directory, "dump", "--from", "3", "--to", "4").lines())
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("\"a\""));
      assertThat(Cli.log(directory, "dump", "--key", "b").lines()).hasSize(2);
      assertThat(Cli.log(directory, "dump", "--key", "610a", "--hex").lines())
          .hasSize(2)
          .allSatisfy(line -> assertThat(line).contains("\"a\\x0a\""));
      assertThat(Cli.log(directory, "dump", "--from", "100").lines()).isEmpty();
    }
  }

  @Test
  void jsonHasEveryFieldOfEveryEvent() {
    Scenario scenario = Scenario.in(directory);
    scenario.put("k").get("k").upsertStart(C1, "k", 2 * KIB).revoke(C1, "k");
    scenario.putStart(C2, "w", KIB).advance(602_000).unmount(C1, "m1").advance(2_000).stop();
    List<JsonNode> lines = Cli.log(directory, "dump", "--json").json();
    assertThat(lines)
        .extracting(line -> line.get("event").asText())
        .contains(
            "EPOCH_STARTED",
            "CLIENT_CHANGED",
            "SEGMENT_MOUNTED",
            "WRITE_STARTED",
            "REPLICAS_COMPLETED",
            "REPLICAS_DROPPED",
            "DISCARD_RELEASED",
            "SEGMENT_UNMOUNTING",
            "SEGMENT_UNMOUNTED",
            "TICK",
            "STATE_DIGEST");
    JsonNode mounted = lines.get(2);
    assertThat(mounted.get("segment_name").asText()).isEqualTo("m1");
    assertThat(mounted.get("size_bytes").asLong()).isEqualTo(16 * Scenario.MIB);
    JsonNode started = lines.get(3);
    assertThat(started.get("replicas").get(0).get("mount").asInt()).isEqualTo(1);
    assertThat(started.get("client").asText()).isEqualTo("1-1");
    JsonNode digest = lines.get(lines.size() - 1);
    assertThat(digest.get("digest").asText()).hasSize(16);
    assertThat(digest.get("object_count").asInt()).isZero();
  }

  @Test
  void wrongUsageIsRefused() {
    assertThat(Cli.log(directory, "dump", "--from", "0").status()).isEqualTo(ExitStatus.USAGE);
    assertThat(Cli.log(directory, "dump", "--from", "5", "--to", "4").err())
        .contains("--from must be at least 1 and at most --to, got 5 and 4");
    assertThat(Cli.log(directory, "dump", "--nonsense").status()).isEqualTo(ExitStatus.USAGE);
    assertThat(Cli.run("log").status()).isEqualTo(ExitStatus.USAGE);
    assertThat(Cli.run("log").err()).contains("name a command: dump, verify, explain or divergent");
    assertThat(Cli.run().status()).isEqualTo(ExitStatus.USAGE);
  }

  @Test
  void helpSaysWhatTheStatusesMean() {
    Cli.Result help = Cli.run("log", "dump", "--help");
    assertThat(help.status()).isEqualTo(ExitStatus.OK);
    assertThat(help.out()).contains("--data_dir", "Exit codes:", "3   no log there");
    assertThat(Cli.run("log", "--help").out()).contains("dump", "verify", "explain");
  }
}
