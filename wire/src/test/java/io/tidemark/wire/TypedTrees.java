package io.tidemark.wire;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.wire.DynamicCodec.Alternative;
import io.tidemark.wire.DynamicCodec.Outcome;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Supplier;

/**
 * Requests and replies as trees of the dynamic codec, by member name: an independent statement of
 * what the hand-written codecs must put where.
 */
final class TypedTrees {

  private TypedTrees() {}

  /** The arguments of a request in the form of a release. */
  static List<Object> arguments(Request request, WireProfile profile) {
    Map<String, Object> named = named(request, profile);
    List<Object> arguments = new ArrayList<>();
    for (Field field : profile.signature(request.rpc()).orElseThrow().arguments()) {
      if (!named.containsKey(field.name())) {
        throw new AssertionError("no argument " + field.name() + " of " + request.rpc());
      }
      arguments.add(named.get(field.name()));
    }
    return arguments;
  }

  private static Map<String, Object> named(Request request, WireProfile profile) {
    Map<String, Object> named = new HashMap<>();
    if (request instanceof Request.ExistKey r) {
      named.putAll(Map.of("key", r.key(), "tenant_id", r.tenant()));
    } else if (request instanceof Request.GetReplicaList r) {
      named.putAll(Map.of("key", r.key(), "tenant_id", r.tenant()));
    } else if (request instanceof Request.BatchExistKey r) {
      named.putAll(Map.of("keys", r.keys(), "tenant_id", r.tenant()));
      named.put("options", options(r));
    } else if (request instanceof Request.BatchGetReplicaList r) {
      named.putAll(Map.of("keys", r.keys(), "tenant_id", r.tenant()));
    } else if (request instanceof Request.Ping r) {
      named.put("client_id", uuid(r.clientId()));
    } else if (request instanceof Request.Remove r) {
      named.putAll(Map.of("key", r.key(), "force", r.force(), "tenant_id", r.tenant()));
    } else if (request instanceof Request.MountSegment r) {
      named.putAll(
          Map.of("segment", segment(r.segment(), profile), "client_id", uuid(r.clientId())));
    } else if (request instanceof Request.WriteStart r) {
      named.putAll(Map.of("key", r.key(), "tenant_id", r.tenant()));
      named.put("client_id", uuid(r.clientId()));
      named.put("slice_length", r.sliceLength());
      named.put("config", config(r.config(), profile));
    } else if (request instanceof Request.BatchWriteStart r) {
      named.putAll(Map.of("keys", r.keys(), "tenant_id", r.tenant()));
      named.put("client_id", uuid(r.clientId()));
      named.put("slice_lengths", Arrays.stream(r.sliceLengths()).boxed().toList());
      named.put("config", config(r.config(), profile));
    } else {
      namedEnds(request, named);
    }
    return named;
  }

  private static void namedEnds(Request request, Map<String, Object> named) {
    if (request instanceof Request.WriteEnd r) {
      named.putAll(Map.of("key", r.key(), "tenant_id", r.tenant()));
      named.put("client_id", uuid(r.clientId()));
      named.put("object_meta", objectMeta(r.key(), r.checksum()));
      named.put("replica_type", (long) r.replicaType());
    } else if (request instanceof Request.BatchWriteEnd r) {
      List<Object> metas = new ArrayList<>();
      for (int i = 0; i < r.keys().size(); i++) {
        metas.add(objectMeta(r.keys().get(i), r.checksums().get(i)));
      }
      named.putAll(Map.of("keys", r.keys(), "tenant_id", r.tenant(), "object_metas", metas));
      named.put("client_id", uuid(r.clientId()));
      named.put("replica_type", (long) r.replicaType());
    } else if (request instanceof Request.WriteRevoke r) {
      named.putAll(Map.of("key", r.key(), "tenant_id", r.tenant()));
      named.put("client_id", uuid(r.clientId()));
      named.put("replica_type", (long) r.replicaType());
    } else {
      throw new AssertionError("no tree for " + request.rpc());
    }
  }

  private static Map<String, Object> options(Request.BatchExistKey r) {
    Map<String, Object> options = new LinkedHashMap<>();
    options.put("policy", (long) r.probePolicy());
    options.put("candidate_size", r.candidateSize());
    return options;
  }

