package io.tidemark.api.event;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.event.Event.PlacedReplica;
import java.util.ArrayList;
import java.util.List;

/**
 * Binary form of events: type byte, version byte, fields in declaration order, little-endian;
 * counts and ids as LEB128.
 *
 * <p>{@code docs/reference/log-format.md} describes every layout; golden bytes in the tests hold
 * them fixed.
 */
public final class EventCodec {

  private EventCodec() {}

  /** Appends one event. */
  public static void write(Event event, EventBuffer out) {
    EventType type = event.type();
    out.putByte(type.code());
    out.putByte(type.version());
    switch (type) {
      case WRITE_STARTED -> writeStarted((Event.WriteStarted) event, out);
      case WRITE_RESUMED -> writeResumed((Event.WriteResumed) event, out);
      case WRITE_REOPENED -> writeReopened((Event.WriteReopened) event, out);
      case REPLICAS_COMPLETED -> writeCompleted((Event.ReplicasCompleted) event, out);
      case REPLICAS_DROPPED -> writeDropped((Event.ReplicasDropped) event, out);
      case SOFT_PIN_CHANGED -> writePin((Event.SoftPinChanged) event, out);
      case DISCARD_RELEASED -> out.putLongs(((Event.DiscardReleased) event).discardIds());
      default -> writeOther(event, out);
    }
  }

  private static void writeOther(Event event, EventBuffer out) {
    switch (event.type()) {
      case SEGMENT_MOUNTED -> writeMounted((Event.SegmentMounted) event, out);
      case SEGMENT_GRACE_STARTED -> {
        Event.SegmentGraceStarted e = (Event.SegmentGraceStarted) event;
        out.putInt(e.segmentNumber());
        out.putLong(e.deadlineMs());
      }
      case SEGMENT_UNMOUNTING -> {
        Event.SegmentUnmounting e = (Event.SegmentUnmounting) event;
        out.putInt(e.segmentNumber());
        out.putByte(e.reason().code());
      }
      case SEGMENT_UNMOUNTED -> out.putInt(((Event.SegmentUnmounted) event).segmentNumber());
      case CLIENT_CHANGED -> {
        Event.ClientChanged e = (Event.ClientChanged) event;
        out.putUuid(e.clientId());
        out.putByte(e.state().code());
        out.putByte(e.reason().code());
      }
      case HOST_ID_LEARNED -> {
        Event.HostIdLearned e = (Event.HostIdLearned) event;
        out.putUuid(e.clientId());
        out.putText(e.hostId());
      }
      case CLIENT_RELEASE_LEARNED -> {
        Event.ClientReleaseLearned e = (Event.ClientReleaseLearned) event;
        out.putUuid(e.clientId());
        out.putText(e.release());
      }
      case EPOCH_STARTED -> {
        Event.EpochStarted e = (Event.EpochStarted) event;
        out.putLong(e.epoch());
        out.putUuid(e.nodeId());
        out.putLong(e.leaseTtlMs());
        out.putBoolean(e.forced());
      }
      case TICK -> {}
      case STATE_DIGEST -> {
        Event.StateDigest e = (Event.StateDigest) event;
        out.putLong(e.digest());
        out.putLong(e.objectCount());
      }
      default -> throw new IllegalArgumentException("no layout for " + event.type());
    }
  }

  /** Reads one event. */
  public static Event read(EventBuffer in) {
    EventType type = EventType.of(in.getByte());
    int version = in.getByte();
    if (version != type.version()) {
      throw new UnknownEventException("unknown version " + version + " of event " + type);
    }
    return switch (type) {
      case WRITE_STARTED -> readStarted(in);
      case WRITE_RESUMED ->
          new Event.WriteResumed(FieldCodec.readKey(in), FieldCodec.readAction(in), in.getVarint());
      case WRITE_REOPENED ->
          new Event.WriteReopened(
              FieldCodec.readKey(in), in.getUuid(), FieldCodec.readAction(in), in.getVarint());
      case REPLICAS_COMPLETED ->
          new Event.ReplicasCompleted(
              FieldCodec.readKey(in),
              in.getLongs(),
              in.getBoolean(),
              in.getOptional(),
              in.getOptional(),
              in.getBoolean(),
              in.getBoolean());
      case REPLICAS_DROPPED ->
          new Event.ReplicasDropped(
              FieldCodec.readKey(in),
              in.getLongs(),
              Reason.of(in.getByte()),
              in.getVarint(),
              in.getBoolean(),
              in.getBoolean(),
              in.getBoolean());
      case SOFT_PIN_CHANGED ->
          new Event.SoftPinChanged(
              FieldCodec.readKey(in), in.getOptional(), Reason.of(in.getByte()));
      case DISCARD_RELEASED -> new Event.DiscardReleased(in.getLongs());
      case SEGMENT_MOUNTED ->
          new Event.SegmentMounted(in.getInt(), FieldCodec.readSegment(in), in.getUuid());
      case SEGMENT_GRACE_STARTED -> new Event.SegmentGraceStarted(in.getInt(), in.getLong());
      case SEGMENT_UNMOUNTING -> new Event.SegmentUnmounting(in.getInt(), Reason.of(in.getByte()));
      case SEGMENT_UNMOUNTED -> new Event.SegmentUnmounted(in.getInt());
      case CLIENT_CHANGED ->
          new Event.ClientChanged(
              in.getUuid(), ClientState.of(in.getByte()), Reason.of(in.getByte()));
      case HOST_ID_LEARNED -> new Event.HostIdLearned(in.getUuid(), in.getText());
      case CLIENT_RELEASE_LEARNED -> new Event.ClientReleaseLearned(in.getUuid(), in.getText());
      case EPOCH_STARTED ->
          new Event.EpochStarted(in.getLong(), in.getUuid(), in.getLong(), in.getBoolean());
      case TICK -> new Event.Tick();
      case STATE_DIGEST -> new Event.StateDigest(in.getLong(), in.getLong());
    };
  }

