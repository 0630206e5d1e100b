package io.tidemark.core.object;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.Arrays;
import java.util.Optional;

/** Decides everything that takes complete replicas away from one object. */
final class RemoveDecider {

  /** Code of the call and what happens. */
  record Outcome(int code, Optional<Event> event) {
    static Outcome refuse(ErrorCode code) {
      return new Outcome(code.value(), Optional.empty());
    }

    static Outcome of(Event event) {
      return new Outcome(0, Optional.of(event));
    }
  }

  private RemoveDecider() {}

  /** Remove and its relatives (objects specification, section 8.1). */
  static Outcome remove(
      ObjectContext context, ScopedKey key, boolean force, Reason reason, ObjectCursor object) {
    if (object == null || !context.rules().isPresent(object)) {
      return Outcome.refuse(ErrorCode.OBJECT_NOT_FOUND);
    }
    boolean leased = context.isLeased(object);
    if (leased && !force) {
      return Outcome.refuse(ErrorCode.OBJECT_HAS_LEASE);
    }
    if (!context.rules().isAllComplete(object)) {
      return Outcome.refuse(ErrorCode.REPLICA_IS_NOT_READY);
    }
    Reason logged = leased && reason == Reason.REMOVED ? Reason.REMOVED_FORCED : reason;
    long readersGoneMs = leased ? context.leaseUntilMs(object) : 0;
    long quarantineUntilMs = Math.max(readersGoneMs, context.lateWriterUntilMs(object));
    return Outcome.of(dropAll(key, object, logged, quarantineUntilMs));
  }

  /**
   * BatchReplicaClear of one key (objects specification, section 8.6).
   *
   * @param segmentName empty for the whole object
   * @return empty if the key is skipped
   */
  static Optional<Event> clear(
      ObjectContext context,
      ScopedKey key,
      Uuid clientId,
      String segmentName,
      ObjectCursor object) {
    boolean skip =
        object == null
            || !context.rules().isPresent(object)
            || !object.isOwnedBy(clientId)
            || context.isLeased(object);
    if (skip) {
      return Optional.empty();
    }
    if (segmentName.isEmpty()) {
      return context.rules().isAllComplete(object)
          ? Optional.of(dropAll(key, object, Reason.CLEARED, context.lateWriterUntilMs(object)))
          : Optional.empty();
    }
    long[] ids = new long[object.replicaCount()];
    int count = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      MountedSegment segment = context.state().segments().get(object.replicaSegment(i));
      boolean there =
          object.replicaKind(i) == ReplicaType.MEMORY
              && object.isComplete(i)
              && segment != null
              && segment.info().name().equals(segmentName);
      if (there) {
        ids[count++] = object.replicaId(i);
      }
    }
    return count == 0
        ? Optional.empty()
        : Optional.of(drop(context, key, object, Arrays.copyOf(ids, count), Reason.CLEARED));
  }

  /** Eviction of one object's memory; empty if it does not qualify any more. */
  static Optional<Event> evict(
      ObjectContext context,
      ScopedKey key,
      boolean softPinnedToo,
      Reason reason,
      ObjectCursor object) {
    boolean safe =
        object == null
            || object.isHardPinned()
            || context.isLeased(object)
            || !softPinnedToo && context.isSoftPinned(object);
    if (safe) {
      return Optional.empty();
    }
    long[] ids = new long[object.replicaCount()];
    int count = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (object.replicaKind(i) == ReplicaType.MEMORY && context.rules().isReadable(object, i)) {
        ids[count++] = object.replicaId(i);
      }
    }
    return count == 0
        ? Optional.empty()
        : Optional.of(drop(context, key, object, Arrays.copyOf(ids, count), reason));
  }

  /** Drops replicas whose segment has departed; empty if there are none. */
  static Optional<Event> sweep(ObjectContext context, ScopedKey key, ObjectCursor object) {
    long[] ids = new long[object.replicaCount()];
    int count = 0;
    Reason reason = Reason.SEGMENT_UNMOUNTED;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!context.rules().isValid(object, i)) {
        ids[count++] = object.replicaId(i);
        MountedSegment segment = context.state().segments().get(object.replicaSegment(i));
        reason = segment == null ? reason : segment.unmountReason();
      }
    }
    return count == 0
        ? Optional.empty()
        : Optional.of(drop(context, key, object, Arrays.copyOf(ids, count), reason));
  }

  private static Event dropAll(
      ScopedKey key, ObjectCursor object, Reason reason, long quarantineUntilMs) {
    return new Event.ReplicasDropped(
        key.toObjectKey(),
        WriteStartDecider.allIds(object),
        reason,
        quarantineUntilMs,
        true,
        true,
        true);
  }

  private static Event drop(
      ObjectContext context, ScopedKey key, ObjectCursor object, long[] ids, Reason reason) {
    boolean anyLeft = false;
    boolean unfinishedLeft = false;
    for (int i = 0; i < object.replicaCount(); i++) {
      long id = object.replicaId(i);
      boolean stays =
          Arrays.stream(ids).noneMatch(dropped -> dropped == id)
              && context.rules().isValid(object, i);
      anyLeft |= stays;
      unfinishedLeft |= stays && !object.isComplete(i);
    }
    long[] dropped = anyLeft ? ids : WriteStartDecider.allIds(object);
    return new Event.ReplicasDropped(
        key.toObjectKey(),
        dropped,
        reason,
        context.lateWriterUntilMs(object),
        !anyLeft,
        !unfinishedLeft,
        !unfinishedLeft);
  }
}
