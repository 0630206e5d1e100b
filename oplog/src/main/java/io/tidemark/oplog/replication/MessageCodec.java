package io.tidemark.oplog.replication;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogPosition;
import io.tidemark.oplog.replication.Message.Shipped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Binary form of messages: type byte, version byte, fields in declaration order, little-endian;
 * counts as LEB128, texts in UTF-8, records as they are stored. Golden bytes in the tests hold it
 * fixed. Any thread.
 */
public final class MessageCodec {
  private static final int VERSION = 1;
  private static final int POSITION_BYTES = 24;

  /** Type bytes; never reused. */
  private static final int HELLO = 1;

  private static final int PROBE = 2;
  private static final int PROBE_ANSWER = 3;
  private static final int TRUNCATE = 4;
  private static final int APPEND = 5;
  private static final int HEARTBEAT = 6;
  private static final int ACKNOWLEDGE = 7;
  private static final int REFUSE = 8;
  private static final int DIGEST_MISMATCH = 9;
  private static final int CLOSE = 10;
  private static final int SNAPSHOT_PART = 11;
  private static final int SNAPSHOT_RECEIVED = 12;

  private MessageCodec() {}

  /** Bytes of a message. */
  public static byte[] write(Message message) {
    EventBuffer out = new EventBuffer(128);
    if (message instanceof Message.ToLeader toLeader) {
      writeToLeader(toLeader, out);
    } else {
      writeToStandby((Message.ToStandby) message, out);
    }
    return Arrays.copyOf(out.array(), out.position());
  }

  private static void begin(EventBuffer out, int type, Message message) {
    out.putByte(type);
    out.putByte(VERSION);
    out.putLong(message.epoch());
  }

  private static void writeToLeader(Message.ToLeader message, EventBuffer out) {
    if (message instanceof Message.Hello m) {
      begin(out, HELLO, m);
      out.putInt(m.format());
      put(m.cluster(), out);
      put(m.member().node(), out);
      put(m.member().incarnation(), out);
      put(m.end(), out);
      put(m.base(), out);
      out.putLong(m.knownCommit());
    } else if (message instanceof Message.ProbeAnswer m) {
      begin(out, PROBE_ANSWER, m);
      out.putOptional(m.highestMatch());
      out.putOptional(m.lowestMismatch());
    } else if (message instanceof Message.Acknowledge m) {
      begin(out, ACKNOWLEDGE, m);
      out.putLong(m.receivedIndex());
      out.putLong(m.durableIndex());
      out.putLong(m.appliedIndex());
    } else if (message instanceof Message.SnapshotReceived m) {
      begin(out, SNAPSHOT_RECEIVED, m);
      out.putLong(m.bytes());
    } else if (message instanceof Message.Refuse m) {
      begin(out, REFUSE, m);
      out.putLong(m.highestAcceptedEpoch());
      out.putByte(m.reason().ordinal());
      put(m.detail(), out);
    } else if (message instanceof Message.DigestMismatch m) {
      begin(out, DIGEST_MISMATCH, m);
      out.putLong(m.index());
      out.putLong(m.ownDigest());
      out.putLong(m.leaderDigest());
    }
  }

  private static void writeToStandby(Message.ToStandby message, EventBuffer out) {
    if (message instanceof Message.Probe m) {
      begin(out, PROBE, m);
      out.putVarint(m.positions().size());
      m.positions().forEach(position -> put(position, out));
    } else if (message instanceof Message.Truncate m) {
      begin(out, TRUNCATE, m);
      put(m.keep(), out);
      out.putBoolean(m.forcedBranch());
    } else if (message instanceof Message.Append m) {
      begin(out, APPEND, m);
      put(m.previous(), out);
      out.putLong(m.commitIndex());
      out.putVarint(m.records().size());
      for (Shipped shipped : m.records()) {
        out.putBoolean(shipped.batchEnd());
        out.putBytes(shipped.record());
      }
    } else if (message instanceof Message.SnapshotPart m) {
      begin(out, SNAPSHOT_PART, m);
      put(m.position(), out);
      out.putLong(m.totalBytes());
      out.putLong(m.offset());
      out.putBytes(m.bytes());
    } else if (message instanceof Message.Heartbeat m) {
      begin(out, HEARTBEAT, m);
      out.putLong(m.commitIndex());
      out.putLong(m.leaderLogTimeMs());
    } else if (message instanceof Message.Close m) {
      begin(out, CLOSE, m);
      out.putByte(m.reason().ordinal());
      put(m.detail(), out);
    }
  }