  static Map<String, Object> uuid(Uuid id) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("first", id.first());
    members.put("second", id.second());
    return members;
  }

  private static Map<String, Object> objectMeta(String key, OptionalLong checksum) {
    Map<String, Object> members = new LinkedHashMap<>();
    members.put("key", key);
    members.put("object_checksum", boxed(checksum));
    return members;
  }

  private static Long boxed(OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  private static Map<String, Object> segment(SegmentInfo s, WireProfile profile) {
    Members members = new Members(profile);
    members.put("id", uuid(s.id())).put("name", s.name()).put("base", s.base());
    members.put("size", s.sizeBytes()).put("te_endpoint", s.teEndpoint());
    members.put("protocol", s.protocol());
    return members.since(WireProfile.V0_3_12_POST1, "host_id", s::hostId).map;
  }

  private static Map<String, Object> config(ReplicateConfig c, WireProfile profile) {
    boolean actions = profile.compareTo(WireProfile.MAIN) >= 0;
    Members members = new Members(profile);
    members.put("replica_num", c.replicaNum());
    members.since(WireProfile.V0_3_11_POST1, "nof_replica_num", c::nofReplicaNum);
    members.since(WireProfile.MAIN, "dfs_replica_num", c::dfsReplicaNum);
    members.since(WireProfile.MAIN, "soft_pin_action", () -> (long) c.softPinAction());
    members.since(WireProfile.MAIN, "soft_pin_ttl_ms", () -> boxed(c.softPinTtlMs()));
    if (!actions) {
      members.put("with_soft_pin", c.softPinAction() == 1);
    }
    members.put("with_hard_pin", c.hardPin());
    members.put("preferred_segments", c.preferredSegments());
    members.put("preferred_segment", c.preferredSegment());
    members.since(WireProfile.V0_3_11_POST1, "preferred_nof_segments", c::preferredNofSegments);
    members.put("prefer_alloc_in_same_node", c.preferAllocInSameNode());
    members.since(WireProfile.V0_3_11_POST1, "data_type", () -> (long) c.dataType());
    members.since(WireProfile.V0_3_12_POST1, "host_id", c::hostId);
    members.since(WireProfile.V0_3_12_POST1, "group_ids", () -> c.groupIds().orElse(null));
    return members.map;
  }

  /** The result of a reply in the form of a release. */
  static Object result(Rpc rpc, Reply reply, WireProfile profile) {
    if (reply instanceof Reply.One one) {
      return outcome(one.result(), profile);
    } else if (reply instanceof Reply.Many many) {
      return many.results().stream().map(r -> (Object) outcome(r, profile)).toList();
    }
    return ((Reply.Bare) reply).value();
  }

  private static Outcome outcome(Result<?> result, WireProfile profile) {
    if (!result.isOk()) {
      return Outcome.error(result.code());
    }
    Object value = result.value();
    if (value instanceof Reply.ReplicaList list) {
      Members members = new Members(profile);
      members.put("replicas", descriptors(list.replicas(), profile));
      members.put("lease_ttl_ms", list.leaseTtlMs());
      members.since(WireProfile.MAIN, "object_checksum", () -> boxed(list.objectChecksum()));
      return Outcome.ok(members.map);
    } else if (value instanceof List<?> list) {
      return Outcome.ok(descriptors(list, profile));
    } else if (value instanceof Reply.PingResponse ping) {
      Members members = new Members(profile);
      members.put("view_version_id", ping.viewVersionId());
      return Outcome.ok(members.put("client_status", (long) ping.clientStatus().ordinal()).map);
    }
    return Outcome.ok(value);
  }

  private static List<Object> descriptors(List<?> replicas, WireProfile profile) {
    List<Object> trees = new ArrayList<>();
    for (Object replica : replicas) {
      int index = index((ReplicaDescriptor) replica, profile);
      if (index >= 0) {
        trees.add(descriptor((ReplicaDescriptor) replica, index, profile));
      }
    }
    return trees;
  }

  /** The table of section 6.4, written out. */
  private static int index(ReplicaDescriptor replica, WireProfile profile) {
    boolean nof = profile != WireProfile.V0_3_10_POST2;
    if (replica instanceof ReplicaDescriptor.Memory) {
      return 0;
    } else if (replica instanceof ReplicaDescriptor.Nof) {
      return nof ? 1 : -1;
    } else if (replica instanceof ReplicaDescriptor.Disk) {
      return nof ? 2 : 1;
    } else if (replica instanceof ReplicaDescriptor.LocalDisk) {
      return nof ? 3 : 2;
    }
    return profile.compareTo(WireProfile.MAIN) >= 0 ? 4 : -1;
  }

  private static Map<String, Object> descriptor(
      ReplicaDescriptor replica, int index, WireProfile profile) {
    Members value = new Members(profile);
    if (replica instanceof ReplicaDescriptor.Memory m) {
      buffer(value, m.sizeBytes(), m.bufferAddress(), m.protocol(), m.transportEndpoint());
    } else if (replica instanceof ReplicaDescriptor.Nof n) {
      buffer(value, n.sizeBytes(), n.bufferAddress(), n.protocol(), n.transportEndpoint());
    } else if (replica instanceof ReplicaDescriptor.Disk d) {
      value.put("file_path", d.filePath()).put("object_size", d.objectSizeBytes());
    } else if (replica instanceof ReplicaDescriptor.LocalDisk d) {
      value.put("client_id", uuid(d.clientId())).put("object_size", d.objectSizeBytes());
      value.put("transport_endpoint", d.transportEndpoint());
    } else if (replica instanceof ReplicaDescriptor.Dfs d) {
      value.put("file_path", d.filePath()).put("offset", d.offset());
      value.put("object_size", d.objectSizeBytes()).put("aligned_size", d.alignedSizeBytes());
      value.put("shard_idx", (long) d.shardIdx());
    }
    Members members = new Members(profile).put("id", replica.id());
    members.put("descriptor_variant", new Alternative(index, value.map));
    return members.put("status", (long) replica.status()).map;
  }

  private static void buffer(
      Members out, long size, long address, String protocol, String endpoint) {
    Members buffer = new Members(null).put("size_", size).put("buffer_address_", address);
    buffer.put("protocol_", protocol).put("transport_endpoint_", endpoint);
    out.put("buffer_descriptor", buffer.map);
  }

  private static final class Members {
    private final WireProfile profile;
    private final Map<String, Object> map = new LinkedHashMap<>();

    Members(WireProfile profile) {
      this.profile = profile;
    }

    Members put(String name, Object value) {
      map.put(name, value);
      return this;
    }

    Members since(WireProfile first, String name, Supplier<Object> value) {
      return profile.compareTo(first) >= 0 ? put(name, value.get()) : this;
    }
  }
}
