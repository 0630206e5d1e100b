package io.tidemark.server.metrics;

import io.tidemark.api.port.MonotonicClock;
import io.tidemark.core.MasterView;
import io.tidemark.core.MasterView.ClientCounts;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.server.ha.NodeStatus;
import io.tidemark.server.metrics.BatchOperation.Figure;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The one-line summary of {@code /metrics/summary} and of the line that is logged every ten
 * seconds, in upstream's form. Rates are those since the last turn of the window; eviction, discard
 * and promotion figures are totals. Any thread.
 */
public final class SummaryText {

  private static final Map<String, Operation> OPERATIONS = new LinkedHashMap<>();
  private static final Map<String, BatchOperation> BATCHES = new LinkedHashMap<>();
  private static final Map<String, Operation> TASKS = new LinkedHashMap<>();

  static {
    OPERATIONS.put("PutStart", Operation.PUT_START);
    OPERATIONS.put("PutEnd", Operation.PUT_END);
    OPERATIONS.put("PutRevoke", Operation.PUT_REVOKE);
    OPERATIONS.put("Get", Operation.GET_REPLICA_LIST);
    OPERATIONS.put("Exist", Operation.EXIST_KEY);
    OPERATIONS.put("Del", Operation.REMOVE);
    OPERATIONS.put("DelAll", Operation.REMOVE_ALL);
    OPERATIONS.put("Ping", Operation.PING);
    OPERATIONS.put("CopyStart", Operation.COPY_START);
    OPERATIONS.put("CopyEnd", Operation.COPY_END);
    OPERATIONS.put("CopyRevoke", Operation.COPY_REVOKE);
    OPERATIONS.put("MoveStart", Operation.MOVE_START);
    OPERATIONS.put("MoveEnd", Operation.MOVE_END);
    OPERATIONS.put("MoveRevoke", Operation.MOVE_REVOKE);
    OPERATIONS.put("EvictDiskReplica", Operation.EVICT_DISK_REPLICA);
    BATCHES.put("PutStart", BatchOperation.PUT_START);
    BATCHES.put("PutEnd", BatchOperation.PUT_END);
    BATCHES.put("PutRevoke", BatchOperation.PUT_REVOKE);
    BATCHES.put("Get", BatchOperation.GET_REPLICA_LIST);
    BATCHES.put("ExistKey", BatchOperation.EXIST_KEY);
    BATCHES.put("QueryIp", BatchOperation.QUERY_IP);
    BATCHES.put("Clear", BatchOperation.REPLICA_CLEAR);
    TASKS.put("CreateMoveTask", Operation.CREATE_MOVE_TASK);
    TASKS.put("CreateCopyTask", Operation.CREATE_COPY_TASK);
    TASKS.put("QueryTask", Operation.QUERY_TASK);
    TASKS.put("FetchTasks", Operation.FETCH_TASKS);
    TASKS.put("MarkTaskToComplete", Operation.UPDATE_TASK);
  }

  /** Counters at one moment. */
  private record Snapshot(
      long nanos,
      Map<Operation, long[]> operations,
      Map<BatchOperation, long[]> batches,
      long allocFailures,
      long partialAllocations) {}

  private final MetricSources sources;
  private final MonotonicClock clock;
  private volatile Snapshot windowStart;

  public SummaryText(MetricSources sources, MonotonicClock clock) {
    this.sources = sources;
    this.clock = clock;
    this.windowStart = snapshot();
  }

  /** The summary of the window so far. */
  public String now() {
    return text(windowStart, snapshot());
  }

  /** The summary of the window that ends now; a new one begins. */
  public synchronized String turnWindow() {
    Snapshot start = windowStart;
    windowStart = snapshot();
    return text(start, windowStart);
  }

