package io.tidemark.chaos.conformance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.WireText;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One master's answers in a form that two masters share: replica ids by first appearance, addresses
 * relative to their segment, maps sorted. Everything else stays, field by field.
 */
final class Canonical {
  private static final int LONGEST_TEXT = 60;

  private final Map<String, Long> baseByEndpoint = new HashMap<>();
  private final Map<Long, Integer> ordinals = new HashMap<>();
  private final Map<Integer, Long> placeByOrdinal = new HashMap<>();
  private boolean offsetsCompared = true;
  private int nextOrdinal = 1;

  /** A segment that was named in a mount. */
  void learn(SegmentInfo segment) {
    if (segment.base() != 0) {
      baseByEndpoint.putIfAbsent(segment.teEndpoint(), segment.base());
    }
  }

  /**
   * From now on offsets may differ between the masters; that a replica stays where it is, is still
   * compared.
   */
  void stopComparingOffsets() {
    offsetsCompared = false;
  }

  /** After a known difference one master may have shown more replicas: both count on alike. */
  static void align(Canonical one, Canonical other) {
    int next = Math.max(one.nextOrdinal, other.nextOrdinal);
    one.nextOrdinal = next;
    other.nextOrdinal = next;
  }

  /** The items of an answer: one for each result. */
  List<String> items(Reply reply) {
    if (reply instanceof Reply.One one) {
      return List.of(result(one.result()));
    } else if (reply instanceof Reply.Many many) {
      List<String> items = new ArrayList<>();
      many.results().forEach(result -> items.add(result(result)));
      return items;
    } else if (reply instanceof Reply.Bare bare) {
      return List.of("bare " + bare.value());
    }
    Reply.RpcError error = (Reply.RpcError) reply;
    return List.of("RPC error " + error.rpcCode() + " '" + error.message() + "'");
  }

  private String result(Result<?> result) {
    return result.isOk()
        ? "ok" + (result.value() == null ? "" : " " + value(result.value()))
        : "error " + result.code() + " " + ErrorCode.nameOf(result.code());
  }

  private String value(Object value) {
    if (value instanceof String text) {
      return text(text);
    } else if (value instanceof ReplicaDescriptor descriptor) {
      return descriptor(descriptor);
    } else if (value instanceof Reply.ReplicaList list) {
      return value(list.replicas())
          + " lease "
          + list.leaseTtlMs()
          + " checksum "
          + list.objectChecksum();
    } else if (value instanceof Reply.KeyReplicas key) {
      return text(key.key()) + "=" + value(key.replicas());
    } else if (value instanceof Reply.ClientAddresses client) {
      return client.clientId() + "=" + client.addresses().stream().sorted().toList();
    } else if (value instanceof Collection<?> many) {
      return collection(many);
    }
    return String.valueOf(value);
  }

  /** Maps arrive as lists in any order; they are sorted before ids are numbered. */
  private String collection(Collection<?> many) {
    List<Object> sorted = new ArrayList<>(many);
    if (!sorted.isEmpty() && sorted.get(0) instanceof Reply.KeyReplicas) {
      sorted.sort(Comparator.comparing(entry -> ((Reply.KeyReplicas) entry).key()));
    } else if (!sorted.isEmpty() && sorted.get(0) instanceof Reply.ClientAddresses) {
      sorted.sort(Comparator.comparing(entry -> ((Reply.ClientAddresses) entry).clientId()));
    }
    return sorted.stream().map(this::value).toList().toString();
  }

  private String descriptor(ReplicaDescriptor descriptor) {
    int ordinal = ordinals.computeIfAbsent(descriptor.id(), id -> nextOrdinal++);
    if (descriptor instanceof ReplicaDescriptor.Memory memory) {
      return "memory #"
          + ordinal
          + " "
          + memory.sizeBytes()
          + " B at "
          + memory.transportEndpoint()
          + place(ordinal, memory)
          + " "
          + memory.protocol()
          + " status "
          + memory.status();
    }
    return descriptor.toString().replace("id=" + descriptor.id(), "#" + ordinal);
  }

  private String place(int ordinal, ReplicaDescriptor.Memory memory) {
    long base = baseByEndpoint.getOrDefault(memory.transportEndpoint(), 0L);
    long offset = memory.bufferAddress() - base;
    Long first = placeByOrdinal.putIfAbsent(ordinal, offset);
    if (offsetsCompared) {
      return "+" + offset;
    }
    return first == null || first == offset ? "" : " MOVED from +" + first + " to +" + offset;
  }

  /** A wire text for people, shortened. */
  static String text(String wire) {
    String shown = WireText.display(wire);
    return shown.length() <= LONGEST_TEXT
        ? "'" + shown + "'"
        : "'" + shown.substring(0, LONGEST_TEXT) + "…' (" + shown.length() + ")";
  }
}
