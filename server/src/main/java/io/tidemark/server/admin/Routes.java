package io.tidemark.server.admin;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Which page answers which method and path. Immutable after construction. */
final class Routes {

  /** Where a page may run, and what it does. */
  enum Kind {
    /** Answers at once, on the event loop. */
    PROBE,
    /** May take time or wait; changes nothing. */
    INSPECTION,
    /** Changes something: may need the bearer token, is always logged. */
    CHANGE
  }

  /** One page. */
  record Route(Kind kind, Function<AdminRequest, AdminResponse> page) {}

  private final Map<String, Route> routes = new HashMap<>();

  Routes(AdminContext context) {
    MasterCalls master = new MasterCalls(context.master());
    addState(new StatePages(context));
    addSegments(new SegmentPages(context.master().view()));
    addObjects(new ObjectPages(master));
    addChanges(new ChangePages(master));
    SnapshotPages snapshots = new SnapshotPages(context.snapshots());
    add("POST", "/api/v1/snapshot", Kind.CHANGE, snapshots::take);
    ClusterPages cluster = new ClusterPages(context);
    add("GET", "/api/v1/cluster", Kind.INSPECTION, cluster::show);
    add("POST", "/api/v1/transfer_leadership", Kind.CHANGE, cluster::transfer);
    add("POST", "/api/v1/force_start", Kind.CHANGE, cluster::forceStart);
    add(
        "GET",
        "/metrics",
        Kind.INSPECTION,
        r -> AdminResponse.metricsText(context.metrics().render()));
    add(
        "GET",
        "/metrics/summary",
        Kind.INSPECTION,
        r -> AdminResponse.metricsText(context.summary().now()));
  }

  /** The page of a request, empty if there is none. */
  Optional<Route> find(String method, String path) {
    return Optional.ofNullable(routes.get(method + " " + path));
  }

  private void addState(StatePages pages) {
    add("GET", "/version", Kind.PROBE, pages::version);
    add("GET", "/health", Kind.PROBE, pages::health);
    add("GET", "/role", Kind.PROBE, pages::role);
    add("GET", "/ha_status", Kind.PROBE, pages::haStatus);
    add("GET", "/leader", Kind.PROBE, pages::leader);
    add("GET", "/health/live", Kind.PROBE, pages::live);
    add("GET", "/health/ready", Kind.PROBE, pages::ready);
    add("GET", "/health/leader", Kind.PROBE, pages::leading);
  }

  private void addSegments(SegmentPages pages) {
    add("GET", "/get_all_segments", Kind.INSPECTION, pages::allSegments);
    add("GET", "/get_segments_detail", Kind.INSPECTION, pages::details);
    add("GET", "/query_segment", Kind.INSPECTION, pages::usage);
    add("GET", "/api/v1/segments/status", Kind.INSPECTION, pages::status);
  }

  private void addObjects(ObjectPages pages) {
    add("GET", "/query_key", Kind.INSPECTION, pages::queryKey);
    add("GET", "/batch_query_keys", Kind.INSPECTION, pages::batchQueryKeys);
  }

  private void addChanges(ChangePages pages) {
    add("GET", "/kv_events/status", Kind.INSPECTION, pages::kvEvents);
    add("GET", "/api/v1/tenant_quotas", Kind.INSPECTION, pages::unavailable);
    add("PUT", "/api/v1/tenant_quotas", Kind.CHANGE, pages::changeQuota);
    add("DELETE", "/api/v1/tenant_quotas", Kind.CHANGE, pages::changeQuota);
    add("GET", "/api/v1/dfs/shard_count", Kind.INSPECTION, pages::unavailable);
    add("POST", "/api/v1/soft_pin", Kind.CHANGE, pages::softPin);
    add("POST", "/api/v1/soft_unpin", Kind.CHANGE, pages::softUnpin);
    add("POST", "/api/v1/drain_jobs", Kind.CHANGE, pages::createDrainJob);
    add("GET", "/api/v1/drain_jobs/query", Kind.INSPECTION, pages::drainJob);
    add("POST", "/api/v1/drain_jobs/cancel", Kind.CHANGE, pages::drainJob);
    add("POST", "/api/v1/remove_all", Kind.CHANGE, pages::removeAll);
  }

  private void add(
      String method, String path, Kind kind, Function<AdminRequest, AdminResponse> page) {
    routes.put(method + " " + path, new Route(kind, page));
  }
}
