package io.tidemark.server.config;

import io.tidemark.core.MasterConfig;
import io.tidemark.core.segment.AllocationStrategy;
import io.tidemark.core.segment.AllocatorKind;
import java.net.Inet4Address;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Turns flag values into the components' records and refuses values that contradict each other. */
final class ConfigBuilder {

  private static final int MAX_PORT = 65_535;
  private static final int MIN_SNAPSHOTS = 2;
  private static final int MAX_FRAME_BYTES = Integer.MAX_VALUE - 8;
  private static final List<String> RATIOS =
      List.of(
          "eviction_ratio",
          "eviction_high_watermark_ratio",
          "nof_eviction_ratio",
          "nof_eviction_high_watermark_ratio",
          "tenant_eviction_high_watermark_ratio",
          "offload_cap_ratio");
  private static final Set<String> RELEASES =
      Set.of("v0.3.10.post2", "v0.3.11.post1", "v0.3.12.post1", "v0.3.13.post1", "v0.3.14");

  private final FlagValues values;
  private final List<String> warnings;

  ConfigBuilder(FlagValues values, List<String> warnings) {
    this.values = values;
    this.warnings = warnings;
  }

  ServerConfig build() {
    refuseWhatIsNotServed();
    RATIOS.forEach(this::requireRatio);
    RpcConfig rpc = rpc();
    Optional<HaConfig> ha = new HaConfigBuilder(values).build(rpc);
    ServerConfig config =
        new ServerConfig(rpc, admin(), storage(), metadata(), master(), snapshots(), ha);
    requireDistinctPorts(config);
    return config;
  }

  private void refuseWhatIsNotServed() {
    for (FlagSpec flag : values.flags()) {
      if (flag.status() == FlagStatus.REFUSED && values.bool(flag.name())) {
        throw new ConfigException(flag.name() + " can't be turned on: " + flag.meaning());
      }
    }
  }

  private void requireRatio(String name) {
    double ratio = values.decimal(name);
    if (!(ratio >= 0 && ratio <= 1)) {
      throw new ConfigException(name + " must be between 0 and 1, got " + values.text(name));
    }
  }

  /**
   * One loop for two cores: loops decide themselves and would contend for the core role, and the
   * other core is for the kernel's half of the work (docs/performance.md has the measurement).
   */
  private static int halfOfTheCores() {
    return Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
  }

  private RpcConfig rpc() {
    int threads = (int) values.numberWithin("rpc_thread_num", 0, 1024);
    int maxThreads = (int) values.numberWithin("max_threads", 0, 1024);
    int defaultThreads = Math.min(maxThreads == 0 ? 16 : maxThreads, halfOfTheCores());
    String release = values.text("client_wire_version");
    if (!RELEASES.contains(release)) {
      throw new ConfigException(
          "client_wire_version must be one of "
              + RELEASES.stream().sorted().toList()
              + ", got "
              + release);
    }
    return new RpcConfig(
        rpcHost(),
        port("rpc_port", port("port", 50_051)),
        threads == 0 ? defaultThreads : threads,
        values.bool("rpc_enable_tcp_no_delay"),
        (int) values.numberWithin("rpc_conn_timeout_seconds", 0, Integer.MAX_VALUE),
        release,
        (int) values.numberWithin("max_frame_bytes", 1_024, MAX_FRAME_BYTES),
        (int) values.numberWithin("rpc_max_outstanding_requests", 1, 1_000_000),
        values.numberWithin("rpc_max_outstanding_bytes", 1_024, Long.MAX_VALUE),
        (int) values.numberWithin("rpc_write_queue_bytes", 1_024, Integer.MAX_VALUE));
  }

  private String rpcHost() {
    String name = values.text("rpc_interface");
    if (name.isEmpty()) {
      return values.text("rpc_address");
    }
    try {
      NetworkInterface device = NetworkInterface.getByName(name);
      if (device != null) {
        Optional<String> ipv4 =
            device
                .inetAddresses()
                .filter(Inet4Address.class::isInstance)
                .map(a -> a.getHostAddress())
                .findFirst();
        if (ipv4.isPresent()) {
          return ipv4.get();
        }
      }
    } catch (SocketException unreadable) {
      throw new ConfigException(
          "rpc_interface " + name + " can't be looked up: " + unreadable.getMessage());
    }
    throw new ConfigException(
        "rpc_interface "
            + name
            + " does not exist or has no IPv4 address; 'ip addr' lists the interfaces");
  }

  private int port(String flag, int ifZero) {
    int port = (int) values.numberWithin(flag, 0, MAX_PORT);
    return port == 0 ? ifZero : port;
  }

  private AdminConfig admin() {
    String token = values.text("admin_token");
    boolean sharedFiles = !values.text("root_fs_dir").isEmpty();
    return new AdminConfig(
        values.text("metrics_host"),
        port("metrics_port", 9_003),
        token.isEmpty() ? Optional.empty() : Optional.of(token),
        values.bool("enable_metric_reporting"),
        sharedFiles ? values.number("global_file_segment_size") : 0);
  }

