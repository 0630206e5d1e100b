package io.tidemark.server.metrics;

import io.tidemark.api.rpc.Rpc;
import java.util.List;

/**
 * Operations that Mooncake counts, each as {@code master_<name>_requests_total} and {@code
 * …_failures_total}, with the calls that count in it.
 */
public enum Operation {
  PUT_START("put_start", Rpc.PUT_START, Rpc.UPSERT_START),
  PUT_END("put_end", Rpc.PUT_END, Rpc.UPSERT_END),
  PUT_REVOKE("put_revoke", Rpc.PUT_REVOKE, Rpc.UPSERT_REVOKE),
  GET_REPLICA_LIST("get_replica_list", Rpc.GET_REPLICA_LIST),
  GET_REPLICA_LIST_BY_REGEX("get_replica_list_by_regex", Rpc.GET_REPLICA_LIST_BY_REGEX),
  EXIST_KEY("exist_key", Rpc.EXIST_KEY),
  /** BatchRemove counts here with every key. */
  REMOVE("remove", Rpc.REMOVE, Rpc.BATCH_REMOVE),
  REMOVE_BY_REGEX("remove_by_regex", Rpc.REMOVE_BY_REGEX),
  REMOVE_ALL("remove_all", Rpc.REMOVE_ALL),
  MOUNT_SEGMENT("mount_segment", Rpc.MOUNT_SEGMENT),
  UNMOUNT_SEGMENT("unmount_segment", Rpc.UNMOUNT_SEGMENT, Rpc.GRACEFUL_UNMOUNT_SEGMENT),
  REMOUNT_SEGMENT("remount_segment", Rpc.RE_MOUNT_SEGMENT),
  MOUNT_NOF_SEGMENT("mount_nof_segment", Rpc.MOUNT_NOF_SEGMENT),
  UNMOUNT_NOF_SEGMENT("unmount_nof_segment", Rpc.UNMOUNT_NOF_SEGMENT),
  REMOUNT_NOF_SEGMENT("remount_nof_segment", Rpc.RE_MOUNT_NOF_SEGMENT),
  PING("ping", Rpc.PING),
  COPY_START("copy_start", Rpc.COPY_START, Rpc.DYNAMIC_REPLICA_COPY_START),
  COPY_END("copy_end", Rpc.COPY_END, Rpc.DYNAMIC_REPLICA_COPY_END),
  COPY_REVOKE("copy_revoke", Rpc.COPY_REVOKE, Rpc.DYNAMIC_REPLICA_COPY_REVOKE),
  MOVE_START("move_start", Rpc.MOVE_START),
  MOVE_END("move_end", Rpc.MOVE_END),
  MOVE_REVOKE("move_revoke", Rpc.MOVE_REVOKE),
  /** The batch form counts once a call. */
  EVICT_DISK_REPLICA(
      "evict_disk_replica",
      Rpc.EVICT_DISK_REPLICA,
      Rpc.BATCH_EVICT_DISK_REPLICA,
      Rpc.EVICT_DISK_REPLICA_IF_CURRENT),
  CREATE_COPY_TASK("create_copy_task", Rpc.CREATE_COPY_TASK),
  CREATE_MOVE_TASK("create_move_task", Rpc.CREATE_MOVE_TASK),
  QUERY_TASK("query_task", Rpc.QUERY_TASK),
  FETCH_TASKS("fetch_tasks", Rpc.FETCH_TASKS),
  UPDATE_TASK("update_task", Rpc.MARK_TASK_TO_COMPLETE);

  private final String metricWord;
  private final List<Rpc> calls;

  Operation(String metricWord, Rpc... calls) {
    this.metricWord = metricWord;
    this.calls = List.of(calls);
  }

  List<Rpc> calls() {
    return calls;
  }

  /** Name of the counter of requests. */
  public String requestsMetric() {
    return "master_" + metricWord + "_requests_total";
  }

  /** Name of the counter of failed requests. */
  public String failuresMetric() {
    return "master_" + metricWord + "_failures_total";
  }
}
