package io.tidemark.api.state;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.api.rpc.SoftPinAction;
import java.util.List;
import java.util.OptionalLong;

/**
 * A fact of the state. Order in a snapshot: facts, clients, segments, discards, objects, unfinished
 * writes; within a kind the order in which they came to be, objects excepted.
 */
public sealed interface StateRecord {

  /** Which record this is. */
  StateRecordType type();

  /**
   * What belongs to no table.
   *
   * @param lastReplicaId highest replica id ever used
   * @param epoch last epoch that started
   * @param maxLeaseTtlMs largest read-lease TTL that any term may have granted (COR-24)
   * @param lastLogTimeMs log time of the last applied entry
   * @param lastDiscardId highest id on the discard list ever used
   * @param lastSegmentNumber highest segment mount number ever used
   */
  record Facts(
      long lastReplicaId,
      long epoch,
      long maxLeaseTtlMs,
      long lastLogTimeMs,
      long lastDiscardId,
      int lastSegmentNumber)
      implements StateRecord {
    @Override
    public StateRecordType type() {
      return StateRecordType.FACTS;
    }
  }

  /** A client, its logged liveness, and what is known of it; unknown texts are empty. */
  record Client(Uuid clientId, ClientState state, String hostId, String release)
      implements StateRecord {
    @Override
    public StateRecordType type() {
      return StateRecordType.CLIENT;
    }
  }

  /** A mounted segment. */
  record Segment(
      int number,
      SegmentInfo info,
      Uuid clientId,
      SegmentStatus status,
      long graceDeadlineMs,
      Reason unmountReason)
      implements StateRecord {
    @Override
    public StateRecordType type() {
      return StateRecordType.SEGMENT;
    }
  }

  /** A part of a mount that a discard entry keeps taken. */
  record Claim(int segmentNumber, long offsetBytes, long blockBytes, long objectBytes) {}

  /** A range on the discard list. */
  record Discard(
      long id, String endpoint, long address, long blockBytes, long deadlineMs, List<Claim> claims)
      implements StateRecord {
    @Override
    public StateRecordType type() {
      return StateRecordType.DISCARD;
    }
  }

  /**
   * A replica of an object; {@code kind} is a number of ReplicaType, {@code status} one of
   * ReplicaStatus.
   */
  record Replica(
      long id, int kind, int segmentNumber, long offsetBytes, long blockBytes, int status) {}

  /**
   * An object.
   *
   * @param lastIndex log index of the last event that changed it
   * @param leaseUntilMs soft state: keeps the order of eviction roughly; not part of the digest
   * @param pinDeadlineMs committed soft pin, 0 for none
   */
  record StoredObject(
      ObjectKey key,
      Uuid clientId,
      long sizeBytes,
      long startMs,
      long lastIndex,
      long leaseUntilMs,
      OptionalLong checksum,
      long pinDeadlineMs,
      String groupId,
      boolean hardPin,
      boolean writing,
      boolean reissued,
      int dataType,
      List<Replica> replicas)
      implements StateRecord {
    @Override
    public StateRecordType type() {
      return StateRecordType.OBJECT;
    }
  }

  /** What is known of an unfinished write beyond its object. */
  record Write(
      ObjectKey key,
      long epoch,
      long startMs,
      SoftPinAction softPin,
      long softPinTtlMs,
      boolean pinSettled,
      long[] pinEligibleIds)
      implements StateRecord {
    @Override
    public StateRecordType type() {
      return StateRecordType.WRITE;
    }
  }
}
