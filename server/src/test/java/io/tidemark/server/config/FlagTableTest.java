package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlagTableTest {

  /** Where this master's default is another one on purpose. */
  private static final Map<String, String> OWN_DEFAULTS = Map.of("enable_snapshot", "true");

  private final FlagTable table = FlagTable.load();

  @Test
  void everyFlagOfFiveMooncakeReleasesIsThereWithItsTypeAndNewestDefault() throws IOException {
    List<String[]> upstream = upstreamFlags();
    assertThat(upstream).hasSize(106);
    for (String[] cells : upstream) {
      FlagSpec flag =
          table.find(cells[0]).orElseThrow(() -> new AssertionError("no flag " + cells[0]));
      if (flag.type() != FlagType.DURATION) {
        assertThat(flag.type().name()).as(cells[0]).isEqualTo(cells[1].toUpperCase(Locale.ROOT));
      }
      if (flag.type() == FlagType.DOUBLE) {
        assertThat(Double.parseDouble(flag.defaultValue()))
            .as(cells[0])
            .isEqualTo(Double.parseDouble(cells[2]));
      } else {
        assertThat(flag.defaultValue())
            .as(cells[0])
            .isEqualTo(OWN_DEFAULTS.getOrDefault(cells[0], cells[2]));
      }
      assertThat(flag.origin()).as(cells[0]).isEqualTo("mooncake");
    }
  }

  @Test
  void everyDefaultIsLegalForItsType() {
    for (FlagSpec flag : table.all()) {
      assertThat(flag.type().canonical(flag.defaultValue())).as(flag.name()).isPresent();
      assertThat(flag.meaning()).as(flag.name()).endsWith(".");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "rpc_prot, rpc_port",
    "rpc-port, rpc_port",
    "evicton_ratio, eviction_ratio",
    "data_dirs, data_dir",
    "default_kv_lease_tll, default_kv_lease_ttl"
  })
  void aMistypedNameFindsTheOneThatWasMeant(String typed, String meant) {
    assertThat(table.nearest(typed)).contains(meant);
  }

  @Test
  void aNameFarFromAllFindsNone() {
    assertThat(table.nearest("zzzzqqqqxxxx")).isEmpty();
  }

  private static List<String[]> upstreamFlags() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                FlagTableTest.class.getResourceAsStream("mooncake-flags.tsv"),
                StandardCharsets.UTF_8))) {
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(line -> line.split("\t", -1))
          .toList();
    }
  }
}