  /**
   * The message in these bytes.
   *
   * @throws MalformedMessageException if it is none, or of a version that is not known
   */
  public static Message read(byte[] bytes) {
    try {
      EventBuffer in = EventBuffer.reading(bytes, 0, bytes.length);
      int type = in.getByte();
      int version = in.getByte();
      if (version != VERSION) {
        throw new IllegalStateException("message type " + type + " of version " + version);
      }
      Message message = body(type, in.getLong(), in);
      if (in.hasRemaining()) {
        throw new IllegalStateException("bytes behind a message of type " + type);
      }
      return message;
    } catch (IllegalStateException | IndexOutOfBoundsException malformed) {
      throw new MalformedMessageException(
          "no message of replication format " + Message.FORMAT + ": " + malformed.getMessage(),
          malformed);
    }
  }

  private static Message body(int type, long epoch, EventBuffer in) {
    return switch (type) {
      case HELLO ->
          new Message.Hello(
              in.getInt(),
              uuid(in),
              new Member(uuid(in), uuid(in)),
              epoch,
              position(in),
              position(in),
              in.getLong());
      case PROBE -> new Message.Probe(epoch, positions(in));
      case PROBE_ANSWER -> new Message.ProbeAnswer(epoch, optional(in), optional(in));
      case TRUNCATE -> new Message.Truncate(epoch, position(in), in.getBoolean());
      case APPEND -> new Message.Append(epoch, position(in), in.getLong(), records(in));
      case HEARTBEAT -> new Message.Heartbeat(epoch, in.getLong(), in.getLong());
      case ACKNOWLEDGE -> new Message.Acknowledge(epoch, in.getLong(), in.getLong(), in.getLong());
      case REFUSE ->
          new Message.Refuse(epoch, in.getLong(), Message.Refusal.values()[in.getByte()], text(in));
      case DIGEST_MISMATCH ->
          new Message.DigestMismatch(epoch, in.getLong(), in.getLong(), in.getLong());
      case CLOSE -> new Message.Close(epoch, Message.Closing.values()[in.getByte()], text(in));
      case SNAPSHOT_PART ->
          new Message.SnapshotPart(epoch, position(in), in.getLong(), in.getLong(), in.getBytes());
      case SNAPSHOT_RECEIVED -> new Message.SnapshotReceived(epoch, in.getLong());
      default -> throw new IllegalStateException("message type " + type);
    };
  }

  // ---- fields

  private static void put(UUID id, EventBuffer out) {
    out.putLong(id.getMostSignificantBits());
    out.putLong(id.getLeastSignificantBits());
  }

  private static UUID uuid(EventBuffer in) {
    return new UUID(in.getLong(), in.getLong());
  }

  private static void put(LogPosition position, EventBuffer out) {
    out.putLong(position.epoch());
    out.putLong(position.index());
    out.putLong(position.chainHash());
  }

  private static LogPosition position(EventBuffer in) {
    return new LogPosition(in.getLong(), in.getLong(), in.getLong());
  }

  private static List<LogPosition> positions(EventBuffer in) {
    int count = in.getCount(POSITION_BYTES);
    List<LogPosition> positions = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      positions.add(position(in));
    }
    return positions;
  }

  private static OptionalLong optional(EventBuffer in) {
    return in.getOptional();
  }

  private static void put(String text, EventBuffer out) {
    out.putBytes(text.getBytes(StandardCharsets.UTF_8));
  }

  private static String text(EventBuffer in) {
    return new String(in.getBytes(), StandardCharsets.UTF_8);
  }

  private static List<Shipped> records(EventBuffer in) {
    int count = in.getCount(2);
    List<Shipped> records = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      boolean batchEnd = in.getBoolean();
      records.add(new Shipped(in.getBytes(), batchEnd));
    }
    return records;
  }
}
