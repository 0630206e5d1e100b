package io.tidemark.api.state;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.FieldCodec;
import io.tidemark.api.event.Reason;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * Binary form of state records: type byte, version byte, fields in declaration order; as events.
 */
public final class StateRecordCodec {
  private static final int FLAG_HARD_PIN = 1;
  private static final int FLAG_WRITING = 2;
  private static final int FLAG_REISSUED = 4;

  private StateRecordCodec() {}

  /** Appends one record. */
  public static void write(StateRecord record, EventBuffer out) {
    out.putByte(record.type().code());
    out.putByte(record.type().version());
    switch (record.type()) {
      case FACTS -> writeFacts((StateRecord.Facts) record, out);
      case CLIENT -> {
        StateRecord.Client r = (StateRecord.Client) record;
        out.putUuid(r.clientId());
        out.putByte(r.state().code());
        out.putText(r.hostId());
        out.putText(r.release());
      }
      case SEGMENT -> writeSegment((StateRecord.Segment) record, out);
      case DISCARD -> writeDiscard((StateRecord.Discard) record, out);
      case OBJECT -> {
        StateRecord.StoredObject r = (StateRecord.StoredObject) record;
        writeFields(new RecordView(r), r.groupId(), out);
      }
      case WRITE -> writeWrite((StateRecord.Write) record, out);
    }
  }

  /**
   * Appends the record of an object.
   *
   * @param groupId empty for none
   */
  public static void writeObject(ObjectView object, String groupId, EventBuffer out) {
    out.putByte(StateRecordType.OBJECT.code());
    out.putByte(StateRecordType.OBJECT.version());
    writeFields(object, groupId, out);
  }

  /**
   * Reads one record without keeping it; makes no garbage of an object.
   *
   * @return what it is
   * @throws UnknownEventException as {@link #read}
   * @throws IllegalStateException as {@link #read}
   */
  public static StateRecordType check(EventBuffer in) {
    int start = in.position();
    StateRecordType type = typeOf(in);
    if (type == StateRecordType.OBJECT) {
      checkObject(in);
    } else {
      in.truncate(start);
      read(in);
    }
    return type;
  }

  /**
   * Reads one record.
   *
   * @throws UnknownEventException if this version does not know its type or layout
   * @throws IllegalStateException if the bytes end early or make no sense
   */
  public static StateRecord read(EventBuffer in) {
    StateRecordType type = typeOf(in);
    return switch (type) {
      case FACTS ->
          new StateRecord.Facts(
              in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getInt());
      case CLIENT ->
          new StateRecord.Client(
              in.getUuid(), ClientState.of(in.getByte()), in.getText(), in.getText());
      case SEGMENT -> readSegment(in);
      case DISCARD -> readDiscard(in);
      case OBJECT -> readObject(in);
      case WRITE ->
          new StateRecord.Write(
              FieldCodec.readKey(in),
              in.getLong(),
              in.getLong(),
              FieldCodec.readAction(in),
              in.getLong(),
              in.getBoolean(),
              in.getLongs());
    };
  }

  private static StateRecordType typeOf(EventBuffer in) {
    StateRecordType type = StateRecordType.of(in.getByte());
    int version = in.getByte();
    if (version != type.version()) {
      throw new UnknownEventException("unknown version " + version + " of state record " + type);
    }
    return type;
  }

  private static void writeFacts(StateRecord.Facts r, EventBuffer out) {
    out.putLong(r.lastReplicaId());
    out.putLong(r.epoch());
    out.putLong(r.maxLeaseTtlMs());
    out.putLong(r.lastLogTimeMs());
    out.putLong(r.lastDiscardId());
    out.putInt(r.lastSegmentNumber());
  }

  private static void writeSegment(StateRecord.Segment r, EventBuffer out) {
    out.putInt(r.number());
    FieldCodec.writeSegment(r.info(), out);
    out.putUuid(r.clientId());
    out.putByte(r.status().code());
    out.putLong(r.graceDeadlineMs());
    out.putByte(r.unmountReason().code());
  }

  private static StateRecord readSegment(EventBuffer in) {
    int number = in.getInt();
    SegmentInfo info = FieldCodec.readSegment(in);
    Uuid client = in.getUuid();
    int status = in.getByte();
    if (status >= SegmentStatus.values().length) {
      throw new IllegalStateException("unknown segment status " + status + " in a state record");
    }
    return new StateRecord.Segment(
        number,
        info,
        client,
        SegmentStatus.values()[status],
        in.getLong(),
        Reason.of(in.getByte()));
  }