  private StorageConfig storage() {
    String directory = values.text("data_dir");
    if (directory.isBlank()) {
      throw new ConfigException("data_dir must name a directory; leave the flag out for ./data");
    }
    String persist = values.text("persist");
    if (!persist.equals("page") && !persist.equals("disk")) {
      throw new ConfigException("persist must be page or disk, got '" + persist + "'");
    }
    long cutFrom = values.numberWithin("log_cut_from", 0, Long.MAX_VALUE);
    return new StorageConfig(
        Path.of(directory).toAbsolutePath().normalize(),
        persist.equals("disk"),
        cutFrom == 0 ? OptionalLong.empty() : OptionalLong.of(cutFrom),
        values.bool("forced_start"));
  }

  private SnapshotConfig snapshots() {
    long kept = values.numberWithin("snapshot_retention_count", 0, 1_000);
    if (kept < MIN_SNAPSHOTS) {
      warnings.add(
          "snapshot_retention_count "
              + kept
              + " is raised to "
              + MIN_SNAPSHOTS
              + ": the older one is what a start falls back to when the newer one is damaged");
    }
    return new SnapshotConfig(
        values.bool("enable_snapshot"),
        values.numberWithin("snapshot_log_bytes", 1 << 16, Long.MAX_VALUE / 16),
        values.secondsAsMs("snapshot_interval_seconds", 0),
        (int) Math.max(MIN_SNAPSHOTS, kept),
        values.numberWithin("snapshot_write_bytes_per_second", 0, Long.MAX_VALUE),
        values.bool("start_empty"));
  }

  private MetadataServerConfig metadata() {
    return new MetadataServerConfig(
        values.bool("enable_http_metadata_server"),
        values.text("http_metadata_server_host"),
        port("http_metadata_server_port", 8_080));
  }

  private MasterConfig master() {
    MasterConfig defaults = MasterConfig.defaults();
    MasterConfig config =
        new MasterConfig(
            values.number("default_kv_lease_ttl"),
            values.number("default_kv_soft_pin_ttl"),
            values.number("max_kv_soft_pin_ttl"),
            values.bool("allow_evict_soft_pinned_objects"),
            values.decimal("eviction_ratio"),
            values.decimal("eviction_high_watermark_ratio"),
            values.secondsAsMs("put_start_discard_timeout_sec", 0),
            values.secondsAsMs("put_start_release_timeout_sec", 0),
            values.secondsAsMs("writer_quarantine_sec", 0),
            values.secondsAsMs("client_active_ttl_sec", 1),
            values.secondsAsMs("client_suspicion_ttl_sec", 0),
            values.secondsAsMs("reclaim_timeout_sec", 0),
            allocationStrategy(),
            allocatorKind(),
            multiTenants(),
            values.text("root_fs_dir"),
            values.text("cluster_id"),
            values.bool("enable_disk_eviction"),
            values.number("quota_bytes"),
            defaults.serviceVersion(),
            defaults.inboxCapacity(),
            defaults.parkedReadCapacity(),
            defaults.parkTimeoutMs());
    try {
      return config.validated();
    } catch (IllegalArgumentException contradiction) {
      throw new ConfigException(contradiction.getMessage());
    }
  }

  private AllocationStrategy allocationStrategy() {
    String name = values.text("allocation_strategy");
    switch (name) {
      case "random":
        return AllocationStrategy.RANDOM;
      case "free_ratio_first":
        return AllocationStrategy.FREE_RATIO_FIRST;
      case "local_first":
        return AllocationStrategy.LOCAL_FIRST;
      case "cxl", "ssd_free_ratio_first":
        warnings.add(
            "allocation_strategy "
                + name
                + " is not served in this version; random is used instead");
        return AllocationStrategy.RANDOM;
      default:
        warnings.add(
            "allocation_strategy '"
                + name
                + "' is unknown; random is used (known, in lower case: random, free_ratio_first, local_first)");
        return AllocationStrategy.RANDOM;
    }
  }

  private AllocatorKind allocatorKind() {
    String name = values.text("memory_allocator");
    return switch (name) {
      case "offset" -> AllocatorKind.OFFSET;
      case "cachelib" -> AllocatorKind.CACHELIB;
      default ->
          throw new ConfigException(
              "memory_allocator must be offset or cachelib, got '" + name + "'");
    };
  }

  private boolean multiTenants() {
    boolean on = values.bool("enable_multi_tenants");
    if (on) {
      warnings.add(
          "enable_multi_tenants keeps tenants' objects apart, but quotas are not enforced yet");
    }
    return on;
  }

  private static void requireDistinctPorts(ServerConfig config) {
    requireDistinct("rpc_port", config.rpc().port(), "metrics_port", config.admin().port());
    if (config.metadata().enabled()) {
      int port = config.metadata().port();
      requireDistinct("http_metadata_server_port", port, "rpc_port", config.rpc().port());
      requireDistinct("http_metadata_server_port", port, "metrics_port", config.admin().port());
    }
    if (config.ha().isPresent()) {
      int port = config.ha().get().replicationPort();
      requireDistinct("replication_port", port, "rpc_port", config.rpc().port());
      requireDistinct("replication_port", port, "metrics_port", config.admin().port());
    }
  }

  private static void requireDistinct(String nameA, int portA, String nameB, int portB) {
    if (portA == portB) {
      throw new ConfigException(
          nameA + " and " + nameB + " are both " + portA + "; give them different ports");
    }
  }
}
