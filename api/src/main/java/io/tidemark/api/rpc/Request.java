package io.tidemark.api.rpc;

import io.tidemark.api.Uuid;
import java.util.List;
import java.util.OptionalLong;

/**
 * A decoded client call. {@link Mutation}s go through the core and the log; {@link Query}s never
 * change logged state.
 *
 * <p>Calls that share their arguments share a record and are told apart by {@link #rpc()}. A tenant
 * is the text as received; a release without tenants yields {@code "default"}.
 */
public sealed interface Request {

  /** The call as the client named it. */
  Rpc rpc();

  /** A call that may change logged state. */
  sealed interface Mutation extends Request {}

  /** A call answered from state alone. */
  sealed interface Query extends Request {}

  // ---- reads

  /** ExistKey (grants a lease) or ProbeKey (does not). */
  record ExistKey(Rpc rpc, String key, String tenant) implements Query {}

  /**
   * BatchExistKey, or BatchProbeKey.
   *
   * @param probePolicy BatchProbeKey only: 0 none, 1 lease the last all-found group
   * @param candidateSize BatchProbeKey only: group size for policy 1, u64
   */
  record BatchExistKey(
      Rpc rpc, List<String> keys, String tenant, int probePolicy, long candidateSize)
      implements Query {}

  /** GetReplicaList, or GetReplicaListForAdmin (no lease). */
  record GetReplicaList(Rpc rpc, String key, String tenant) implements Query {}

  /** BatchGetReplicaList, or BatchGetReplicaListForAdmin (no lease). */
  record BatchGetReplicaList(Rpc rpc, List<String> keys, String tenant) implements Query {}

  record GetReplicaListByRegex(String regex, String tenant) implements Query {
    @Override
    public Rpc rpc() {
      return Rpc.GET_REPLICA_LIST_BY_REGEX;
    }
  }

  record QuerySegmentStatus(String segmentName) implements Query {
    @Override
    public Rpc rpc() {
      return Rpc.QUERY_SEGMENT_STATUS;
    }
  }

  record QuerySegmentStatusById(Uuid segmentId) implements Query {
    @Override
    public Rpc rpc() {
      return Rpc.QUERY_SEGMENT_STATUS_BY_ID;
    }
  }

  record BatchQueryIp(List<Uuid> clientIds) implements Query {
    @Override
    public Rpc rpc() {
      return Rpc.BATCH_QUERY_IP;
    }
  }

  /** ServiceReady, GetStorageConfig, GetFsdir, GetAllNoFSegments: calls without arguments. */
  record NoArguments(Rpc rpc) implements Query {}

  /** FetchTasks. */
  record FetchTasks(Uuid clientId, long batchSize) implements Query {
    @Override
    public Rpc rpc() {
      return Rpc.FETCH_TASKS;
    }
  }

  /**
   * A known call that this version does not serve: NOT_SUPPORTED inside its result.
   *
   * @param itemCount number of elements the answer must have; 1 if the result is not a vector
   */
  record Unserved(Rpc rpc, int itemCount) implements Query {}

  // ---- writes

  /** PutStart or UpsertStart. {@code sliceLength} is u64. */
  record WriteStart(
      Rpc rpc, Uuid clientId, String key, long sliceLength, ReplicateConfig config, String tenant)
      implements Mutation {}

  /**
   * BatchPutStart or BatchUpsertStart. Lengths are u64; the two lists may differ in size (refused
   * by the decider).
   */
  record BatchWriteStart(
      Rpc rpc,
      Uuid clientId,
      List<String> keys,
      long[] sliceLengths,
      ReplicateConfig config,
      String tenant)
      implements Mutation {}

  /** PutEnd or UpsertEnd. */
  record WriteEnd(
      Rpc rpc, Uuid clientId, String key, OptionalLong checksum, int replicaType, String tenant)
      implements Mutation {}

  /** BatchPutEnd or BatchUpsertEnd; {@code checksums} runs parallel to {@code keys}. */
  record BatchWriteEnd(
      Rpc rpc,
      Uuid clientId,
      List<String> keys,
      List<OptionalLong> checksums,
      int replicaType,
      String tenant)
      implements Mutation {}

  /** PutRevoke or UpsertRevoke. */
  record WriteRevoke(Rpc rpc, Uuid clientId, String key, int replicaType, String tenant)
      implements Mutation {}

  /** BatchPutRevoke or BatchUpsertRevoke. */
  record BatchWriteRevoke(Rpc rpc, Uuid clientId, List<String> keys, int replicaType, String tenant)
      implements Mutation {}

  record Remove(String key, boolean force, String tenant) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.REMOVE;
    }
  }

  record RemoveByRegex(String regex, boolean force, String tenant) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.REMOVE_BY_REGEX;
    }
  }

  record RemoveAll(boolean force, String tenant) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.REMOVE_ALL;
    }
  }

  record BatchRemove(List<String> keys, boolean force, String tenant) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.BATCH_REMOVE;
    }
  }

  record BatchReplicaClear(List<String> keys, Uuid clientId, String segmentName, String tenant)
      implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.BATCH_REPLICA_CLEAR;
    }
  }

  record MountSegment(SegmentInfo segment, Uuid clientId) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.MOUNT_SEGMENT;
    }
  }

  record ReMountSegment(List<SegmentInfo> segments, Uuid clientId) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.RE_MOUNT_SEGMENT;
    }
  }

  record UnmountSegment(Uuid segmentId, Uuid clientId) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.UNMOUNT_SEGMENT;
    }
  }

  record GracefulUnmountSegment(Uuid segmentId, Uuid clientId, long gracePeriodMs)
      implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.GRACEFUL_UNMOUNT_SEGMENT;
    }
  }

  /** Ping: a sign of life; usually changes nothing, sometimes a client's logged liveness. */
  record Ping(Uuid clientId) implements Mutation {
    @Override
    public Rpc rpc() {
      return Rpc.PING;
    }
  }
}
