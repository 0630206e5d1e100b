package io.tidemark.core.object;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.core.table.ObjectCursor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides PutStart and UpsertStart of one key (objects specification, sections 6.3 and 7; COR-11).
 * Pure: the events say what happens.
 *
 * <p>Where Mooncake gives the old object up before it knows that the new one fits, this allocates
 * first and keeps the old one when memory is short (defect U4).
 */
final class WriteStartDecider {

  private WriteStartDecider() {}

  /** PutStart of a key whose record is {@code object}, null if there is none. */
  static StartOutcome put(ObjectContext context, WriteItem item, ObjectCursor object) {
    if (object == null) {
      return allocate(context, item, WriteAllocation.Inherited.NOTHING, List.of());
    }
    if (!context.rules().isPresent(object)) {
      return allocate(
          context, item, WriteAllocation.Inherited.NOTHING, List.of(dropStale(context, object)));
    }
    if (context.rules().hasComplete(object)) {
      return StartOutcome.refuse(ErrorCode.OBJECT_ALREADY_EXISTS);
    }
    if (mayRestart(context, item, object)) {
      return restart(context, item, object, WriteAllocation.Inherited.NOTHING);
    }
    if (object.startMs() + context.config().discardTimeoutMs() >= context.nowMs()) {
      return StartOutcome.refuse(ErrorCode.OBJECT_ALREADY_EXISTS);
    }
    long releaseMs = object.startMs() + context.config().releaseTimeoutMs();
    long quarantineUntilMs = Math.max(context.writerQuarantineUntilMs(), releaseMs);
    Event dropped = dropAll(object, Reason.WRITE_ABANDONED, quarantineUntilMs);
    return allocate(context, item, WriteAllocation.Inherited.NOTHING, List.of(dropped));
  }

  /** UpsertStart of a key whose record is {@code object}, null if there is none. */
  static StartOutcome upsert(ObjectContext context, WriteItem item, ObjectCursor object) {
    if (object == null) {
      return allocate(context, item, WriteAllocation.Inherited.NOTHING, List.of());
    }
    if (!context.rules().isPresent(object)) {
      return allocate(
          context, item, WriteAllocation.Inherited.NOTHING, List.of(dropStale(context, object)));
    }
    if (item.groupId().isPresent() && !item.groupId().get().equals(groupIdOf(context, object))) {
      return StartOutcome.refuse(ErrorCode.INVALID_PARAMS);
    }
    if (!context.rules().hasComplete(object)) {
      return preempt(context, item, object);
    }
    return overwrite(context, item, object);
  }

  // ---- unfinished writes

  /**
   * COR-11: the writer's first answer may be lost with the term or the connection that carried it.
   */
  private static boolean mayRestart(ObjectContext context, WriteItem item, ObjectCursor object) {
    PendingWrite write = context.state().writes().get(item.scopedKey());
    return write != null
        && object.isOwnedBy(item.clientId())
        && (write.epoch() < context.epoch() || write.connectionId() == 0);
  }

  private static StartOutcome restart(
      ObjectContext context,
      WriteItem item,
      ObjectCursor object,
      WriteAllocation.Inherited inherited) {
    if (hasShapeOf(context, item, object)) {
      SoftPinAction action = SoftPinAction.of(item.config().softPinAction()).orElseThrow();
      long ttlMs = WriteStartRules.softPinTtlMs(context.config(), item.config()).orElseThrow();
      return StartOutcome.of(new Event.WriteResumed(item.key(), action, ttlMs));
    }
    Event dropped = dropAll(object, Reason.WRITE_RESTARTED, context.writerQuarantineUntilMs());
    return allocate(context, item, inherited, List.of(dropped));
  }

