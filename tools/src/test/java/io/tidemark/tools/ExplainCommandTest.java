package io.tidemark.tools;

import static io.tidemark.tools.Scenario.C1;
import static io.tidemark.tools.Scenario.C2;
import static io.tidemark.tools.Scenario.KIB;
import static io.tidemark.tools.Scenario.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code log explain} says about the ends that a key can come to. */
class ExplainCommandTest {
  @TempDir Path directory;

  private Cli.Result explain(String... more) {
    return Cli.log(directory, "explain", more);
  }

  private JsonNode state(String... more) {
    String[] arguments = Arrays.copyOf(more, more.length + 1);
    arguments[more.length] = "--json";
    List<JsonNode> lines = explain(arguments).json();
    return lines.get(lines.size() - 1);
  }

  private static void assertEnd(JsonNode state, String ending, String reason, String event) {
    assertThat(state.get("state").asText()).isEqualTo("gone");
    assertThat(state.get("ending").asText()).isEqualTo(ending);
    assertThat(state.get("reason").asText()).isEqualTo(reason);
    assertThat(state.get("event").asText()).isEqualTo(event);
    assertThat(state.get("index").asLong()).isPositive();
    assertThat(state.get("wall_time").asText()).startsWith("2023-11-14T22:");
  }

  @Test
  void aPresentKeyIsShownWithItsReplicaAndWriter() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k");
      Cli.Result result = explain("k");
      assertThat(result.status()).isEqualTo(ExitStatus.OK);
      assertThat(result.err()).isEmpty();
      assertThat(result.out())
          .contains("PutStart  client 1-1")
          .contains("write of \"k\" started by client 1-1: 1024 bytes, replica 1 on segment \"m1\"")
          .contains("\"k\": replica 1 readable, write finished")
          .contains("present: 1024 bytes in 1 replica, written by client 1-1")
          .contains("replica 1 on segment \"m1\" (mount 1) at 0x")
          .contains(": readable");
    }
  }

  @Test
  void anUnfinishedWriteIsNamedWithItsWriter() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.putStart(C2, "k", KIB);
      JsonNode state = state("k");
      assertThat(state.get("state").asText()).isEqualTo("unfinished");
      assertThat(state.get("writer").asText()).isEqualTo("2-2");
      assertThat(explain("k").out()).contains("unfinished write since entry ").contains("2-2");
    }
  }

  @Test
  void anEvictedKeyNamesTheWatermark() {
    try (Scenario scenario = Scenario.in(directory)) {
      for (int i = 0; i < 15; i++) {
        scenario.put("k" + i, MIB).advance(10);
      }
      scenario.advance(100);
      Cli.Result result = explain("k0");
      assertThat(result.status()).isEqualTo(ExitStatus.OK);
      assertThat(result.out())
          .contains("EVICTION  the master")
          .contains("gone since entry ")
          .contains(": evicted: memory above the high watermark")
          .contains("decided by the master, cause EVICTION")
          .contains("free since entry ");
      assertEnd(state("k0"), "evicted", "EVICTED_WATERMARK", "REPLICAS_DROPPED");
      assertThat(state("k0").get("actor_kind").asText()).isEqualTo("master");
    }
  }

  @Test
  void aRemovedKeySaysThatAClientDidIt() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k").remove("k", false);
      JsonNode state = state("k");
      assertEnd(state, "removed", "REMOVED", "REPLICAS_DROPPED");
      assertThat(state.get("cause").asText()).isEqualTo("Remove");
      assertThat(state.get("actor_kind").asText()).isEqualTo("client");
      assertThat(explain("k").out())
          .contains(": removed by a client")
          .contains("decided by a client (the call names none), cause Remove");
    }
  }

  @Test
  void aForcedRemovalKeepsTheRangeUntilTheReadersAreGone() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k").get("k").remove("k", true);
      assertThat(explain("k").out()).contains("until log time 10000 ms").contains("not released");
      scenario.advance(11_000);
      JsonNode state = state("k");
      assertEnd(state, "removed", "REMOVED_FORCED", "REPLICAS_DROPPED");
      JsonNode range = state.get("ranges").get(0);
      assertThat(range.get("discard_id").asLong()).isEqualTo(1);
      assertThat(range.get("discarded_until_ms").asLong()).isEqualTo(10_000);
      assertThat(range.get("released_index").asLong()).isGreaterThan(state.get("index").asLong());
      assertThat(explain("k").out())
          .contains("DISCARD_RELEASE  the master")
          .contains("released at");
    }
  }

  @Test
  void removeAllIsNamed() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k").removeAll();
      assertEnd(state("k"), "removed", "REMOVED_ALL", "REPLICAS_DROPPED");
    }
  }

  @Test
  void anExpiredWriteSaysWhenItsRangeIsFree() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.putStart(C2, "k", KIB).advance(601_000);
      JsonNode state = state("k");
      assertEnd(state, "expired", "WRITE_EXPIRED", "REPLICAS_DROPPED");
      assertThat(state.get("cause").asText()).isEqualTo("WRITE_EXPIRY");
      assertThat(state.get("ranges").get(0).get("released_index").isNull()).isTrue();
      scenario.advance(121_000);
      assertThat(state("k").get("ranges").get(0).get("released_index").asLong()).isPositive();
      assertThat(explain("k").out()).contains("expired: unfinished write passed its release");
    }
  }

  @Test
  void aRevokedWriteNamesItsWriter() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.putStart(C2, "other", KIB).revoke(C2, "other");
      scenario.putStart(C2, "k", KIB).revoke(C2, "k").advance(121_000);
      JsonNode state = state("k");
      assertEnd(state, "revoked", "REVOKED", "REPLICAS_DROPPED");
      assertThat(state.get("actor").asText()).isEqualTo("2-2");
      assertThat(state.get("cause").asText()).isEqualTo("PutRevoke");
      JsonNode range = state.get("ranges").get(0);
      assertThat(range.get("discard_id").asLong()).as("the other key's range has 1").isEqualTo(2);
      assertThat(range.get("released_index").asLong()).isPositive();
    }
  }

  @Test
  void aDiscardedWriteIsToldBesideItsSuccessor() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.putStart(C1, "k", KIB).advance(31_000).putStart(C2, "k", 2 * KIB).putEnd(C2, "k");
      Cli.Result result = explain("k");
      assertThat(result.out())
          .contains("\"k\" is gone: unfinished write replaced by a newer put")
          .contains("present: 2048 bytes in 1 replica, written by client 2-2")
          .contains("an earlier copy ended at entry ")
          .contains(": discarded: unfinished write replaced by a newer put")
          .contains("number 1 of the discard list), not released yet");
      JsonNode end = state("k").get("earlier_end");
      assertThat(end.get("ending").asText()).isEqualTo("discarded");
      assertThat(end.get("reason").asText()).isEqualTo("WRITE_ABANDONED");
      assertThat(end.get("actor").asText()).isEqualTo("2-2");
      assertThat(end.get("cause").asText()).isEqualTo("PutStart");
      assertThat(end.get("index").asLong()).isPositive();
    }
  }

  @Test
  void aKeyWhoseSegmentLeftNamesTheUnmount() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k").unmount(C1, "m1");
      assertThat(state("k").get("state").asText()).isEqualTo("hidden");
      assertThat(explain("k").out())
          .contains("complete, but hidden from readers since entry ")
          .contains("is being unmounted: its segment was unmounted");
      scenario.advance(100);
      assertEnd(state("k"), "unmounted", "SEGMENT_UNMOUNTED", "REPLICAS_DROPPED");
      assertThat(explain("k").out())
          .contains("left with its segment at entry ")
          .contains("hidden from readers before that, since entry ")
          .contains("decided by client 1-1, cause UnmountSegment");
      JsonNode before = state("k").get("hidden_before");
      assertThat(before.get("actor").asText()).isEqualTo("1-1");
      assertThat(before.get("cause").asText()).isEqualTo("UnmountSegment");
    }
  }

  @Test
  void aRestartIsPartOfTheStoryAndTheLifeGoesOn() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.putStart(C1, "k", KIB).crashAndRestart().putStart(C1, "k", KIB).putEnd(C1, "k");
      Cli.Result result = explain("k");
      assertThat(result.out())
          .contains("TERM_START  the master")
          .contains("epoch 2 began on node 9-9")
          .contains("write of \"k\" resumed by its writer")
          .contains("present: 1024 bytes");
    }
  }

  @Test
  void anUpsertReplacesAndTheOldRangeWaitsForItsReaders() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k").get("k").upsertStart(C1, "k", 4 * KIB).putEnd(C1, "k");
      JsonNode state = state("k");
      assertThat(state.get("state").asText()).isEqualTo("present");
      assertThat(state.get("earlier_end").get("ending").asText()).isEqualTo("replaced");
      assertThat(state.get("ranges").get(0).get("discard_id").asLong()).isEqualTo(1);
    }
  }

  @Test
  void aStoppedMastersLogReadsTheSame() {
    Scenario scenario = Scenario.in(directory).put("k").remove("k", false).stop();
    assertThat(scenario.master().view().isServing()).isFalse();
    assertEnd(state("k"), "removed", "REMOVED", "REPLICAS_DROPPED");
  }

  @Test
  void aKeyThatNoEntryNamesHasAStatusOfItsOwn() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k");
      Cli.Result result = explain("K");
      assertThat(result.status()).isEqualTo(ExitStatus.NO_SUCH_KEY);
      assertThat(result.out()).contains("no entry of the log names \"K\"");
      assertThat(state("K").get("state").asText()).isEqualTo("unknown");
    }
  }

  @Test
  void keysAreTextOrHexAndBelongToTenants() {
    try (Scenario scenario = Scenario.withTenants(directory)) {
      scenario.putOfTenant("schlüssel", "default").putOfTenant("k", "blue");
      assertThat(explain("schlüssel").status()).isEqualTo(ExitStatus.OK);
      assertThat(explain("--hex", "7363686cc3bc7373656c").out()).contains("key \"schlüssel\"");
      assertThat(explain("k").status()).isEqualTo(ExitStatus.NO_SUCH_KEY);
      assertThat(explain("k", "--tenant", "blue").out()).contains("\"k\" of tenant \"blue\"");
    }
  }

  @Test
  void everyEventLineOfJsonHasWhoWhenAndWhy() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("k").remove("k", false);
      List<JsonNode> lines = explain("k", "--json").json();
      assertThat(lines).hasSize(4);
      assertThat(lines.subList(0, 3))
          .allSatisfy(
              line -> {
                assertThat(line.get("type").asText()).isEqualTo("event");
                assertThat(line.get("key").asText()).isEqualTo("k");
                assertThat(line.hasNonNull("index")).isTrue();
                assertThat(line.hasNonNull("cause")).isTrue();
                assertThat(line.hasNonNull("wall_time")).isTrue();
                assertThat(line.hasNonNull("text")).isTrue();
              });
      assertThat(lines.get(2).get("what").asText()).isEqualTo("removed");
    }
  }

  @Test
  void wrongUsageSaysWhatIsRight() {
    assertThat(Cli.run("log", "explain").status()).isEqualTo(ExitStatus.USAGE);
    assertThat(Cli.run("log", "explain").err()).contains("KEY");
    Cli.Result hex = explain("--hex", "zz");
    assertThat(hex.status()).isEqualTo(ExitStatus.USAGE);
    assertThat(hex.err()).contains("'zz' is not a row of two-digit hexadecimal bytes");
    assertThat(explain("").status()).isEqualTo(ExitStatus.USAGE);
  }
}
