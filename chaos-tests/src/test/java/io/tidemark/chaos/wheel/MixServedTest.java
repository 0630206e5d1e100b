package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Measures which clients each master serves: clients of all releases connect at the same time, put
 * an object each, read it back, and read what the others put. The result is a table in {@code
 * target/served-releases.md}.
 */
@RealProcesses
class MixServedTest {
  private static final String WORKS = "works";
  private static final int SIZE = 100_000;

  @Test
  void noUpstreamMasterServesClientsOfAllReleasesAndTidemarkDoes(Evidence evidence)
      throws IOException {
    Map<String, Map<Release, String>> table = new LinkedHashMap<>();
    for (Release release : Release.values()) {
      table.put(
          "Mooncake " + release, measure(evidence, release + "-", MasterProgram.upstream(release)));
    }
    table.put("Tidemark", measure(evidence, "tidemark-", MasterProgram.TIDEMARK));
    write(table);

    for (Release release : Release.values()) {
      Map<Release, String> verdicts = table.get("Mooncake " + release);
      assertThat(verdicts.get(release)).as("%s with its own master", release).isEqualTo(WORKS);
      assertThat(verdicts.values())
          .as("clients of the master of %s", release)
          .anyMatch(verdict -> !verdict.equals(WORKS));
    }
    assertThat(table.get("Tidemark").values()).as("clients of Tidemark").containsOnly(WORKS);
  }

  private static Map<Release, String> measure(
      Evidence evidence, String name, MasterProgram program) {
    Fleet fleet = Fleet.start(evidence, name, program, List.of(Release.values()), Map.of());
    String address = fleet.master().address();
    Map<WheelClient, JsonNode> setups =
        fleet.forAll("setup", client -> client.setupArguments(address, WheelClient.SEGMENT_BYTES));
    // A client whose setup failed may crash when it is used.
    fleet.keep(client -> setups.get(client).asInt() == 0);
    Map<WheelClient, JsonNode> puts =
        fleet.forAll(
            "put", client -> Map.of("key", key(client), "seed", key(client), "size", SIZE));
    List<String> stored =
        fleet.clients().stream()
            .filter(c -> puts.get(c).asInt() == 0)
            .map(MixServedTest::key)
            .toList();
    Map<Release, String> verdicts = new EnumMap<>(Release.class);
    Map<WheelClient, JsonNode> reads =
        fleet.forAll("verify", client -> Map.of("keys", stored, "size", SIZE));
    for (WheelClient client : setups.keySet()) {
      verdicts.put(client.release(), verdict(client, setups, puts, reads, stored));
    }
    fleet.end();
    return verdicts;
  }

  private static String verdict(
      WheelClient client,
      Map<WheelClient, JsonNode> setups,
      Map<WheelClient, JsonNode> puts,
      Map<WheelClient, JsonNode> reads,
      List<String> stored) {
    if (setups.get(client).asInt() != 0) {
      return "setup fails (" + setups.get(client).asInt() + ")";
    }
    int equal = reads.get(client).get("equal").asInt();
    String read = "reads " + equal + " of " + stored.size();
    if (puts.get(client).asInt() != 0) {
      return "put fails (" + puts.get(client).asInt() + "), " + read;
    }
    return equal == stored.size() ? WORKS : read;
  }

  private static String key(WheelClient client) {
    return "key of " + client.release();
  }

  private static void write(Map<String, Map<Release, String>> table) throws IOException {
    StringBuilder text = new StringBuilder("| master |");
    for (Release release : Release.values()) {
      text.append(' ').append(release).append(" client |");
    }
    text.append("\n|").append(" --- |".repeat(Release.values().length + 1)).append('\n');
    table.forEach(
        (master, verdicts) ->
            text.append("| ")
                .append(master)
                .append(" | ")
                .append(String.join(" | ", verdicts.values()))
                .append(" |\n"));
    Path file = Checkout.target().resolve("served-releases.md");
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    System.out.println(text);
  }
}