  /** Reads all events of an entry's payload. */
  public static List<Event> readAll(byte[] payload) {
    EventBuffer in = EventBuffer.reading(payload, 0, payload.length);
    List<Event> events = new ArrayList<>();
    while (in.hasRemaining()) {
      events.add(read(in));
    }
    return events;
  }

  private static void writeStarted(Event.WriteStarted e, EventBuffer out) {
    FieldCodec.writeKey(e.key(), out);
    out.putUuid(e.clientId());
    out.putVarint(e.sizeBytes());
    out.putVarint(e.replicas().size());
    for (PlacedReplica replica : e.replicas()) {
      out.putVarint(replica.replicaId());
      out.putVarint(replica.segmentNumber());
      out.putVarint(replica.offsetBytes());
      out.putVarint(replica.blockBytes());
    }
    out.putVarint(e.diskReplicaId());
    out.putText(e.diskPath());
    out.putBoolean(e.hardPin());
    out.putByte(e.dataType());
    out.putText(e.groupId());
    out.putByte(e.softPin().ordinal());
    out.putVarint(e.softPinTtlMs());
    out.putOptional(e.inheritedPinDeadlineMs());
  }

  private static Event readStarted(EventBuffer in) {
    ObjectKey key = FieldCodec.readKey(in);
    var clientId = in.getUuid();
    long sizeBytes = in.getVarint();
    int count = in.getCount(4);
    List<PlacedReplica> replicas = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      replicas.add(
          new PlacedReplica(in.getVarint(), (int) in.getVarint(), in.getVarint(), in.getVarint()));
    }
    return new Event.WriteStarted(
        key,
        clientId,
        sizeBytes,
        replicas,
        in.getVarint(),
        in.getText(),
        in.getBoolean(),
        in.getByte(),
        in.getText(),
        FieldCodec.readAction(in),
        in.getVarint(),
        in.getOptional());
  }

  private static void writeResumed(Event.WriteResumed e, EventBuffer out) {
    FieldCodec.writeKey(e.key(), out);
    out.putByte(e.softPin().ordinal());
    out.putVarint(e.softPinTtlMs());
  }

  private static void writeReopened(Event.WriteReopened e, EventBuffer out) {
    FieldCodec.writeKey(e.key(), out);
    out.putUuid(e.clientId());
    out.putByte(e.softPin().ordinal());
    out.putVarint(e.softPinTtlMs());
  }

  private static void writeCompleted(Event.ReplicasCompleted e, EventBuffer out) {
    FieldCodec.writeKey(e.key(), out);
    out.putLongs(e.replicaIds());
    out.putBoolean(e.setChecksum());
    out.putOptional(e.checksum());
    out.putOptional(e.pinDeadlineMs());
    out.putBoolean(e.pinSettled());
    out.putBoolean(e.writeFinished());
  }

  private static void writeDropped(Event.ReplicasDropped e, EventBuffer out) {
    FieldCodec.writeKey(e.key(), out);
    out.putLongs(e.replicaIds());
    out.putByte(e.reason().code());
    out.putVarint(e.quarantineUntilMs());
    out.putBoolean(e.objectGone());
    out.putBoolean(e.pinSettled());
    out.putBoolean(e.writeFinished());
  }

  private static void writePin(Event.SoftPinChanged e, EventBuffer out) {
    FieldCodec.writeKey(e.key(), out);
    out.putOptional(e.pinDeadlineMs());
    out.putByte(e.reason().code());
  }

  private static void writeMounted(Event.SegmentMounted e, EventBuffer out) {
    out.putInt(e.segmentNumber());
    FieldCodec.writeSegment(e.segment(), out);
    out.putUuid(e.clientId());
  }
}
