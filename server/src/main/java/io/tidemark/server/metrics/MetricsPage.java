package io.tidemark.server.metrics;

import io.tidemark.api.WireText;
import io.tidemark.core.MasterView;
import io.tidemark.core.MasterView.ClientCounts;
import io.tidemark.core.MasterView.SegmentView;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.oplog.DurationCounts;
import io.tidemark.server.ha.NodeStatus.Standby;
import io.tidemark.wire.ProfileRegistry;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;

/**
 * Writes the metrics page in Prometheus' text format 0.0.4. Every family is there from the start;
 * one without a source is 0. Any thread; a page is a look at moving figures, consistent per figure
 * only.
 */
public final class MetricsPage {

  private final MetricTable table = MetricTable.load();
  private final MetricSources sources;

  public MetricsPage(MetricSources sources) {
    this.sources = sources;
  }

  /** The page as of now. */
  public String render() {
    Map<String, Long> values = values();
    StringBuilder page = new StringBuilder(64 * 1024);
    for (MetricSpec family : table.families()) {
      page.append("# HELP ")
          .append(family.name())
          .append(' ')
          .append(family.meaning())
          .append('\n');
      String type = family.type().name().toLowerCase(Locale.ROOT);
      page.append("# TYPE ").append(family.name()).append(' ').append(type).append('\n');
      writeSamples(page, family, values);
    }
    return page.toString();
  }

  private void writeSamples(StringBuilder page, MetricSpec family, Map<String, Long> values) {
    if (family.type() == MetricSpec.Type.HISTOGRAM) {
      writeHistogram(page, family);
    } else if (family.labels().isEmpty()) {
      sample(page, family.name(), values.getOrDefault(family.name(), 0L));
    } else if (!family.fixedValues().isEmpty()) {
      writeFixed(page, family);
    } else {
      writeLabelled(page, family);
    }
  }

  private void writeHistogram(StringBuilder page, MetricSpec family) {
    Histogram source = histogram(family.name());
    long cumulative = 0;
    for (int i = 0; i <= family.bounds().size(); i++) {
      cumulative += source.bucket().applyAsLong(i);
      String bound = i == family.bounds().size() ? "+Inf" : family.bounds().get(i) + ".000000";
      sample(page, family.name() + "_bucket{le=\"" + bound + "\"}", cumulative);
    }
    sample(page, family.name() + "_sum", source.sum());
    sample(page, family.name() + "_count", cumulative);
  }

  private record Histogram(IntToLongFunction bucket, long sum) {

    static Histogram of(DurationCounts counts) {
      return new Histogram(counts::count, counts.sumMicros());
    }
  }

  private Histogram histogram(String name) {
    CoreMetrics core = sources.view().metrics();
    SnapshotFigures snapshots = sources.snapshots();
    return switch (name) {
      case "master_value_size_bytes" ->
          new Histogram(core::valueSizeBucket, core.valueSizeSumBytes());
      case "master_snapshot_duration_ms" ->
          new Histogram(snapshots::durationBucket, snapshots.durationSumMs());
      case "tidemark_commit_microseconds" -> Histogram.of(sources.logTimes().commit());
      case "tidemark_log_force_microseconds" -> Histogram.of(sources.logTimes().force());
      default -> new Histogram(bucket -> 0, 0); // of a part that is not served
    };
  }

  private void writeFixed(StringBuilder page, MetricSpec family) {
    if (family.name().equals("tidemark_role")) {
      ClusterFigures.writeRole(page, family, sources.member());
      return;
    }
    for (String value : family.fixedValues()) {
      String reason = sources.snapshots().isEnabled() ? "none" : "disabled";
      boolean present = family.name().equals("ha_snapshot_skip_reason") && value.equals(reason);
      sample(page, family.name() + label(family.labels().get(0), value), present ? 1 : 0);
    }
  }

  private void writeLabelled(StringBuilder page, MetricSpec family) {
    ServerMetrics server = sources.server();
    String name = family.name();
    switch (name) {
      case "segment_allocated_bytes" -> writeSegments(page, name, SegmentView::allocatedBytes);
      case "segment_total_capacity_bytes" -> writeSegments(page, name, s -> s.info().sizeBytes());
      case "tidemark_rpc_refused_total" -> server.refused.write(page, name);
      case "tidemark_rpc_unserved_total" -> server.unserved.write(page, name);
      case "tidemark_admin_requests_total" -> server.adminRequests.write(page, name);
      case "tidemark_gc_collections_total" ->
          writeGc(page, name, GarbageCollectorMXBean::getCollectionCount);
      case "tidemark_gc_milliseconds_total" ->
          writeGc(page, name, GarbageCollectorMXBean::getCollectionTime);
      case "tidemark_standby_lag_entries" ->
          ClusterFigures.writeStandbys(page, name, sources.member(), Standby::lagEntries);
      case "tidemark_standby_lag_bytes" ->
          ClusterFigures.writeStandbys(page, name, sources.member(), Standby::lagBytes);
      case "tidemark_standby_lag_milliseconds" ->
          ClusterFigures.writeStandbys(page, name, sources.member(), Standby::lagMs);
      case "mooncake_build_info" ->
          page.append(name)
              .append("{display_version=\"")
              .append(sources.displayVersion())
              .append("\",version=\"")
              .append(sources.serviceVersion())
              .append("\"} 1\n");
      default -> {
        // A family of a part that is not served yet has no series.
      }
    }
  }