  private String text(Snapshot from, Snapshot to) {
    MasterView view = sources.view();
    boolean serving = view.isServing();
    Optional<NodeStatus> status = sources.member().map(MemberControl::status);
    return "role="
        + status.map(NodeStatus::roleName).orElse(serving ? "leader" : "standby")
        + ", state="
        + status.map(NodeStatus::stateName).orElse(serving ? "serving" : "standby")
        + ", service_ready="
        + serving
        + ", master={"
        + master(view, from, to)
        + "}, ha={"
        + ha(view)
        + "}";
  }

  private String master(MasterView view, Snapshot from, Snapshot to) {
    CoreMetrics core = view.metrics();
    ClientCounts clients = view.clients();
    StringJoiner sections = new StringJoiner(" | ");
    sections.add("Mem Storage: " + share(view.allocatedBytes(), view.capacityBytes()));
    sections.add("NVMe-oF SSD: 0 B / 0 B");
    sections.add(
        "SSD Storage: "
            + share(core.get(CoreMetric.ALLOCATED_FILE_BYTES), sources.fileCapacityBytes()));
    sections.add("Keys: " + view.objectCount() + " (soft-pinned: " + view.softPinnedCount() + ")");
    sections.add("Clients: " + (clients.active() + clients.suspected()));
    sections.add("Requests (Success/Total per sec): " + requests(from, to));
    sections.add(
        "Batch Requests (per sec, Req=Success/PartialSuccess/Total, Item=Success/Total): "
            + batches(from, to));
    sections.add(
        "Eviction: "
            + evictions(
                core,
                ", AllocFail="
                    + (to.allocFailures - from.allocFailures)
                    + ", PartialAlloc="
                    + (to.partialAllocations - from.partialAllocations)));
    sections.add("Mem Eviction: " + evictions(core, ""));
    sections.add("NoF Eviction: Success/Attempts=0/0, keys=0, size=0 B");
    sections.add(
        "Discard: Released/Total="
            + core.get(CoreMetric.RELEASE_COUNT)
            + "/"
            + core.get(CoreMetric.DISCARD_COUNT)
            + ", StagingSize="
            + bytes(core.get(CoreMetric.DISCARDED_STAGING_BYTES)));
    sections.add(
        "Promotion: in_flight=0, admitted=0, completed=0, failed=0, cancelled=0, expired=0, bytes=0 B,"
            + " rejected(freq/wm/cap)=0/0/0");
    return sections.toString();
  }

  private static String evictions(CoreMetrics core, String between) {
    return "Success/Attempts="
        + core.get(CoreMetric.SUCCESSFUL_EVICTIONS)
        + "/"
        + core.get(CoreMetric.ATTEMPTED_EVICTIONS)
        + between
        + ", keys="
        + core.get(CoreMetric.EVICTED_KEYS)
        + ", size="
        + bytes(core.get(CoreMetric.EVICTED_BYTES));
  }

  private static String requests(Snapshot from, Snapshot to) {
    double seconds = seconds(from, to);
    StringJoiner items = new StringJoiner(", ");
    OPERATIONS.forEach(
        (name, operation) -> items.add(name + "=" + rates(from, to, operation, seconds)));
    return items.toString();
  }

  private static String rates(Snapshot from, Snapshot to, Operation operation, double seconds) {
    long requests = to.operations.get(operation)[0] - from.operations.get(operation)[0];
    long failures = to.operations.get(operation)[1] - from.operations.get(operation)[1];
    return rate(requests - failures, seconds) + "/" + rate(requests, seconds);
  }

