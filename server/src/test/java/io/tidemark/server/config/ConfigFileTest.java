package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class ConfigFileTest {

  @TempDir Path directory;

  private LoadedConfig load(String fileName, String content, String... flags) {
    Path file = directory.resolve(fileName);
    try {
      Files.writeString(file, content);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
    List<String> arguments = new ArrayList<>(List.of(flags));
    arguments.add("--config_path=" + file);
    return new ConfigLoader().load(arguments);
  }

  @Test
  void yamlSetsValues() {
    ServerConfig config =
        load(
                "master.yaml",
                """
                # a comment
                rpc_port: 1234
                rpc_thread_num: 0
                enable_metric_reporting: off
                default_kv_lease_ttl: 5s
                default_kv_soft_pin_ttl: 1000
                eviction_ratio: 0.1
                eviction_high_watermark_ratio: 1.0
                cluster_id: 007
                quota_bytes: "12"
                """)
            .config();
    assertThat(config.rpc().port()).isEqualTo(1_234);
    assertThat(config.admin().reportFigures()).isFalse();
    assertThat(config.master().leaseTtlMs()).isEqualTo(5_000);
    assertThat(config.master().softPinTtlMs()).isEqualTo(1_000);
    assertThat(config.master().evictionRatio()).isEqualTo(0.1);
    assertThat(config.master().clusterId()).isEqualTo("007");
    assertThat(config.master().quotaBytes()).isEqualTo(12);
  }

  @Test
  void jsonSetsValues() {
    ServerConfig config =
        load(
                "master.json",
                """
                {"rpc_port": 1234, "enable_metric_reporting": false, "default_kv_lease_ttl": "5s",
                 "default_kv_soft_pin_ttl": 1000, "eviction_ratio": 0.1, "client_live_ttl_sec": 60}
                """)
            .config();
    assertThat(config.rpc().port()).isEqualTo(1_234);
    assertThat(config.admin().reportFigures()).isFalse();
    assertThat(config.master().leaseTtlMs()).isEqualTo(5_000);
    assertThat(config.master().clientActiveTtlMs()).isEqualTo(60_000);
  }

  @Test
  void aFlagWinsOverTheFileEvenWithItsDefault() {
    assertThat(load("m.yaml", "metrics_port: 1\n", "--metrics_port=9003").config().admin().port())
        .isEqualTo(9_003);
  }

  @Test
  void aFlagWinsOverTheOlderNameInTheFile() {
    LoadedConfig loaded = load("m.yaml", "client_ttl: 60\n", "--client_active_ttl_sec=5");
    assertThat(loaded.config().master().clientActiveTtlMs()).isEqualTo(5_000);
  }

  @Test
  void theOlderNameAsAFlagWinsOverTheNewerInTheFile() {
    LoadedConfig loaded = load("m.yaml", "client_active_ttl_sec: 60\n", "--client_ttl=5");
    assertThat(loaded.config().master().clientActiveTtlMs()).isEqualTo(5_000);
  }

  @ParameterizedTest
  @CsvSource({"client_ttl", "client_live_ttl_sec", "client_active_ttl_sec"})
  void everyNameOfTheClientTtlIsRead(String name) {
    assertThat(load("m.yaml", name + ": 60\n").config().master().clientActiveTtlMs())
        .isEqualTo(60_000);
  }

  @Test
  void unknownAndNestedNamesWarn() {
    assertThat(load("m.yaml", "rpc_prot: 5\nmaster:\n  rpc_port: 6\n").warnings())
        .hasSize(2)
        .anySatisfy(w -> assertThat(w).contains("'rpc_prot'").contains("did you mean rpc_port?"))
        .anySatisfy(w -> assertThat(w).contains("'master.rpc_port'"));
  }

  @Test
  void aFileThatListsDefaultsOfUnservedPartsDoesNotWarn() {
    assertThat(load("m.yaml", "enable_offload: false\nsnapshot_interval_seconds: 600\n").warnings())
        .isEmpty();
    assertThat(load("m.yaml", "enable_offload: true\n").warnings()).hasSize(1);
  }

  @Test
  void anEmptyYamlValueMeansTheDefault() {
    assertThat(load("m.yaml", "rpc_port:\nmetrics_port: 5\n").config().rpc().port())
        .isEqualTo(50_051);
  }

  static List<Arguments> unusableFiles() {
    return List.of(
        Arguments.of("m.yaml", "", "it must hold a map"),
        Arguments.of("m.yaml", "# only a comment", "it must hold a map"),
        Arguments.of("m.yaml", "- a", "it must hold a map"),
        Arguments.of("m.yaml", "rpc_port: [1, 2]", "'rpc_port' is a list"),
        Arguments.of("m.yaml", "rpc_port: {", "it is not valid YAML"),
        Arguments.of("m.yaml", "enable_ha: 1", "setting 'enable_ha'"),
        Arguments.of("m.yaml", "rpc_port: many", "rpc_port can't be 'many'"),
        Arguments.of("m.yaml", "client_ttl: 5\nclient_live_ttl_sec: 6", "different values"),
        Arguments.of("m.json", "", "it must hold a JSON object"),
        Arguments.of("m.json", "[1]", "it must hold a JSON object"),
        Arguments.of(
            "m.json", "{\"rpc_port\":[1]}", "'rpc_port' must be one text, number or boolean"),
        Arguments.of("m.json", "{\"rpc_port\":\"5\"}", "setting 'rpc_port'"),
        Arguments.of("m.json", "{\"enable_offload\":1}", "setting 'enable_offload'"),
        Arguments.of("m.json", "{\"enable_offload\":\"true\"}", "setting 'enable_offload'"),
        Arguments.of("m.json", "{\"rpc_port\":5", "it is not valid JSON"),
        Arguments.of("m.json", "{\"rpc_port\":5} x", "it is not valid JSON"),
        Arguments.of("m.ini", "rpc_port=5", "its name must end in"));
  }

  @ParameterizedTest
  @MethodSource("unusableFiles")
  void whatCannotBeUsedIsRefusedWithASentence(String fileName, String content, String message) {
    assertThatThrownBy(() -> load(fileName, content))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void everyFlagMayStandInAFile() {
    StringBuilder yaml = new StringBuilder();
    for (FlagSpec flag : FlagTable.load().all()) {
      if (!flag.name().equals("config_path")) {
        yaml.append(flag.name())
            .append(": ")
            .append('"')
            .append(flag.defaultValue())
            .append("\"\n");
      }
    }
    ServerConfig config = load("m.yml", yaml.toString()).config();
    assertThat(config.rpc().port()).isEqualTo(50_051);
  }
}
