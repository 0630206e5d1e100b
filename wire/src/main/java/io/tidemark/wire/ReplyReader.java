package io.tidemark.wire;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType;
import java.util.List;
import java.util.OptionalLong;

/** Reads the value of one result: the mirror of {@link ReplyWriter}. */
final class ReplyReader {

  private static final SegmentStatus[] SEGMENT_STATUSES = SegmentStatus.values();
  private static final ClientStatus[] CLIENT_STATUSES = ClientStatus.values();

  private final Rpc rpc;
  private final BodyReader in;
  private final DescriptorTable descriptors;
  private final boolean checksums;
  private final int smallestDescriptor;

  ReplyReader(Rpc rpc, WireProfile profile, BodyReader in) {
    this.rpc = rpc;
    this.in = in;
    this.descriptors = DescriptorTable.of(profile);
    this.checksums = profile.compareTo(WireProfile.MAIN) >= 0;
    this.smallestDescriptor = Long.BYTES + 1 + Integer.BYTES;
  }

  /** The value of a success; {@code type} is used where there is no record. */
  Object value(WireType type) {
    return switch (rpc) {
      case EXIST_KEY,
          BATCH_EXIST_KEY,
          PROBE_KEY,
          BATCH_PROBE_KEY,
          POLL_REMOVE_ALL,
          EVICT_DISK_REPLICA_IF_CURRENT ->
          in.bool();
      case GET_REPLICA_LIST,
          BATCH_GET_REPLICA_LIST,
          GET_REPLICA_LIST_FOR_ADMIN,
          BATCH_GET_REPLICA_LIST_FOR_ADMIN ->
          replicaList();
      case PUT_START, BATCH_PUT_START, UPSERT_START, BATCH_UPSERT_START -> descriptors();
      case PING -> new Reply.PingResponse(in.i64(), clientStatus(in.i32()));
      case REMOVE_BY_REGEX -> in.i64();
      case GET_FSDIR, SERVICE_READY -> in.text();
      case QUERY_SEGMENT_STATUS, QUERY_SEGMENT_STATUS_BY_ID -> segmentStatus(in.i32());
      case GET_STORAGE_CONFIG -> new Reply.StorageConfig(in.text(), in.bool(), in.i64());
      case BATCH_REPLICA_CLEAR -> in.texts();
      case BATCH_QUERY_IP -> addresses();
      case GET_REPLICA_LIST_BY_REGEX -> keyReplicas();
      default -> new DynamicReader(in).value(type);
    };
  }

  /** A number that no release defines reads as undefined. */
  private static ClientStatus clientStatus(int code) {
    return code >= 0 && code < CLIENT_STATUSES.length
        ? CLIENT_STATUSES[code]
        : ClientStatus.UNDEFINED;
  }

  private static SegmentStatus segmentStatus(int code) {
    return code >= 0 && code < SEGMENT_STATUSES.length
        ? SEGMENT_STATUSES[code]
        : SegmentStatus.UNDEFINED;
  }

  private List<Reply.ClientAddresses> addresses() {
    int count = in.count(2 * Long.BYTES + in.sizeBytes());
    List<Reply.ClientAddresses> clients = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      clients.add(new Reply.ClientAddresses(in.uuid(), in.texts()));
    }
    return clients;
  }

  private List<Reply.KeyReplicas> keyReplicas() {
    int count = in.count(2 * in.sizeBytes());
    List<Reply.KeyReplicas> keys = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      keys.add(new Reply.KeyReplicas(in.text(), descriptors()));
    }
    return keys;
  }

  private Reply.ReplicaList replicaList() {
    List<ReplicaDescriptor> replicas = descriptors();
    long leaseTtlMs = in.i64();
    OptionalLong checksum = checksums ? in.optionalLong() : OptionalLong.empty();
    return new Reply.ReplicaList(replicas, leaseTtlMs, checksum);
  }

  private List<ReplicaDescriptor> descriptors() {
    int count = in.count(smallestDescriptor);
    List<ReplicaDescriptor> replicas = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      replicas.add(descriptor());
    }
    return replicas;
  }

  private ReplicaDescriptor descriptor() {
    long id = in.i64();
    DescriptorTable.Kind kind =
        descriptors
            .kindAt(in.u8())
            .orElseThrow(() -> new MalformedMessageException(RefusalReason.BAD_VARIANT));
    return switch (kind) {
      case MEMORY ->
          new ReplicaDescriptor.Memory(id, in.i64(), in.i64(), in.text(), in.text(), in.i32());
      case NOF -> new ReplicaDescriptor.Nof(id, in.i64(), in.i64(), in.text(), in.text(), in.i32());
      case DISK -> new ReplicaDescriptor.Disk(id, in.text(), in.i64(), in.i32());
      case LOCAL_DISK -> localDisk(id);
      case DFS ->
          new ReplicaDescriptor.Dfs(
              id, in.text(), in.i64(), in.i64(), in.i64(), in.i32(), in.i32());
    };
  }

  private ReplicaDescriptor localDisk(long id) {
    Uuid client = in.uuid();
    return new ReplicaDescriptor.LocalDisk(id, client, in.i64(), in.text(), in.i32());
  }
}