  private static boolean hasShapeOf(ObjectContext context, WriteItem item, ObjectCursor object) {
    int memoryReplicas = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!context.rules().isValid(object, i)) {
        return false;
      }
      if (object.replicaKind(i) == ReplicaType.MEMORY) {
        memoryReplicas++;
      }
    }
    return object.sizeBytes() == item.lengthBytes() && memoryReplicas == item.config().replicaNum();
  }

  /** An upsert takes an unfinished write over, whatever its age and owner. */
  private static StartOutcome preempt(ObjectContext context, WriteItem item, ObjectCursor object) {
    WriteAllocation.Inherited inherited =
        new WriteAllocation.Inherited(false, livePin(context, object), Optional.empty());
    if (mayRestart(context, item, object)) {
      return restart(context, item, object, inherited);
    }
    Event dropped = dropAll(object, Reason.WRITE_PREEMPTED, context.writerQuarantineUntilMs());
    return allocate(context, item, inherited, List.of(dropped));
  }

  // ---- complete objects

  private static StartOutcome overwrite(
      ObjectContext context, WriteItem item, ObjectCursor object) {
    List<Event> before = new ArrayList<>();
    dropUnfinishedAndStale(context, object, before);
    boolean sameSize = object.sizeBytes() == item.lengthBytes();
    if (context.isLeased(object)) {
      if (hasDisk(object)) {
        return StartOutcome.refuse(ErrorCode.OBJECT_HAS_LEASE);
      }
    } else if (sameSize && isWritableInPlace(context, object)) {
      SoftPinAction action = SoftPinAction.of(item.config().softPinAction()).orElseThrow();
      long ttlMs = WriteStartRules.softPinTtlMs(context.config(), item.config()).orElseThrow();
      before.add(new Event.WriteReopened(item.key(), item.clientId(), action, ttlMs));
      return new StartOutcome(0, before, false, false);
    }
    return reallocate(context, item, object, before);
  }

  private static StartOutcome reallocate(
      ObjectContext context, WriteItem item, ObjectCursor object, List<Event> before) {
    WriteAllocation.Inherited inherited =
        new WriteAllocation.Inherited(
            object.isHardPinned(),
            livePin(context, object),
            Optional.of(groupIdOf(context, object)));
    long releaseMs = context.nowMs() + context.config().releaseTimeoutMs();
    long nobodyThereMs =
        Math.max(
            releaseMs, Math.max(context.leaseUntilMs(object), context.lateWriterUntilMs(object)));
    long[] kept = idsExcept(object, before);
    before.add(
        new Event.ReplicasDropped(
            item.key(), kept, Reason.UPSERTED, nobodyThereMs, true, true, true));
    return allocate(context, item, inherited, before);
  }

  /**
   * An unfinished write beside complete replicas is pre-empted; replicas of departed segments are
   * dropped.
   */
  private static void dropUnfinishedAndStale(
      ObjectContext context, ObjectCursor object, List<Event> out) {
    long[] unfinished = new long[object.replicaCount()];
    long[] stale = new long[object.replicaCount()];
    int unfinishedCount = 0;
    int staleCount = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!object.isComplete(i)) {
        unfinished[unfinishedCount++] = object.replicaId(i);
      } else if (!context.rules().isValid(object, i)) {
        stale[staleCount++] = object.replicaId(i);
      }
    }
    if (unfinishedCount > 0) {
      long[] ids = Arrays.copyOf(unfinished, unfinishedCount);
      long untilMs = context.writerQuarantineUntilMs();
      out.add(
          new Event.ReplicasDropped(
              object.objectKey(), ids, Reason.WRITE_PREEMPTED, untilMs, false, true, true));
    }
    if (staleCount > 0) {
      long[] ids = Arrays.copyOf(stale, staleCount);
      out.add(
          new Event.ReplicasDropped(
              object.objectKey(), ids, Reason.SEGMENT_UNMOUNTED, 0, false, false, false));
    }
  }

  private static long[] idsExcept(ObjectCursor object, List<Event> dropped) {
    List<Long> ids = new ArrayList<>();
    for (int i = 0; i < object.replicaCount(); i++) {
      ids.add(object.replicaId(i));
    }
    for (Event event : dropped) {
      for (long id : ((Event.ReplicasDropped) event).replicaIds()) {
        ids.remove(id);
      }
    }
    return ids.stream().mapToLong(Long::longValue).toArray();
  }

  private static boolean isWritableInPlace(ObjectContext context, ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (object.isComplete(i)
          && context.rules().isValid(object, i)
          && !context.rules().isReadable(object, i)) {
        return false;
      }
    }
    return true;
  }

  private static boolean hasDisk(ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (object.replicaKind(i) != ReplicaType.MEMORY) {
        return true;
      }
    }
    return false;
  }

  // ---- shared

  private static StartOutcome allocate(
      ObjectContext context,
      WriteItem item,
      WriteAllocation.Inherited inherited,
      List<Event> before) {
    Optional<Event.WriteStarted> started = WriteAllocation.allocate(context, item, inherited);
    if (started.isEmpty()) {
      return StartOutcome.noMemory();
    }
    List<Event> events = new ArrayList<>(before.size() + 1);
    events.addAll(before);
    events.add(started.get());
    boolean partial = started.get().replicas().size() != item.config().replicaNum();
    return new StartOutcome(0, events, false, partial);
  }

  private static Event dropStale(ObjectContext context, ObjectCursor object) {
    return dropAll(object, Reason.SEGMENT_UNMOUNTED, context.writerQuarantineUntilMs());
  }

  private static Event dropAll(ObjectCursor object, Reason reason, long quarantineUntilMs) {
    return new Event.ReplicasDropped(
        object.objectKey(), allIds(object), reason, quarantineUntilMs, true, true, true);
  }

  static long[] allIds(ObjectCursor object) {
    long[] ids = new long[object.replicaCount()];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = object.replicaId(i);
    }
    return ids;
  }

  private static OptionalLong livePin(ObjectContext context, ObjectCursor object) {
    return context.isSoftPinned(object)
        ? OptionalLong.of(object.pinDeadlineMs())
        : OptionalLong.empty();
  }

  private static String groupIdOf(ObjectContext context, ObjectCursor object) {
    Group group = context.state().groups().get(object.groupNumber());
    return group == null ? "" : group.name().key();
  }
}
