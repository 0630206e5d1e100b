package io.tidemark.wire;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.wire.schema.WireProfile;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the arguments of the calls that have a {@link Request} record, straight from the bytes
 * (coro-rpc wire, sections 6 and 7). What older releases do not send gets the meaning of section
 * 8.2. Not thread-safe.
 */
final class RequestReader {

  /** Bytes of a segment without host id and with empty texts. */
  private static final int SMALLEST_SEGMENT = 35;

  private final BodyReader in;

  private RequestLayout layout = RequestLayout.of(WireProfile.MAIN);

  /** Whether the request read last carried a client id, and which. */
  private boolean hasClient;

  private Uuid client = Uuid.ZERO;

  RequestReader(BodyReader in) {
    this.in = in;
  }

  boolean hasClient() {
    return hasClient;
  }

  Uuid client() {
    return client;
  }

  /** Notes the client id of a request that has no record. */
  void noteClient(Uuid id) {
    client = id;
    hasClient = true;
  }

  /** Starts a request in the form of {@code release}. */
  void begin(WireProfile release) {
    hasClient = false;
    layout = RequestLayout.of(release);
  }

  /** The request, or empty if the call has no record. */
  Optional<Request> read(Rpc rpc) {
    Request request =
        switch (rpc) {
          case EXIST_KEY, PROBE_KEY -> new Request.ExistKey(rpc, in.text(), tenant());
          case BATCH_EXIST_KEY -> new Request.BatchExistKey(rpc, in.texts(), tenant(), 0, 0);
          case BATCH_PROBE_KEY -> batchProbeKey();
          case GET_REPLICA_LIST, GET_REPLICA_LIST_FOR_ADMIN ->
              new Request.GetReplicaList(rpc, in.text(), tenant());
          case BATCH_GET_REPLICA_LIST, BATCH_GET_REPLICA_LIST_FOR_ADMIN ->
              new Request.BatchGetReplicaList(rpc, in.texts(), tenant());
          case GET_REPLICA_LIST_BY_REGEX -> new Request.GetReplicaListByRegex(in.text(), tenant());
          case PING -> new Request.Ping(clientId());
          case FETCH_TASKS -> new Request.FetchTasks(clientId(), in.i64());
          case REMOVE -> new Request.Remove(in.text(), in.bool(), tenant());
          case REMOVE_BY_REGEX -> new Request.RemoveByRegex(in.text(), in.bool(), tenant());
          case REMOVE_ALL -> new Request.RemoveAll(in.bool(), tenant());
          case BATCH_REMOVE -> new Request.BatchRemove(in.texts(), in.bool(), tenant());
          case BATCH_REPLICA_CLEAR -> batchReplicaClear();
          case BATCH_QUERY_IP -> new Request.BatchQueryIp(uuids());
          default -> readWrite(rpc);
        };
    return Optional.ofNullable(request);
  }

  private Request readWrite(Rpc rpc) {
    return switch (rpc) {
      case PUT_START, UPSERT_START ->
          new Request.WriteStart(rpc, clientId(), in.text(), in.i64(), config(), tenant());
      case BATCH_PUT_START, BATCH_UPSERT_START ->
          new Request.BatchWriteStart(rpc, clientId(), in.texts(), in.longs(), config(), tenant());
      case PUT_END, UPSERT_END ->
          new Request.WriteEnd(rpc, clientId(), in.text(), checksum(), in.i32(), tenant());
      case BATCH_PUT_END, BATCH_UPSERT_END -> batchWriteEnd(rpc);
      case PUT_REVOKE, UPSERT_REVOKE ->
          new Request.WriteRevoke(rpc, clientId(), in.text(), in.i32(), tenant());
      case BATCH_PUT_REVOKE, BATCH_UPSERT_REVOKE ->
          new Request.BatchWriteRevoke(
              rpc, clientId(), in.texts(), batchReplicaType(rpc), tenant());
      default -> readSegmentCall(rpc);
    };
  }

  private Request readSegmentCall(Rpc rpc) {
    return switch (rpc) {
      case MOUNT_SEGMENT -> new Request.MountSegment(segment(), clientId());
      case RE_MOUNT_SEGMENT -> new Request.ReMountSegment(segments(), clientId());
      case UNMOUNT_SEGMENT -> new Request.UnmountSegment(in.uuid(), clientId());
      case GRACEFUL_UNMOUNT_SEGMENT ->
          new Request.GracefulUnmountSegment(in.uuid(), clientId(), in.i64());
      case QUERY_SEGMENT_STATUS -> new Request.QuerySegmentStatus(in.text());
      case QUERY_SEGMENT_STATUS_BY_ID -> new Request.QuerySegmentStatusById(in.uuid());
      default -> null;
    };
  }

