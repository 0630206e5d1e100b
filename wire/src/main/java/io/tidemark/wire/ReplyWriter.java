package io.tidemark.wire;

import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.wire.schema.WireProfile;
import java.util.List;
import java.util.OptionalLong;

/** Writes the payload of one answer (coro-rpc wire, sections 6 and 7). */
final class ReplyWriter {

  private final CallForms call;
  private final DescriptorTable descriptors;
  private final boolean checksums;
  private final WireBuffer out;

  ReplyWriter(CallForms call, DescriptorTable descriptors, WireProfile profile, WireBuffer out) {
    this.call = call;
    this.descriptors = descriptors;
    this.checksums = profile.compareTo(WireProfile.MAIN) >= 0;
    this.out = out;
  }

  void write(Reply reply) {
    if (call.shape() == CallForms.Shape.BARE) {
      bare(reply);
    } else if (reply instanceof Reply.One one && call.shape() == CallForms.Shape.ONE) {
      result(one.result());
    } else if (reply instanceof Reply.Many many && call.shape() == CallForms.Shape.MANY) {
      List<? extends Result<?>> results = many.results();
      out.putSize(results.size());
      for (int i = 0; i < results.size(); i++) {
        result(results.get(i));
      }
    } else {
      throw new IllegalArgumentException(
          call.rpc().methodName() + " is not answered by " + reply.getClass().getSimpleName());
    }
  }

  /** RemoveAll has no room for an error: a refusal is "0 removed", as upstream answers. */
  private void bare(Reply reply) {
    if (reply instanceof Reply.Bare bare) {
      out.putLong((Long) bare.value());
    } else if (reply instanceof Reply.One one && !one.result().isOk()) {
      out.putLong(0);
    } else {
      throw new IllegalArgumentException(call.rpc().methodName() + " is answered by a bare count");
    }
  }

  private void result(Result<?> result) {
    if (result.isOk()) {
      out.putByte(1);
      if (!call.voidResult()) {
        value(result.value());
      }
    } else {
      out.putByte(0);
      out.putInt(result.code());
    }
  }

  private void value(Object value) {
    switch (call.rpc()) {
      case EXIST_KEY,
          BATCH_EXIST_KEY,
          PROBE_KEY,
          BATCH_PROBE_KEY,
          POLL_REMOVE_ALL,
          EVICT_DISK_REPLICA_IF_CURRENT ->
          out.putBool((Boolean) value);
      case GET_REPLICA_LIST,
          BATCH_GET_REPLICA_LIST,
          GET_REPLICA_LIST_FOR_ADMIN,
          BATCH_GET_REPLICA_LIST_FOR_ADMIN ->
          replicaList((Reply.ReplicaList) value);
      case PUT_START, BATCH_PUT_START, UPSERT_START, BATCH_UPSERT_START -> descriptors(list(value));
      case PING -> ping((Reply.PingResponse) value);
      case REMOVE_BY_REGEX -> out.putLong((Long) value);
      case GET_FSDIR, SERVICE_READY -> out.putText((String) value);
      case QUERY_SEGMENT_STATUS, QUERY_SEGMENT_STATUS_BY_ID ->
          out.putInt(((SegmentStatus) value).code());
      case GET_STORAGE_CONFIG -> storageConfig((Reply.StorageConfig) value);
      case BATCH_REPLICA_CLEAR -> texts(list(value));
      case BATCH_QUERY_IP -> addresses(list(value));
      case GET_REPLICA_LIST_BY_REGEX -> keyReplicas(list(value));
      default -> emptyList(value);
    }
  }

  @SuppressWarnings("unchecked") // The call fixes the element type; a wrong one fails at its use.
  private static <T> List<T> list(Object value) {
    return (List<T>) value;
  }

  /** Calls whose elements have no record (tasks, NVMe-oF segments) can only answer none. */
  private void emptyList(Object value) {
    if (!(value instanceof List<?> list) || !list.isEmpty()) {
      throw new IllegalArgumentException(
          call.rpc().methodName() + " can only answer an error or an empty list");
    }
    out.putSize(0);
  }

  private void ping(Reply.PingResponse response) {
    out.putLong(response.viewVersionId());
    ClientStatus status = response.clientStatus();
    out.putInt(status.code());
  }

  private void storageConfig(Reply.StorageConfig config) {
    out.putText(config.fsdir());
    out.putBool(config.enableDiskEviction());
    out.putLong(config.quotaBytes());
  }

  private void texts(List<String> texts) {
    out.putSize(texts.size());
    for (int i = 0; i < texts.size(); i++) {
      out.putText(texts.get(i));
    }
  }

  private void addresses(List<Reply.ClientAddresses> clients) {
    out.putSize(clients.size());
    for (Reply.ClientAddresses client : clients) {
      out.putUuid(client.clientId());
      texts(client.addresses());
    }
  }

  private void keyReplicas(List<Reply.KeyReplicas> keys) {
    out.putSize(keys.size());
    for (Reply.KeyReplicas key : keys) {
      out.putText(key.key());
      descriptors(key.replicas());
    }
  }

  private void replicaList(Reply.ReplicaList list) {
    descriptors(list.replicas());
    out.putLong(list.leaseTtlMs());
    if (checksums) {
      OptionalLong checksum = list.objectChecksum();
      out.putBool(checksum.isPresent());
      if (checksum.isPresent()) {
        out.putLong(checksum.getAsLong());
      }
    }
  }

  private void descriptors(List<ReplicaDescriptor> replicas) {
    out.putSize(descriptors.expressible(replicas));
    for (int i = 0; i < replicas.size(); i++) {
      ReplicaDescriptor replica = replicas.get(i);
      if (descriptors.expresses(replica)) {
        descriptor(replica);
      }
    }
  }

  private void descriptor(ReplicaDescriptor replica) {
    out.putLong(replica.id());
    out.putByte(descriptors.indexOf(DescriptorTable.kindOf(replica)));
    if (replica instanceof ReplicaDescriptor.Memory memory) {
      out.putLong(memory.sizeBytes());
      out.putLong(memory.bufferAddress());
      out.putText(memory.protocol());
      out.putText(memory.transportEndpoint());
    } else if (replica instanceof ReplicaDescriptor.Nof nof) {
      out.putLong(nof.sizeBytes());
      out.putLong(nof.bufferAddress());
      out.putText(nof.protocol());
      out.putText(nof.transportEndpoint());
    } else if (replica instanceof ReplicaDescriptor.Disk disk) {
      out.putText(disk.filePath());
      out.putLong(disk.objectSizeBytes());
    } else if (replica instanceof ReplicaDescriptor.LocalDisk disk) {
      out.putUuid(disk.clientId());
      out.putLong(disk.objectSizeBytes());
      out.putText(disk.transportEndpoint());
    } else {
      dfs((ReplicaDescriptor.Dfs) replica);
    }
    out.putInt(replica.status());
  }

  private void dfs(ReplicaDescriptor.Dfs dfs) {
    out.putText(dfs.filePath());
    out.putLong(dfs.offset());
    out.putLong(dfs.objectSizeBytes());
    out.putLong(dfs.alignedSizeBytes());
    out.putInt(dfs.shardIdx());
  }
}