  private static void writeDiscard(StateRecord.Discard r, EventBuffer out) {
    out.putVarint(r.id());
    out.putText(r.endpoint());
    out.putLong(r.address());
    out.putVarint(r.blockBytes());
    out.putVarint(r.deadlineMs());
    out.putVarint(r.claims().size());
    for (StateRecord.Claim claim : r.claims()) {
      out.putVarint(claim.segmentNumber());
      out.putVarint(claim.offsetBytes());
      out.putVarint(claim.blockBytes());
      out.putVarint(claim.objectBytes());
    }
  }

  private static StateRecord readDiscard(EventBuffer in) {
    long id = in.getVarint();
    String endpoint = in.getText();
    long address = in.getLong();
    long block = in.getVarint();
    long deadline = in.getVarint();
    int count = in.getCount(4);
    List<StateRecord.Claim> claims = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      claims.add(
          new StateRecord.Claim(
              (int) in.getVarint(), in.getVarint(), in.getVarint(), in.getVarint()));
    }
    return new StateRecord.Discard(id, endpoint, address, block, deadline, claims);
  }

  private static void writeFields(ObjectView o, String groupId, EventBuffer out) {
    o.writeKey(out);
    out.putUuid(o.clientId());
    out.putVarint(o.sizeBytes());
    out.putVarint(o.startMs());
    out.putVarint(o.lastIndex());
    out.putVarint(o.leaseUntilMs());
    out.putBoolean(o.hasChecksum());
    if (o.hasChecksum()) {
      out.putLong(o.checksum());
    }
    out.putVarint(o.pinDeadlineMs());
    out.putText(groupId);
    int flags =
        (o.isHardPinned() ? FLAG_HARD_PIN : 0)
            | (o.isWriting() ? FLAG_WRITING : 0)
            | (o.isReissued() ? FLAG_REISSUED : 0);
    out.putByte(flags);
    out.putByte(o.dataType());
    int replicas = o.replicaCount();
    out.putVarint(replicas);
    for (int i = 0; i < replicas; i++) {
      out.putVarint(o.replicaId(i));
      out.putByte(o.replicaKind(i));
      out.putVarint(o.replicaSegment(i));
      out.putVarint(o.replicaOffset(i));
      out.putVarint(o.replicaBlock(i));
      out.putByte(o.replicaStatus(i));
    }
  }

  /** Goes over what {@link #readObject} would read, with the same demands. */
  private static void checkObject(EventBuffer in) {
    in.skip(in.getCount(1)); // tenant
    in.skip(in.getCount(1)); // key
    in.skip(2 * Long.BYTES); // client
    for (int i = 0; i < 4; i++) {
      in.getVarint(); // size, start, last index, lease
    }
    if (in.getBoolean()) {
      in.skip(Long.BYTES); // checksum
    }
    in.getVarint(); // pin
    in.skip(in.getCount(1)); // group
    in.skip(2); // flags, data type
    int count = in.getCount(6);
    for (int i = 0; i < count; i++) {
      in.getVarint();
      in.skip(1);
      in.getVarint();
      in.getVarint();
      in.getVarint();
      in.skip(1);
    }
  }

  private static StateRecord readObject(EventBuffer in) {
    ObjectKey key = FieldCodec.readKey(in);
    Uuid client = in.getUuid();
    long size = in.getVarint();
    long start = in.getVarint();
    long lastIndex = in.getVarint();
    long lease = in.getVarint();
    OptionalLong checksum = in.getOptional();
    long pin = in.getVarint();
    String group = in.getText();
    int flags = in.getByte();
    int dataType = in.getByte();
    int count = in.getCount(6);
    List<StateRecord.Replica> replicas = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      replicas.add(
          new StateRecord.Replica(
              in.getVarint(),
              in.getByte(),
              (int) in.getVarint(),
              in.getVarint(),
              in.getVarint(),
              in.getByte()));
    }
    return new StateRecord.StoredObject(
        key,
        client,
        size,
        start,
        lastIndex,
        lease,
        checksum,
        pin,
        group,
        (flags & FLAG_HARD_PIN) != 0,
        (flags & FLAG_WRITING) != 0,
        (flags & FLAG_REISSUED) != 0,
        dataType,
        replicas);
  }

  private static void writeWrite(StateRecord.Write r, EventBuffer out) {
    FieldCodec.writeKey(r.key(), out);
    out.putLong(r.epoch());
    out.putLong(r.startMs());
    out.putByte(r.softPin().ordinal());
    out.putLong(r.softPinTtlMs());
    out.putBoolean(r.pinSettled());
    out.putLongs(r.pinEligibleIds());
  }
}