  private String tenant() {
    return layout.tenants() ? in.tenant() : ObjectKey.DEFAULT_TENANT;
  }

  private Uuid clientId() {
    noteClient(in.uuid());
    return client;
  }

  private Request batchProbeKey() {
    int policy = in.u8();
    in.skip(Long.BYTES - 1); // padding of ExistOptions, any content (section 8.3)
    long candidateSize = in.i64();
    return new Request.BatchExistKey(
        Rpc.BATCH_PROBE_KEY, in.texts(), tenant(), policy, candidateSize);
  }

  private Request batchReplicaClear() {
    List<String> keys = in.texts();
    Uuid owner = clientId();
    String segment = in.text();
    String tenant = layout.clearTenant() ? in.tenant() : ObjectKey.DEFAULT_TENANT;
    return new Request.BatchReplicaClear(keys, owner, segment, tenant);
  }

  private OptionalLong checksum() {
    return layout.main() ? in.optionalLong() : OptionalLong.empty();
  }

  private Request batchWriteEnd(Rpc rpc) {
    Uuid writer = clientId();
    int count = in.count(layout.main() ? in.sizeBytes() + 1 : in.sizeBytes());
    List<String> keys = BodyReader.newList(count);
    List<OptionalLong> checksums = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      keys.add(in.text());
      checksums.add(checksum());
    }
    return new Request.BatchWriteEnd(rpc, writer, keys, checksums, batchReplicaType(rpc), tenant());
  }

  /**
   * The replica type of a batch call. The Put calls of v0.3.10.post2 do not send one and mean
   * memory; the Upsert calls of no release do and mean all.
   */
  private int batchReplicaType(Rpc rpc) {
    if (layout.namesReplicaType(rpc)) {
      return in.i32();
    }
    boolean upsert = rpc == Rpc.BATCH_UPSERT_END || rpc == Rpc.BATCH_UPSERT_REVOKE;
    return upsert ? ReplicaType.ALL : ReplicaType.MEMORY;
  }

  private ReplicateConfig config() {
    long replicas = in.i64();
    long nofReplicas = layout.nof() ? in.i64() : 0;
    long dfsReplicas = layout.main() ? in.i64() : 0;
    int softPin = softPin();
    OptionalLong softPinTtlMs = layout.main() ? in.optionalLong() : OptionalLong.empty();
    boolean hardPin = in.bool();
    List<String> preferred = in.texts();
    String preferredOne = in.text();
    List<String> preferredNof = layout.nof() ? in.texts() : List.of();
    boolean sameNode = in.bool();
    int dataType = layout.nof() ? in.u8() : 0;
    String host = layout.tenants() ? in.text() : "";
    Optional<List<String>> groups =
        layout.tenants() && in.bool() ? Optional.of(in.texts()) : Optional.empty();
    return new ReplicateConfig(
        replicas,
        nofReplicas,
        dfsReplicas,
        softPin,
        softPinTtlMs,
        hardPin,
        preferred,
        preferredOne,
        preferredNof,
        sameNode,
        dataType,
        host,
        groups);
  }

  /** The action byte of main, or the truth value of earlier releases (section 8.2). */
  private int softPin() {
    if (layout.main()) {
      return in.u8();
    }
    return (in.bool() ? SoftPinAction.ENABLE : SoftPinAction.PRESERVE).ordinal();
  }

  private SegmentInfo segment() {
    return new SegmentInfo(
        in.uuid(),
        in.text(),
        in.i64(),
        in.i64(),
        in.text(),
        in.text(),
        layout.tenants() ? in.text() : "");
  }

  private List<SegmentInfo> segments() {
    int count = in.count(SMALLEST_SEGMENT);
    List<SegmentInfo> segments = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      segments.add(segment());
    }
    return segments;
  }

  private List<Uuid> uuids() {
    int count = in.count(2 * Long.BYTES);
    List<Uuid> uuids = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      uuids.add(in.uuid());
    }
    return uuids;
  }
}
