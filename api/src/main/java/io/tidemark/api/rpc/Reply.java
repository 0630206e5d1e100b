package io.tidemark.api.rpc;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;

/**
 * Answer to a {@link Request}. The value types are fixed by the RPC (coro-rpc wire, section 7); the
 * wire codec checks them by casting.
 */
public sealed interface Reply {

  /** {@code expected<T, ErrorCode>}. */
  record One(Result<?> result) implements Reply {}

  /** {@code vector<expected<T, ErrorCode>>}: exactly one element a key, in request order. */
  record Many(List<? extends Result<?>> results) implements Reply {}

  /** A value outside {@code expected}: only RemoveAll's count. */
  record Bare(Object value) implements Reply {}

  /** An error of the RPC layer; makes most clients drop their connection. */
  record RpcError(int rpcCode, String message) implements Reply {}

  Reply OK = new One(Result.ok());

  static Reply ok(Object value) {
    return new One(new Result<>(0, value));
  }

  static Reply error(ErrorCode code) {
    return new One(Result.error(code));
  }

  /** The same error for each of {@code count} items. */
  static Reply errors(ErrorCode code, int count) {
    return new Many(Collections.nCopies(count, Result.error(code)));
  }

  /** Value of GetReplicaList. */
  record ReplicaList(
      List<ReplicaDescriptor> replicas, long leaseTtlMs, OptionalLong objectChecksum) {}

  /** One key of GetReplicaListByRegex; the wire form is a map. */
  record KeyReplicas(String key, List<ReplicaDescriptor> replicas) {}

  /** Value of Ping. */
  record PingResponse(long viewVersionId, ClientStatus clientStatus) {}

  /** Value of GetStorageConfig. */
  record StorageConfig(String fsdir, boolean enableDiskEviction, long quotaBytes) {}

  /** One client of BatchQueryIp; the wire form is a map. */
  record ClientAddresses(Uuid clientId, List<String> addresses) {}
}
