package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.core.segment.AllocationStrategy;
import io.tidemark.core.segment.AllocatorKind;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigLoaderTest {

  private static LoadedConfig load(String... arguments) {
    return new ConfigLoader().load(List.of(arguments));
  }

  @Test
  void withoutFlagsEverythingHasMooncakesDefaults() {
    LoadedConfig loaded = load();
    ServerConfig config = loaded.config();
    assertThat(config.rpc().port()).isEqualTo(50_051);
    assertThat(config.rpc().host()).isEqualTo("0.0.0.0");
    assertThat(config.rpc().threads())
        .isEqualTo(Math.min(16, Math.max(1, Runtime.getRuntime().availableProcessors() / 2)));
    assertThat(config.admin().port()).isEqualTo(9_003);
    assertThat(config.admin().token()).isEmpty();
    assertThat(config.metadata().enabled()).isFalse();
    assertThat(config.storage().dataDir()).isEqualTo(Path.of("data").toAbsolutePath());
    assertThat(config.storage().forceToDisk()).isFalse();
    assertThat(config.master()).isEqualTo(io.tidemark.core.MasterConfig.defaults());
    assertThat(loaded.warnings()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rpc_port=5",
        "-rpc_port=5",
        "--rpc_port 5",
        "-rpc_port 5",
        "--rpc_port=4 --rpc_port=5"
      })
  void aFlagIsGivenInAnyForm(String line) {
    assertThat(load(line.split(" ")).config().rpc().port()).isEqualTo(5);
  }

  @ParameterizedTest
  @CsvSource({
    "--enable_http_metadata_server, true", "-enable_http_metadata_server, true",
    "--enable_http_metadata_server=true, true", "--enable_http_metadata_server=1, true",
    "--enable_http_metadata_server=T, true", "--noenable_http_metadata_server, false",
    "-noenable_http_metadata_server, false", "--enable_http_metadata_server=no, false"
  })
  void aBooleanIsGivenInAnyForm(String flag, boolean value) {
    assertThat(load("--enable_http_metadata_server", flag).config().metadata().enabled())
        .isEqualTo(value);
  }

  @Test
  void aBooleanDoesNotSwallowTheNextFlag() {
    ServerConfig config = load("--enable_http_metadata_server", "--rpc_port=7").config();
    assertThat(config.metadata().enabled()).isTrue();
    assertThat(config.rpc().port()).isEqualTo(7);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--rpc_port=0",
        "--port=0",
        "--rpc_thread_num=0",
        "--metrics_port=0",
        "--max_threads=0"
      })
  void zeroMeansTheDefault(String flag) {
    assertThat(load(flag).config()).isEqualTo(load().config());
  }

  @Test
  void theOlderPortNameCountsWhileTheNewerIsZero() {
    assertThat(load("--port=1234").config().rpc().port()).isEqualTo(1_234);
    assertThat(load("--port=1234", "--rpc_port=1235").config().rpc().port()).isEqualTo(1_235);
  }

  @Test
  void maxThreadsBoundsTheDefaultOfTheThreads() {
    assertThat(load("--max_threads=1").config().rpc().threads()).isEqualTo(1);
    assertThat(load("--max_threads=1", "--rpc_thread_num=3").config().rpc().threads()).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--rpc_prot=5|unknown flag --rpc_prot; did you mean --rpc_port?",
        "--qqqqqqqqqqq=5|unknown flag --qqqqqqqqqqq; --help",
        "serve|unexpected argument 'serve'",
        "--rpc_port=abc|rpc_port can't be 'abc'",
        "--rpc_port=70000|rpc_port must be between 0 and 65535",
        "--rpc_port=-1|rpc_port must be between 0 and 65535",
        "--rpc_thread_num=-1|rpc_thread_num must be between",
        "--default_kv_lease_ttl=1.5s|default_kv_lease_ttl can't be '1.5s'",
        "--default_kv_lease_ttl=-5|default_kv_lease_ttl can't be '-5'",
        "--default_kv_lease_ttl=1d|default_kv_lease_ttl can't be '1d'",
        "--enable_disk_eviction=maybe|enable_disk_eviction can't be 'maybe'",
        "--eviction_ratio=1.5|eviction_ratio must be between 0 and 1",
        "--eviction_high_watermark_ratio=-0.1|eviction_high_watermark_ratio must be between 0 and 1",
        "--nof_eviction_ratio=2|nof_eviction_ratio must be between 0 and 1",
        "--eviction_ratio=NaN|eviction_ratio can't be 'NaN'",
        "--put_start_release_timeout_sec=30|put_start_release_timeout_sec must be greater",
        "--default_kv_soft_pin_ttl=700000s|default_kv_soft_pin_ttl",
        "--memory_allocator=slab|memory_allocator must be offset or cachelib",
        "--persist=ram|persist must be page or disk",
        "--data_dir=|data_dir must name a directory",
        "--client_wire_version=v9|client_wire_version must be one of",
        "--client_active_ttl_sec=0|client_active_ttl_sec must be between 1",
        "--enable_ha|enable_ha needs etcd: --etcd_endpoints=",
        "--metrics_port=50051|rpc_port and metrics_port are both 50051",
        "--rpc_interface=nosuch0|rpc_interface nosuch0 does not exist",
        "--config_path=/no/such/file.yaml|settings file /no/such/file.yaml can't be used: it can't be read",
        "--config_path=settings.toml|its name must end in .yaml, .yml or .json"
      })
  void whatCannotBeUsedIsRefusedWithASentence(String flag, String message) {
    assertThatThrownBy(() -> load(flag))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aMissingValueIsRefused() {
    assertThatThrownBy(() -> load("--rpc_port"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("rpc_port");
  }

  @Test
  void aFlagWithoutMeaningWarnsOnceAndSaysWhatReplacesIt() {
    assertThat(
            load("--enable_snapshot_restore", "--enable_kv_events=true", "--log_dir=/tmp")
                .warnings())
        .hasSize(3)
        .anySatisfy(w -> assertThat(w).startsWith("enable_snapshot_restore has no effect"))
        .anySatisfy(w -> assertThat(w).startsWith("enable_kv_events has no effect"))
        .anySatisfy(w -> assertThat(w).startsWith("log_dir has no effect"));
  }

  @Test
  void snapshotsAreOnAndFewerThanTwoAreNotKept() {
    assertThat(load().config().snapshots())
        .isEqualTo(new SnapshotConfig(true, 128 << 20, 600_000, 2, 128 << 20, false));
    LoadedConfig one =
        load("--noenable_snapshot", "--snapshot_retention_count=1", "--snapshot_log_bytes=65536");
    assertThat(one.config().snapshots().enabled()).isFalse();
    assertThat(one.config().snapshots().kept()).isEqualTo(2);
    assertThat(one.warnings()).singleElement().asString().contains("raised to 2");
  }

  @ParameterizedTest
  @CsvSource({
    "random, RANDOM, 0",
    "free_ratio_first, FREE_RATIO_FIRST, 0",
    "local_first, LOCAL_FIRST, 0",
    "cxl, RANDOM, 1",
    "ssd_free_ratio_first, RANDOM, 1",
    "Random, RANDOM, 1",
    "best, RANDOM, 1"
  })
  void theAllocationStrategyIsCaseSensitiveAndUnknownOnesWarn(
      String name, AllocationStrategy strategy, int warnings) {
    LoadedConfig loaded = load("--allocation_strategy=" + name);
    assertThat(loaded.config().master().allocationStrategy()).isEqualTo(strategy);
    assertThat(loaded.warnings()).hasSize(warnings);
  }

  @Test
  void bothAllocatorsAreKnown() {
    assertThat(load("--memory_allocator=cachelib").config().master().allocatorKind())
        .isEqualTo(AllocatorKind.CACHELIB);
  }

  @Test
  void tenantsAreAcceptedWithAWarning() {
    LoadedConfig loaded = load("--enable_multi_tenants=true");
    assertThat(loaded.config().master().multiTenants()).isTrue();
    assertThat(loaded.warnings()).singleElement().asString().contains("quotas are not enforced");
  }

  @ParameterizedTest
  @CsvSource({
    "'', 10000, 20000",
    "--client_ttl=4, 4000, 4000",
    "--client_active_ttl_sec=2, 2000, 2000",
    "--client_active_ttl_sec=2 --client_suspicion_ttl_sec=4, 2000, 4000",
    "--client_suspicion_ttl_sec=4, 10000, 4000",
    "--client_ttl=5 --client_active_ttl_sec=5, 5000, 5000"
  })
  void theClientTtlsFollowV0314(String line, long activeMs, long suspicionMs) {
    ServerConfig config = (line.isEmpty() ? load() : load(line.split(" "))).config();
    assertThat(config.master().clientActiveTtlMs()).isEqualTo(activeMs);
    assertThat(config.master().clientSuspicionTtlMs()).isEqualTo(suspicionMs);
  }

  @Test
  void twoNamesOfOneSettingMustNotContradict() {
    assertThatThrownBy(() -> load("--client_ttl=5", "--client_active_ttl_sec=6"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("older name");
  }

  @Test
  void ourOwnFlagsReachTheirComponents() {
    ServerConfig config =
        load(
                "--data_dir=/tmp/x/../y",
                "--persist=disk",
                "--writer_quarantine_sec=7",
                "--reclaim_timeout_sec=8",
                "--client_wire_version=v0.3.11.post1",
                "--max_frame_bytes=4096",
                "--admin_token=secret",
                "--forced_start",
                "--log_cut_from=9")
            .config();
    assertThat(config.storage().dataDir()).isEqualTo(Path.of("/tmp/y"));
    assertThat(config.storage().forceToDisk()).isTrue();
    assertThat(config.storage().forcedStart()).isTrue();
    assertThat(config.storage().cutFromIndex()).hasValue(9);
    assertThat(config.master().writerQuarantineMs()).isEqualTo(7_000);
    assertThat(config.master().reclaimTimeoutMs()).isEqualTo(8_000);
    assertThat(config.rpc().defaultRelease()).isEqualTo("v0.3.11.post1");
    assertThat(config.rpc().maxFrameBytes()).isEqualTo(4_096);
    assertThat(config.admin().token()).contains("secret");
  }

  @Test
  void theLoopbackInterfaceHasAnAddress() {
    assertThat(load("--rpc_interface=lo").config().rpc().host()).isEqualTo("127.0.0.1");
  }

  @Test
  void theLargestU64IsKeptBitForBit() {
    assertThat(load("--quota_bytes=18446744073709551615").config().master().quotaBytes())
        .isEqualTo(-1L);
  }
}
