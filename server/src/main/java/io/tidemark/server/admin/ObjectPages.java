package io.tidemark.server.admin;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeSet;
import java.util.function.Function;

/** Inspection of objects, with reads that grant no lease and count nothing. */
final class ObjectPages {

  private final MasterCalls master;

  ObjectPages(MasterCalls master) {
    this.master = master;
  }

  AdminResponse queryKey(AdminRequest request) {
    String key = request.rawParameter("key").orElse("");
    Reply reply =
        master.call(
            new Request.GetReplicaList(
                Rpc.GET_REPLICA_LIST_FOR_ADMIN, key, ObjectKey.DEFAULT_TENANT));
    Result<?> result = onlyResult(reply);
    if (!result.isOk()) {
      return AdminResponse.error(404, result.code(), ErrorCode.nameOf(result.code()));
    }
    return AdminResponse.json(200, "{\"success\":true,\"data\":" + memory(replicas(result)) + "}");
  }

  AdminResponse batchQueryKeys(AdminRequest request) {
    String joined = request.parameter("keys").orElse("");
    if (joined.isEmpty()) {
      return AdminResponse.json(
          400, "{\"success\":false,\"error\":\"No keys provided. Use ?keys=key1,key2,...\"}");
    }
    List<String> keys = List.copyOf(new TreeSet<>(List.of(joined.split(",", -1))));
    Reply reply =
        master.call(
            new Request.BatchGetReplicaList(
                Rpc.BATCH_GET_REPLICA_LIST_FOR_ADMIN, keys, ObjectKey.DEFAULT_TENANT));
    if (!(reply instanceof Reply.Many many)) {
      return AdminResponse.error(onlyResult(reply).code());
    }
    StringJoiner items = new StringJoiner(",", "{", "}");
    int i = 0;
    for (String key : keys) {
      items.add(Json.quotedWire(key) + ":" + item(many.results().get(i++)));
    }
    return AdminResponse.json(200, "{\"success\":true,\"data\":" + items + "}");
  }

  private static String item(Result<?> result) {
    if (!result.isOk()) {
      return "{\"ok\":false,\"error\":\""
          + ErrorCode.nameOf(result.code())
          + "\",\"values\":null,\"disk_values\":null,\"local_disk_values\":null,\"nof_values\":null}";
    }
    List<ReplicaDescriptor> replicas = replicas(result);
    return "{\"ok\":true,\"error\":null,\"values\":"
        + memory(replicas)
        + ",\"disk_values\":"
        + orNull(list(replicas, ObjectPages::disk))
        + ",\"local_disk_values\":"
        + orNull(list(replicas, ObjectPages::localDisk))
        + ",\"nof_values\":"
        + orNull(list(replicas, ObjectPages::nof))
        + "}";
  }

  private static String memory(List<ReplicaDescriptor> replicas) {
    return "[" + String.join(",", list(replicas, ObjectPages::memoryItem)) + "]";
  }

  private static Optional<String> memoryItem(ReplicaDescriptor replica) {
    return replica instanceof ReplicaDescriptor.Memory m
        ? Optional.of(range(m.sizeBytes(), m.bufferAddress(), m.protocol(), m.transportEndpoint()))
        : Optional.empty();
  }

  private static Optional<String> nof(ReplicaDescriptor replica) {
    return replica instanceof ReplicaDescriptor.Nof n
        ? Optional.of(range(n.sizeBytes(), n.bufferAddress(), n.protocol(), n.transportEndpoint()))
        : Optional.empty();
  }

  private static Optional<String> disk(ReplicaDescriptor replica) {
    return replica instanceof ReplicaDescriptor.Disk d
        ? Optional.of(
            "{\"file_path\":"
                + Json.quotedWire(d.filePath())
                + ",\"object_size\":"
                + Long.toUnsignedString(d.objectSizeBytes())
                + "}")
        : Optional.empty();
  }

  private static Optional<String> localDisk(ReplicaDescriptor replica) {
    return replica instanceof ReplicaDescriptor.LocalDisk d
        ? Optional.of(
            "{\"client_id\":\""
                + d.clientId()
                + "\",\"object_size\":"
                + Long.toUnsignedString(d.objectSizeBytes())
                + ",\"transport_endpoint\":"
                + Json.quotedWire(d.transportEndpoint())
                + "}")
        : Optional.empty();
  }

  private static String range(long sizeBytes, long address, String protocol, String endpoint) {
    return "{\"size_\":"
        + Long.toUnsignedString(sizeBytes)
        + ",\"buffer_address_\":"
        + Long.toUnsignedString(address)
        + ",\"protocol_\":"
        + Json.quotedWire(protocol)
        + ",\"transport_endpoint_\":"
        + Json.quotedWire(endpoint)
        + "}";
  }

  private static List<String> list(
      List<ReplicaDescriptor> replicas, Function<ReplicaDescriptor, Optional<String>> item) {
    List<String> items = new ArrayList<>();
    replicas.forEach(replica -> item.apply(replica).ifPresent(items::add));
    return items;
  }

  private static String orNull(List<String> items) {
    return items.isEmpty() ? "null" : "[" + String.join(",", items) + "]";
  }

  private static List<ReplicaDescriptor> replicas(Result<?> result) {
    return ((Reply.ReplicaList) result.value()).replicas();
  }

  private static Result<?> onlyResult(Reply reply) {
    return reply instanceof Reply.One one ? one.result() : Result.error(ErrorCode.INTERNAL_ERROR);
  }
}