  private static String batches(Snapshot from, Snapshot to) {
    double seconds = seconds(from, to);
    StringJoiner items = new StringJoiner(", ");
    BATCHES.forEach(
        (name, operation) -> {
          long[] figures = new long[Figure.values().length];
          for (int i = 0; i < figures.length; i++) {
            figures[i] = to.batches.get(operation)[i] - from.batches.get(operation)[i];
          }
          long total = figures[Figure.REQUESTS.ordinal()];
          long partial = figures[Figure.PARTIAL_SUCCESSES.ordinal()];
          long successful = total - partial - figures[Figure.FAILURES.ordinal()];
          long itemTotal = figures[Figure.ITEMS.ordinal()];
          items.add(
              name
                  + ":(Req="
                  + rate(successful, seconds)
                  + "/"
                  + rate(partial, seconds)
                  + "/"
                  + rate(total, seconds)
                  + ", Item="
                  + rate(itemTotal - figures[Figure.FAILED_ITEMS.ordinal()], seconds)
                  + "/"
                  + rate(itemTotal, seconds)
                  + ")");
        });
    TASKS.forEach(
        (name, operation) ->
            items.add(name + ":(Req=" + rates(from, to, operation, seconds) + ")"));
    return items.toString();
  }

  private static String ha(MasterView view) {
    Map<String, String> figures = new LinkedHashMap<>();
    long end = view.logEnd().index();
    long committed = view.committedIndex();
    figures.put("last_seq", Long.toString(end));
    figures.put("applied_seq", Long.toString(end));
    figures.put("lag", "0");
    figures.put("pending", Long.toString(Math.max(0, end - committed)));
    for (String absent :
        new String[] {
          "mutation_queue",
          "batch_commits",
          "sync_commits",
          "skipped",
          "checksum_fail",
          "etcd_fail",
          "watch_disconn"
        }) {
      figures.put(absent, "0");
    }
    figures.put("state", "0");
    figures.put("writer_accepting", Boolean.toString(view.isServing()));
    for (String absent :
        new String[] {
          "retry_count",
          "retry_delay_ms",
          "waiting_slots",
          "committed_queue",
          "callback_queue",
          "durable_batch"
        }) {
      figures.put("writer_" + absent, "0");
    }
    figures.put("writer_durable_seq", Long.toString(committed));
    figures.put("writer_last_error", "0");
    StringJoiner items = new StringJoiner(", ", "HA Metrics Summary: ", "");
    figures.forEach((name, value) -> items.add(name + "=" + value));
    return items.toString();
  }

  private Snapshot snapshot() {
    RequestMetrics requests = sources.requests();
    Map<Operation, long[]> operations = new EnumMap<>(Operation.class);
    for (Operation operation : Operation.values()) {
      operations.put(
          operation, new long[] {requests.requests(operation), requests.failures(operation)});
    }
    Map<BatchOperation, long[]> batches = new EnumMap<>(BatchOperation.class);
    for (BatchOperation operation : BatchOperation.values()) {
      long[] figures = new long[Figure.values().length];
      for (Figure figure : Figure.values()) {
        figures[figure.ordinal()] = requests.batch(operation, figure);
      }
      batches.put(operation, figures);
    }
    CoreMetrics core = sources.view().metrics();
    return new Snapshot(
        clock.nanos(),
        operations,
        batches,
        core.get(CoreMetric.PUT_START_ALLOC_FAILURES),
        core.get(CoreMetric.PUT_START_PARTIAL_ALLOCATIONS));
  }

  private static double seconds(Snapshot from, Snapshot to) {
    return Math.max(1, to.nanos - from.nanos) / 1e9;
  }

  private static String rate(long count, double seconds) {
    return String.format(Locale.ROOT, "%.2f", count / seconds);
  }

  private static String share(long used, long capacity) {
    String amounts = bytes(used) + " / " + bytes(capacity);
    return capacity == 0
        ? amounts
        : amounts + String.format(Locale.ROOT, " (%.1f%%)", used * 100.0 / capacity);
  }

  /** An amount with the unit that leaves it below 1024. */
  static String bytes(long amount) {
    String[] units = {"B", "KB", "MB", "GB", "TB", "PB", "EB"};
    double value = amount;
    int unit = 0;
    while (value >= 1024 && unit < units.length - 1) {
      value /= 1024;
      unit++;
    }
    return unit == 0 ? amount + " B" : String.format(Locale.ROOT, "%.2f %s", value, units[unit]);
  }
}
