package io.tidemark.server.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.oplog.DurationCounts;
import io.tidemark.oplog.LogTimes;
import io.tidemark.server.FakeMaster;
import io.tidemark.wire.ProfileRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class MetricsPageTest {

  private final FakeMaster master = new FakeMaster();
  private final RequestMetrics requests = new RequestMetrics();
  private final ServerMetrics server = new ServerMetrics();
  private final MetricSources sources =
      new MetricSources(
          master, requests, server, new ProfileRegistry()::stats, "tidemark test", "2.0.0", 0);
  private final MetricsPage page = new MetricsPage(sources);

  @Test
  void everyNameOfUpstreamIsThereFromTheStartWithItsTypeAndValueZero() throws IOException {
    Map<String, String> upstream = upstreamTypes();
    assertThat(upstream).hasSizeGreaterThan(190);
    List<String> lines = page.render().lines().toList();
    upstream.forEach(
        (name, type) -> {
          assertThat(lines).contains("# TYPE " + name + " " + type);
          assertThat(lines)
              .as(name)
              .anyMatch(line -> line.matches(name + "(_count|_bucket)?(\\{.*)? \\d+"));
        });
  }

  @Test
  void namesThatUpstreamPrintsOnlyOnceUsedAreThereToo() {
    assertThat(page.render())
        .contains("\nmaster_successful_evictions_mem 0\n")
        .contains("\nmaster_mount_nof_segment_requests_total 0\n")
        .contains("\nmaster_nof_heartbeat_timeout_total 0\n")
        .contains("\nmaster_snapshot_success 0\n")
        .contains("\nmaster_snapshot_duration_ms_bucket{le=\"0.000000\"} 0\n")
        .contains("# TYPE mooncake_tenant_quota_reject_total counter\n");
  }

  @Test
  void everyLineIsWellFormedAndEveryFamilyHasHelp() {
    assertThat(page.render().lines())
        .allMatch(
            line ->
                line.matches("# HELP [a-z_]+ \\S.*")
                    || line.matches("# TYPE [a-z_]+ (counter|gauge|histogram)")
                    || line.matches(
                        "[a-z_]+(\\{[a-z_]+=\"[^\"]*\"(,[a-z_]+=\"[^\"]*\")*})? -?\\d+"));
  }

  @Test
  void theHistogramOfSizesIsCumulativeWithUpstreamsBounds() {
    master.coreMetrics.recordValueSize(1_000);
    master.coreMetrics.recordValueSize(4_096);
    master.coreMetrics.recordValueSize(5_000);
    master.coreMetrics.recordValueSize(1L << 40);
    assertThat(page.render())
        .contains("master_value_size_bytes_bucket{le=\"4096.000000\"} 2\n")
        .contains("master_value_size_bytes_bucket{le=\"65536.000000\"} 3\n")
        .contains("master_value_size_bytes_bucket{le=\"67108864.000000\"} 3\n")
        .contains("master_value_size_bytes_bucket{le=\"+Inf\"} 4\n")
        .contains("master_value_size_bytes_count 4\n")
        .contains("master_value_size_bytes_sum " + (10_096 + (1L << 40)) + "\n");
  }

  @Test
  void segmentsOfOneNameAreOneSeries() {
    master.segments.add(FakeMaster.segment(1, "host:1", SegmentStatus.OK, 100));
    master.segments.add(FakeMaster.segment(2, "host:1", SegmentStatus.OK, 11));
    master.segments.add(FakeMaster.segment(3, "od\"d", SegmentStatus.OK, 7));
    assertThat(page.render())
        .contains("segment_allocated_bytes{segment=\"host:1\"} 111\n")
        .contains("segment_allocated_bytes{segment=\"od\\\"d\"} 7\n")
        .contains("segment_total_capacity_bytes{segment=\"host:1\"} 134217728\n");
  }

  @Test
  void stateRequestsAndProcessFiguresAreShown() {
    requests.answered(new Request.ExistKey(Rpc.EXIST_KEY, "k", "default"), Reply.ok(true));
    server.refused.increment("PutStart", "wrong_hash", "v0.3.10 or older");
    assertThat(page.render())
        .contains("\nmaster_exist_key_requests_total 1\n")
        .contains("\nmaster_active_clients 5\n")
        .contains("\nmaster_client_liveness_suspected_clients 3\n")
        .contains("\nmaster_allocated_bytes 5000\n")
        .contains("\ntidemark_epoch 7\n")
        .contains("\ntidemark_log_index 42\n")
        .contains("\nha_oplog_pending_entries 2\n")
        .contains(
            "tidemark_rpc_refused_total{rpc=\"PutStart\",reason=\"wrong_hash\",release=\"v0.3.10 or older\"} 1\n")
        .contains("mooncake_build_info{display_version=\"tidemark test\",version=\"2.0.0\"} 1\n")
        .containsPattern("\nmooncake_process_rss_bytes [1-9]\\d+\n")
        .containsPattern("\ntidemark_heap_used_bytes [1-9]\\d+\n");
  }

  @Test
  void theSummaryHasUpstreamsForm() {
    long[] now = {0};
    SummaryText summary = new SummaryText(sources, () -> now[0]);
    requests.answered(new Request.ExistKey(Rpc.EXIST_KEY, "k", "default"), Reply.ok(true));
    now[0] = 2_000_000_000L;
    assertThat(summary.now())
        .startsWith(
            "role=leader, state=serving, service_ready=true, master={Mem Storage: 4.88 KB / 64.00 MB (0.0%) | NVMe-oF"
                + " SSD: 0 B / 0 B | SSD Storage: 0 B / 0 B | Keys: 0 (soft-pinned: 0) | Clients: 5 | Requests"
                + " (Success/Total per sec): PutStart=0.00/0.00,")
        .contains("Exist=0.50/0.50, ")
        .contains("Clear:(Req=0.00/0.00/0.00, Item=0.00/0.00), CreateMoveTask:(Req=0.00/0.00), ")
        .contains(
            " | Eviction: Success/Attempts=0/0, AllocFail=0, PartialAlloc=0, keys=0, size=0 B | Mem Eviction: ")
        .contains("}, ha={HA Metrics Summary: last_seq=42, applied_seq=42, lag=0, pending=2, ");
    assertThat(summary.turnWindow()).contains("Exist=0.50/0.50");
    now[0] = 3_000_000_000L;
    assertThat(summary.now()).contains("Exist=0.00/0.00");
  }

  private static Map<String, String> upstreamTypes() throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                MetricsPageTest.class.getResourceAsStream("mooncake-metrics.tsv"),
                StandardCharsets.UTF_8))) {
      Function<String, String[]> cells = line -> line.split("\t");
      return lines
          .lines()
          .filter(line -> !line.startsWith("#"))
          .map(cells)
          .collect(Collectors.toMap(c -> c[0], c -> c[1]));
    }
  }

  /** HA-REQ-078. */
  @Test
  void theLogsTimesAreHistograms() {
    LogTimes times = new LogTimes();
    MetricsPage timed =
        new MetricsPage(
            new MetricSources(
                master,
                requests,
                server,
                new ProfileRegistry()::stats,
                "",
                "",
                0,
                new SnapshotFigures(),
                times,
                Optional.empty()));
    times.force().add(3_000_000);
    times.commit().add(9_000);
    times.commit().add(2_000_000_000);
    assertThat(timed.render())
        .contains("\ntidemark_log_force_microseconds_bucket{le=\"2500.000000\"} 0\n")
        .contains("\ntidemark_log_force_microseconds_bucket{le=\"5000.000000\"} 1\n")
        .contains("\ntidemark_log_force_microseconds_sum 3000\n")
        .contains("\ntidemark_commit_microseconds_bucket{le=\"10.000000\"} 1\n")
        .contains("\ntidemark_commit_microseconds_bucket{le=\"1000000.000000\"} 1\n")
        .contains("\ntidemark_commit_microseconds_bucket{le=\"+Inf\"} 2\n")
        .contains("\ntidemark_commit_microseconds_count 2\n");
    for (String name : List.of("tidemark_log_force_microseconds", "tidemark_commit_microseconds")) {
      MetricSpec family =
          MetricTable.load().families().stream()
              .filter(spec -> spec.name().equals(name))
              .findFirst()
              .orElseThrow();
      assertThat(family.bounds()).as(name).isEqualTo(DurationCounts.BOUNDS_MICROS);
    }
  }
}
