package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.WireText;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.SegmentInfo;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.OptionalLong;

/**
 * Events as JSON. Text is a string where its bytes are UTF-8, else the field's name has {@code
 * _hex} behind it and the value is hexadecimal. Digests and chain hashes are hexadecimal, since
 * JSON readers may round numbers of 64 bits.
 */
final class EventJson {
  private EventJson() {}

  /** An object without fields. */
  static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /** Adds the fields of an event. */
  static void put(Event event, ObjectNode node) {
    node.put("event", event.type().name());
    if (event instanceof Event.ObjectEvent e) {
      put(e.key(), node);
      putObject(e, node);
    } else if (event instanceof Event.DiscardReleased e) {
      ArrayNode ids = node.putArray("discard_ids");
      for (long id : e.discardIds()) {
        ids.add(id);
      }
    } else {
      putSegment(event, node);
    }
  }

  private static void putObject(Event.ObjectEvent event, ObjectNode node) {
    if (event instanceof Event.WriteStarted e) {
      putStarted(e, node);
    } else if (event instanceof Event.WriteResumed e) {
      node.put("soft_pin", e.softPin().name());
      node.put("soft_pin_ttl_ms", e.softPinTtlMs());
    } else if (event instanceof Event.WriteReopened e) {
      node.put("client", e.clientId().toString());
      node.put("soft_pin", e.softPin().name());
      node.put("soft_pin_ttl_ms", e.softPinTtlMs());
    } else if (event instanceof Event.ReplicasCompleted e) {
      putIds(e.replicaIds(), node);
      node.put("set_checksum", e.setChecksum());
      e.checksum().ifPresent(sum -> node.put("checksum", Long.toUnsignedString(sum)));
      putPin(e.pinDeadlineMs(), node);
      node.put("pin_settled", e.pinSettled());
      node.put("write_finished", e.writeFinished());
    } else if (event instanceof Event.ReplicasDropped e) {
      putIds(e.replicaIds(), node);
      put(e.reason(), node);
      node.put("quarantine_until_ms", e.quarantineUntilMs());
      node.put("object_gone", e.objectGone());
      node.put("pin_settled", e.pinSettled());
      node.put("write_finished", e.writeFinished());
    } else if (event instanceof Event.SoftPinChanged e) {
      putPin(e.pinDeadlineMs(), node);
      put(e.reason(), node);
    }
  }

  private static void putStarted(Event.WriteStarted e, ObjectNode node) {
    node.put("client", e.clientId().toString());
    node.put("size_bytes", e.sizeBytes());
    ArrayNode replicas = node.putArray("replicas");
    for (PlacedReplica replica : e.replicas()) {
      ObjectNode one = replicas.addObject();
      one.put("id", replica.replicaId());
      one.put("mount", replica.segmentNumber());
      one.put("offset_bytes", replica.offsetBytes());
      one.put("block_bytes", replica.blockBytes());
    }
    if (e.diskReplicaId() != 0) {
      node.put("disk_replica_id", e.diskReplicaId());
      putText("disk_path", e.diskPath(), node);
    }
    node.put("hard_pin", e.hardPin());
    node.put("data_type", e.dataType());
    putText("group", e.groupId(), node);
    node.put("soft_pin", e.softPin().name());
    node.put("soft_pin_ttl_ms", e.softPinTtlMs());
    putPin(e.inheritedPinDeadlineMs(), node);
  }

  private static void putSegment(Event event, ObjectNode node) {
    if (event instanceof Event.SegmentMounted e) {
      putMounted(e, node);
    } else if (event instanceof Event.SegmentGraceStarted e) {
      node.put("mount", e.segmentNumber());
      node.put("deadline_ms", e.deadlineMs());
    } else if (event instanceof Event.SegmentUnmounting e) {
      node.put("mount", e.segmentNumber());
      put(e.reason(), node);
    } else if (event instanceof Event.SegmentUnmounted e) {
      node.put("mount", e.segmentNumber());
    } else if (event instanceof Event.ClientChanged e) {
      node.put("client", e.clientId().toString());
      node.put("client_state", e.state().name());
      put(e.reason(), node);
    } else if (event instanceof Event.ClientReleaseLearned e) {
      node.put("client", e.clientId().toString());
      putText("release", e.release(), node);
    } else if (event instanceof Event.HostIdLearned e) {
      node.put("client", e.clientId().toString());
      putText("host_id", e.hostId(), node);
    } else if (event instanceof Event.EpochStarted e) {
      node.put("started_epoch", e.epoch());
      node.put("node", e.nodeId().toString());
      node.put("lease_ttl_ms", e.leaseTtlMs());
      node.put("forced", e.forced());
    } else if (event instanceof Event.StateDigest e) {
      node.put("digest", EventText.digest(e.digest()));
      node.put("object_count", e.objectCount());
    }
  }

  private static void putMounted(Event.SegmentMounted e, ObjectNode node) {
    SegmentInfo info = e.segment();
    node.put("mount", e.segmentNumber());
    node.put("client", e.clientId().toString());
    node.put("segment_id", info.id().toString());
    putText("segment_name", info.name(), node);
    node.put("base", Long.toUnsignedString(info.base()));
    node.put("size_bytes", info.sizeBytes());
    putText("te_endpoint", info.teEndpoint(), node);
    putText("protocol", info.protocol(), node);
    putText("host_id", info.hostId(), node);
  }

  /** Adds a key with its tenant. */
  static void put(ObjectKey key, ObjectNode node) {
    putText("key", key.key(), node);
    putText("tenant", key.tenant(), node);
  }

  /** Adds a reason with its words. */
  static void put(Reason reason, ObjectNode node) {
    node.put("reason", reason.name());
    node.put("reason_text", reason.text());
  }

  private static void putIds(long[] ids, ObjectNode node) {
    ArrayNode array = node.putArray("replica_ids");
    for (long id : ids) {
      array.add(id);
    }
  }

  private static void putPin(OptionalLong deadlineMs, ObjectNode node) {
    deadlineMs.ifPresent(ms -> node.put("soft_pin_until_ms", ms));
  }

  /** Adds a wire string, as text or as hexadecimal bytes. */
  static void putText(String name, String wire, ObjectNode node) {
    byte[] bytes = WireText.bytes(wire);
    try {
      node.put(name, StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
    } catch (CharacterCodingException notText) {
      node.put(name + "_hex", HexFormat.of().formatHex(bytes));
    }
  }
}
