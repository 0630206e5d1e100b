package io.tidemark.api.event;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SoftPinAction;
import java.util.List;
import java.util.OptionalLong;

/**
 * A fact that the leader decided.
 *
 * <p>All times are log time in ms (COR-25). Replica ids, segment numbers and discard ids are
 * assigned by the decider and never reused.
 */
public sealed interface Event {

  /** Which record this is. */
  EventType type();

  /** An event about one object. */
  sealed interface ObjectEvent extends Event {
    ObjectKey key();
  }

  /**
   * One memory replica as placed.
   *
   * @param segmentNumber internal number of the segment mount that issued the range
   * @param offsetBytes from the segment's base
   * @param blockBytes what is taken from the segment's pool, at least the object's size
   */
  record PlacedReplica(long replicaId, int segmentNumber, long offsetBytes, long blockBytes) {}

  // ---- objects

  /**
   * A put or an allocating upsert began: space is reserved, the object is not readable.
   *
   * @param softPin pending action, committed by the first End
   * @param softPinTtlMs resolved TTL of ENABLE, else 0
   * @param inheritedPinDeadlineMs committed soft-pin deadline carried over from a replaced object
   * @param groupId empty for ungrouped
   * @param diskReplicaId id of the DISK replica, 0 if there is none
   * @param diskPath its file, empty if there is none
   */
  record WriteStarted(
      ObjectKey key,
      Uuid clientId,
      long sizeBytes,
      List<PlacedReplica> replicas,
      long diskReplicaId,
      String diskPath,
      boolean hardPin,
      int dataType,
      String groupId,
      SoftPinAction softPin,
      long softPinTtlMs,
      OptionalLong inheritedPinDeadlineMs)
      implements ObjectEvent {
    @Override
    public EventType type() {
      return EventType.WRITE_STARTED;
    }
  }

  /**
   * The same writer asked again for an unfinished write and got the same ranges and a fresh start
   * time (COR-11).
   */
  record WriteResumed(ObjectKey key, SoftPinAction softPin, long softPinTtlMs)
      implements ObjectEvent {
    @Override
    public EventType type() {
      return EventType.WRITE_RESUMED;
    }
  }

  /** An upsert of the same size reopened the object's own ranges for writing. */
  record WriteReopened(ObjectKey key, Uuid clientId, SoftPinAction softPin, long softPinTtlMs)
      implements ObjectEvent {
    @Override
    public EventType type() {
      return EventType.WRITE_REOPENED;
    }
  }

  /**
   * Replicas became readable.
   *
   * @param replicaIds those that turned COMPLETE; may be empty when only the checksum changed
   * @param setChecksum whether {@code checksum} replaces the object's, also by absence
   * @param pinDeadlineMs the soft-pin deadline after this event; empty for unpinned
   * @param writeFinished whether no replica of the write is left PROCESSING
   */
  record ReplicasCompleted(
      ObjectKey key,
      long[] replicaIds,
      boolean setChecksum,
      OptionalLong checksum,
      OptionalLong pinDeadlineMs,
      boolean pinSettled,
      boolean writeFinished)
      implements ObjectEvent {
    @Override
    public EventType type() {
      return EventType.REPLICAS_COMPLETED;
    }
  }

  /**
   * Replicas left the object; the object is gone when none is left.
   *
   * @param replicaIds those that left
   * @param quarantineUntilMs 0: their ranges are free at once; else they are on the discard list
   *     until then (COR-09)
   * @param objectGone whether the object was erased with them
   * @param pinSettled whether a pending soft pin was dropped without effect
   * @param writeFinished whether the object, if it is still there, has no unfinished write any more
   */
  record ReplicasDropped(
      ObjectKey key,
      long[] replicaIds,
      Reason reason,
      long quarantineUntilMs,
      boolean objectGone,
      boolean pinSettled,
      boolean writeFinished)
      implements ObjectEvent {
    @Override
    public EventType type() {
      return EventType.REPLICAS_DROPPED;
    }
  }

  /** A committed soft pin was set or cleared outside a write (expiry, admin). */
  record SoftPinChanged(ObjectKey key, OptionalLong pinDeadlineMs, Reason reason)
      implements ObjectEvent {
    @Override
    public EventType type() {
      return EventType.SOFT_PIN_CHANGED;
    }
  }

  /** Ranges left the discard list and are free. */
  record DiscardReleased(long[] discardIds) implements Event {
    @Override
    public EventType type() {
      return EventType.DISCARD_RELEASED;
    }
  }

  // ---- segments and clients

  /** A client lends a range of memory. {@code segmentNumber} names this mount for ever. */
  record SegmentMounted(int segmentNumber, SegmentInfo segment, Uuid clientId) implements Event {
    @Override
    public EventType type() {
      return EventType.SEGMENT_MOUNTED;
    }
  }

  /** No new allocations; unmounted at the deadline. */
  record SegmentGraceStarted(int segmentNumber, long deadlineMs) implements Event {
    @Override
    public EventType type() {
      return EventType.SEGMENT_GRACE_STARTED;
    }
  }

  /**
   * Its replicas are unreadable from here on and its memory is not the store's any more; a sweep
   * drops them.
   */
  record SegmentUnmounting(int segmentNumber, Reason reason) implements Event {
    @Override
    public EventType type() {
      return EventType.SEGMENT_UNMOUNTING;
    }
  }

  /** The sweep is done; the mount is forgotten. */
  record SegmentUnmounted(int segmentNumber) implements Event {
    @Override
    public EventType type() {
      return EventType.SEGMENT_UNMOUNTED;
    }
  }

  /** A client's liveness changed. */
  record ClientChanged(Uuid clientId, ClientState state, Reason reason) implements Event {
    @Override
    public EventType type() {
      return EventType.CLIENT_CHANGED;
    }
  }

  /** The host of a client became known or changed. */
  record HostIdLearned(Uuid clientId, String hostId) implements Event {
    @Override
    public EventType type() {
      return EventType.HOST_ID_LEARNED;
    }
  }

  /**
   * The release of a client became known from what it sends. A client that only reads after a
   * restart shows too little to be answered in its own form (coro-rpc wire, section 8.2).
   *
   * @param release label of the newest release that takes the same answers
   */
  record ClientReleaseLearned(Uuid clientId, String release) implements Event {
    @Override
    public EventType type() {
      return EventType.CLIENT_RELEASE_LEARNED;
    }
  }

  // ---- the log itself

  /**
   * A leadership term began.
   *
   * @param nodeId who leads
   * @param leaseTtlMs largest read-lease TTL granted without a further event in this term (COR-24)
   * @param forced whether an operator started it on a possibly incomplete log (COR-20)
   */
  record EpochStarted(long epoch, Uuid nodeId, long leaseTtlMs, boolean forced) implements Event {
    @Override
    public EventType type() {
      return EventType.EPOCH_STARTED;
    }
  }

  /** Time passed while deadlines were pending (COR-25). */
  record Tick() implements Event {
    @Override
    public EventType type() {
      return EventType.TICK;
    }
  }

  /** Digest of the logical state after everything before this event (COR-28). */
  record StateDigest(long digest, long objectCount) implements Event {
    @Override
    public EventType type() {
      return EventType.STATE_DIGEST;
    }
  }
}
