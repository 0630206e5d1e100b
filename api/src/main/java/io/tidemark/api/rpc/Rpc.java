package io.tidemark.api.rpc;

/**
 * Every RPC that a Mooncake master of the supported releases registers (coro-rpc wire, sections 7
 * and 8.3).
 *
 * <p>The order of constants is part of the log format: an entry names its cause by {@link #code()}.
 * Append only.
 */
public enum Rpc {
  EXIST_KEY("ExistKey"),
  BATCH_QUERY_IP("BatchQueryIp"),
  BATCH_REPLICA_CLEAR("BatchReplicaClear"),
  GET_REPLICA_LIST_BY_REGEX("GetReplicaListByRegex"),
  GET_REPLICA_LIST("GetReplicaList"),
  BATCH_GET_REPLICA_LIST("BatchGetReplicaList"),
  PUT_START("PutStart"),
  PUT_END("PutEnd"),
  PUT_REVOKE("PutRevoke"),
  BATCH_PUT_START("BatchPutStart"),
  BATCH_PUT_END("BatchPutEnd"),
  BATCH_PUT_REVOKE("BatchPutRevoke"),
  UPSERT_START("UpsertStart"),
  UPSERT_END("UpsertEnd"),
  UPSERT_REVOKE("UpsertRevoke"),
  BATCH_UPSERT_START("BatchUpsertStart"),
  BATCH_UPSERT_END("BatchUpsertEnd"),
  BATCH_UPSERT_REVOKE("BatchUpsertRevoke"),
  REMOVE("Remove"),
  REMOVE_BY_REGEX("RemoveByRegex"),
  REMOVE_ALL("RemoveAll"),
  BATCH_REMOVE("BatchRemove"),
  MOUNT_SEGMENT("MountSegment"),
  MOUNT_NOF_SEGMENT("MountNoFSegment"),
  RE_MOUNT_SEGMENT("ReMountSegment"),
  RE_MOUNT_NOF_SEGMENT("ReMountNoFSegment"),
  UNMOUNT_SEGMENT("UnmountSegment"),
  GRACEFUL_UNMOUNT_SEGMENT("GracefulUnmountSegment"),
  UNMOUNT_NOF_SEGMENT("UnmountNoFSegment"),
  GET_ALL_NOF_SEGMENTS("GetAllNoFSegments"),
  GET_NOF_SEGMENTS_BY_NAME("GetNoFSegmentsByName"),
  PING("Ping"),
  GET_FSDIR("GetFsdir"),
  QUERY_SEGMENT_STATUS("QuerySegmentStatus"),
  QUERY_SEGMENT_STATUS_BY_ID("QuerySegmentStatusById"),
  GET_STORAGE_CONFIG("GetStorageConfig"),
  BATCH_EXIST_KEY("BatchExistKey"),
  SERVICE_READY("ServiceReady"),
  MOUNT_LOCAL_DISK_SEGMENT("MountLocalDiskSegment"),
  UNMOUNT_LOCAL_DISK_SEGMENT("UnmountLocalDiskSegment"),
  OFFLOAD_OBJECT_HEARTBEAT("OffloadObjectHeartbeat"),
  REPORT_SSD_CAPACITY("ReportSsdCapacity"),
  NOTIFY_OFFLOAD_SUCCESS("NotifyOffloadSuccess"),
  PROMOTION_OBJECT_HEARTBEAT("PromotionObjectHeartbeat"),
  PROMOTION_ALLOC_START("PromotionAllocStart"),
  NOTIFY_PROMOTION_SUCCESS("NotifyPromotionSuccess"),
  NOTIFY_PROMOTION_FAILURE("NotifyPromotionFailure"),
  COPY_START("CopyStart"),
  DYNAMIC_REPLICA_COPY_START("DynamicReplicaCopyStart"),
  COPY_END("CopyEnd"),
  DYNAMIC_REPLICA_COPY_END("DynamicReplicaCopyEnd"),
  COPY_REVOKE("CopyRevoke"),
  DYNAMIC_REPLICA_COPY_REVOKE("DynamicReplicaCopyRevoke"),
  MOVE_START("MoveStart"),
  MOVE_END("MoveEnd"),
  MOVE_REVOKE("MoveRevoke"),
  EVICT_DISK_REPLICA("EvictDiskReplica"),
  BATCH_EVICT_DISK_REPLICA("BatchEvictDiskReplica"),
  POLL_REMOVE_ALL("PollRemoveAll"),
  CREATE_COPY_TASK("CreateCopyTask"),
  CREATE_MOVE_TASK("CreateMoveTask"),
  QUERY_TASK("QueryTask"),
  FETCH_TASKS("FetchTasks"),
  MARK_TASK_TO_COMPLETE("MarkTaskToComplete"),
  PROBE_KEY("ProbeKey"),
  BATCH_PROBE_KEY("BatchProbeKey"),
  GET_REPLICA_LIST_FOR_ADMIN("GetReplicaListForAdmin"),
  BATCH_GET_REPLICA_LIST_FOR_ADMIN("BatchGetReplicaListForAdmin"),
  REGISTER_PREFETCH_TASK("RegisterPrefetchTask"),
  EVICT_DISK_REPLICA_IF_CURRENT("EvictDiskReplicaIfCurrent"),
  BEGIN_WEIGHT_IMPORT("BeginWeightImport", Kind.WEIGHT),
  COMMIT_WEIGHT_IMPORT("CommitWeightImport", Kind.WEIGHT),
  ABORT_WEIGHT_IMPORT("AbortWeightImport", Kind.WEIGHT),
  GET_WEIGHT_REVISION("GetWeightRevision", Kind.WEIGHT),
  LIST_WEIGHT_REVISIONS("ListWeightRevisions", Kind.WEIGHT),
  DELETE_WEIGHT_REVISION("DeleteWeightRevision", Kind.WEIGHT),
  QUERY_WEIGHT_OPERATION("QueryWeightOperation", Kind.WEIGHT),
  ACQUIRE_WEIGHT_REVISION_LEASE("AcquireWeightRevisionLease", Kind.WEIGHT),
  RENEW_WEIGHT_REVISION_LEASE("RenewWeightRevisionLease", Kind.WEIGHT),
  RELEASE_WEIGHT_REVISION_LEASE("ReleaseWeightRevisionLease", Kind.WEIGHT),
  START_WEIGHT_RESIDENCY_OPERATION("StartWeightResidencyOperation", Kind.WEIGHT);

  /** Whether a call is part of the key-value store or of the model-weight management of v0.3.14. */
  public enum Kind {
    /** A call of the key-value store. */
    STORE,
    /** A model-weight call; a KV-cache client never makes one, its argument types are unknown. */
    WEIGHT
  }

  private final String methodName;
  private final Kind kind;

  Rpc(String methodName) {
    this(methodName, Kind.STORE);
  }

  Rpc(String methodName, Kind kind) {
    this.methodName = methodName;
    this.kind = kind;
  }

  /** Method name as in {@code mooncake::WrappedMasterService}. */
  public String methodName() {
    return methodName;
  }

  /** Which family the call belongs to. */
  public Kind kind() {
    return kind;
  }

  /** Number by which the log names this call: 1 and up. */
  public int code() {
    return ordinal() + 1;
  }
}