  /** Segments of one name are one series, since names are not unique. */
  private void writeSegments(
      StringBuilder page, String metric, ToLongFunction<SegmentView> figure) {
    Map<String, Long> byName = new TreeMap<>();
    for (SegmentView segment : sources.view().segments()) {
      byName.merge(WireText.display(segment.info().name()), figure.applyAsLong(segment), Long::sum);
    }
    byName.forEach((name, value) -> sample(page, metric + label("segment", name), value));
  }

  private static void writeGc(
      StringBuilder page, String metric, ToLongFunction<GarbageCollectorMXBean> figure) {
    for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
      sample(page, metric + label("gc", gc.getName()), Math.max(0, figure.applyAsLong(gc)));
    }
  }

  private static String label(String name, String value) {
    StringBuilder text = new StringBuilder("{").append(name).append("=\"");
    LabelledCounter.appendEscaped(text, value);
    return text.append("\"}").toString();
  }

  private static void sample(StringBuilder page, String series, long value) {
    page.append(series).append(' ').append(value).append('\n');
  }

  private Map<String, Long> values() {
    Map<String, Long> values = new HashMap<>(512);
    CoreMetrics core = sources.view().metrics();
    for (CoreMetric metric : CoreMetric.values()) {
      values.put(metric.metricName(), core.get(metric));
    }
    sources.requests().forEach((name, adder) -> values.put(name, adder.sum()));
    values.putAll(ProcessFigures.read());
    putState(values);
    putServer(values);
    putRuntime(values);
    values.putAll(sources.snapshots().values());
    sources.member().ifPresent(member -> ClusterFigures.put(values, member));
    return values;
  }

  private void putState(Map<String, Long> values) {
    MasterView view = sources.view();
    CoreMetrics core = view.metrics();
    ClientCounts clients = view.clients();
    values.put("master_allocated_bytes", view.allocatedBytes());
    values.put("master_total_capacity_bytes", view.capacityBytes());
    values.put("master_total_file_capacity_bytes", sources.fileCapacityBytes());
    values.put("master_key_count", view.objectCount());
    values.put("master_soft_pin_key_count", view.softPinnedCount());
    values.put("master_active_clients", (long) clients.active() + clients.suspected());
    values.put("master_client_liveness_active_clients", (long) clients.active());
    values.put("master_client_liveness_suspected_clients", (long) clients.suspected());
    values.put("tidemark_clients_joining", (long) clients.joining());
    values.put("master_successful_evictions_mem", core.get(CoreMetric.SUCCESSFUL_EVICTIONS));
    values.put("master_attempted_evictions_mem", core.get(CoreMetric.ATTEMPTED_EVICTIONS));
    values.put("master_evicted_key_count_mem", core.get(CoreMetric.EVICTED_KEYS));
    values.put("master_evicted_size_bytes_mem", core.get(CoreMetric.EVICTED_BYTES));
    long committed = view.committedIndex();
    long end = view.logEnd().index();
    values.put("tidemark_log_index", end);
    values.put("tidemark_commit_index", committed);
    values.put("tidemark_epoch", view.epoch());
    values.put("tidemark_serving", view.isServing() ? 1L : 0L);
    values.put("ha_oplog_last_sequence_id", end);
    values.put("ha_oplog_applied_sequence_id", end);
    values.put("ha_oplog_pending_entries", Math.max(0, end - committed));
    values.put("ha_writer_accepting", view.isServing() ? 1L : 0L);
    values.put("ha_writer_durable_sequence", committed);
  }

  private void putServer(Map<String, Long> values) {
    ServerMetrics server = sources.server();
    long accepted = server.connectionsAccepted.sum();
    values.put("tidemark_connections", Math.max(0, accepted - server.connectionsClosed.sum()));
    values.put("tidemark_connections_total", accepted);
    values.put("tidemark_rpc_received_bytes_total", server.receivedBytes.sum());
    values.put("tidemark_rpc_sent_bytes_total", server.sentBytes.sum());
    values.put("tidemark_rpc_internal_errors_total", server.internalErrors.sum());
    values.put("tidemark_rpc_double_answers_total", server.doubleAnswers.sum());
    values.put("tidemark_rpc_read_pauses_total", server.readPauses.sum());
    values.put("tidemark_io_stall_total", server.ioStalls.sum());
    values.put("tidemark_process_pause_total", server.processPauses.sum());
    values.put("tidemark_tick_failures_total", server.tickFailures.sum());
    ProfileRegistry.Stats releases = sources.releases().get();
    values.put("tidemark_rpc_ambiguous_answers_total", releases.ambiguousAnswers());
    values.put("tidemark_rpc_release_contradictions_total", releases.contradictions());
  }

  private static void putRuntime(Map<String, Long> values) {
    MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
    values.put("tidemark_heap_used_bytes", heap.getUsed());
    values.put("tidemark_heap_max_bytes", heap.getMax());
    values.put("tidemark_threads", (long) ManagementFactory.getThreadMXBean().getThreadCount());
    values.put("tidemark_uptime_seconds", ManagementFactory.getRuntimeMXBean().getUptime() / 1000);
  }
}
