package io.tidemark.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.log.LogPosition;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code log divergent} shows, and what the other commands make of a log that was cut. */
class DivergentCommandTest {
  @TempDir Path directory;

  @Test
  void aLogThatWasNeverCutHasNothing() {
    Scenario.in(directory).put("k").stop();
    Cli.Result result = Cli.log(directory, "divergent");
    assertThat(result.status()).isEqualTo(ExitStatus.OK);
    assertThat(result.out()).isEmpty();
    assertThat(Cli.log(directory.resolve("none"), "divergent").status())
        .isEqualTo(ExitStatus.NO_LOG);
  }

  /** COR-21: what was cut off can still be read. */
  @Test
  void cor21WhatWasCutOffIsListedAndDumped() {
    Scenario.in(directory).put("kept").put("lost").remove("lost", false).stop();
    List<String> before = Cli.log(directory, "dump").lines();
    LogPosition keep = cutAfter(4);
    assertThat(Cli.log(directory, "dump").lines()).isEqualTo(before.subList(0, 5));
    assertThat(Cli.log(directory, "verify").status()).isEqualTo(ExitStatus.OK);

    Cli.Result list = Cli.log(directory, "divergent");
    assertThat(list.status()).isEqualTo(ExitStatus.OK);
    assertThat(list.lines())
        .singleElement()
        .asString()
        .contains("divergent-1-5", "4 entries behind entry 4 (epoch 1", "up to entry 8 (epoch 1");
    List<String> dumped = Cli.log(directory, "divergent", "--events").lines();
    assertThat(dumped).hasSize(5);
    assertThat(dumped.get(1)).startsWith("  5  epoch 1  commit 0  ").contains("\"lost\" started");
    assertThat(dumped.get(3)).contains("is gone: removed by a client");

    List<JsonNode> json = Cli.log(directory, "divergent", "--events", "--json").json();
    assertThat(json).hasSize(5);
    assertThat(json.get(0).get("entries").asLong()).isEqualTo(4);
    assertThat(json.get(0).get("keep").get("index").asLong()).isEqualTo(4);
    assertThat(json.get(0).get("keep").get("chain_hash").asText())
        .isEqualTo(String.format("%016x", keep.chainHash()));
    assertThat(json.get(1).get("index").asLong()).isEqualTo(5);
  }

  /** The directory of a standby, which took the records of a leader. */
  @Test
  void aFollowersDirectoryIsALogLikeAnyOther() {
    Scenario.in(directory.resolve("leader")).put("k").remove("k", false).stop();
    try (ChronicleLog leader = open("leader");
        ChronicleLog follower = open("follower")) {
      leader.readRecords(
          1,
          Integer.MAX_VALUE,
          (header, chain, record) -> {
            follower.appendRecord(record, 0, record.length);
            follower.endBatch();
            return true;
          });
    }
    Path standby = directory.resolve("follower");
    assertThat(Cli.log(standby, "verify").status()).isEqualTo(ExitStatus.OK);
    assertThat(Cli.log(standby, "dump").out())
        .isEqualTo(Cli.log(directory.resolve("leader"), "dump").out())
        .isNotEmpty();
  }

  private ChronicleLog open(String name) {
    return ChronicleLog.open(LogOptions.defaults(directory.resolve(name))).log();
  }

  private LogPosition cutAfter(long index) {
    try (ChronicleLog log = ChronicleLog.open(LogOptions.defaults(directory)).log()) {
      LogPosition keep = log.positionAt(index).orElseThrow();
      log.truncateAfter(keep, false);
      return keep;
    }
  }
}
