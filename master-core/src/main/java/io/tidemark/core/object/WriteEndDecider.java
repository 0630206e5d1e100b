package io.tidemark.core.object;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Decides PutEnd, PutRevoke and their upsert forms for one key (objects specification, sections
 * 6.5, 6.7, 10.3).
 *
 * <p>Replicas of departed segments are treated as if they were gone already; the sweep logs that.
 */
final class WriteEndDecider {

  /** A decision without further effects. */
  record Outcome(int code, Optional<Event> event) {
    static Outcome refuse(ErrorCode code) {
      return new Outcome(code.value(), Optional.empty());
    }

    static final Outcome NOTHING_TO_DO = new Outcome(0, Optional.empty());
  }

  /** Who ends or revokes which kind. */
  record Call(Uuid clientId, ScopedKey key, int replicaType, OptionalLong checksum) {}

  private WriteEndDecider() {}

  static Outcome end(ObjectContext context, Call call, ObjectCursor object) {
    if (object == null || !context.rules().isPresent(object)) {
      return Outcome.refuse(ErrorCode.OBJECT_NOT_FOUND);
    }
    if (!object.isOwnedBy(call.clientId())) {
      return Outcome.refuse(ErrorCode.ILLEGAL_CLIENT);
    }
    if (!object.isWriting()) {
      boolean repeated =
          anyTarget(context, call, object) && targetsAllComplete(context, call, object);
      return repeated ? Outcome.NOTHING_TO_DO : Outcome.refuse(ErrorCode.INVALID_WRITE);
    }
    return new Outcome(0, Optional.of(complete(context, call, object)));
  }

  private static Event complete(ObjectContext context, Call call, ObjectCursor object) {
    long[] completed = processingTargets(context, call, object);
    boolean hadComplete = context.rules().hasComplete(object);
    boolean finished = processingCount(context, object) == completed.length;
    PendingWrite write = context.state().writes().get(call.key());
    boolean settles =
        !hadComplete && write != null && !write.isPinSettled() && anyEligible(write, completed);
    OptionalLong pin = settles ? settledPin(context, write, object) : currentPin(object);
    boolean setChecksum =
        call.checksum().isPresent()
            || call.replicaType() == ReplicaType.ALL
            || call.replicaType() == ReplicaType.MEMORY
            || call.replicaType() == ReplicaType.NOF_SSD;
    return new Event.ReplicasCompleted(
        call.key().toObjectKey(), completed, setChecksum, call.checksum(), pin, settles, finished);
  }

  static Outcome revoke(ObjectContext context, Call call, ObjectCursor object) {
    if (object == null || !context.rules().isPresent(object)) {
      return Outcome.refuse(ErrorCode.OBJECT_NOT_FOUND);
    }
    if (!object.isOwnedBy(call.clientId())) {
      return Outcome.refuse(ErrorCode.ILLEGAL_CLIENT);
    }
    if (!object.isWriting()) {
      return Outcome.refuse(ErrorCode.INVALID_WRITE);
    }
    for (int i = 0; i < object.replicaCount(); i++) {
      if (isTarget(context, call, object, i) && object.isComplete(i)) {
        return Outcome.refuse(ErrorCode.INVALID_WRITE);
      }
    }
    long[] revoked = processingTargets(context, call, object);
    if (revoked.length == 0) {
      return Outcome.NOTHING_TO_DO;
    }
    return new Outcome(0, Optional.of(drop(context, call.key(), object, revoked, Reason.REVOKED)));
  }

  /** An unfinished write passed the release timeout: what it did not complete is given up. */
  static Optional<Event> expire(ObjectContext context, ScopedKey key, ObjectCursor object) {
    long[] ids = new long[object.replicaCount()];
    int count = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!object.isComplete(i)) {
        ids[count++] = object.replicaId(i);
      }
    }
    return Optional.of(drop(context, key, object, Arrays.copyOf(ids, count), Reason.WRITE_EXPIRED));
  }

  /**
   * Drops unfinished replicas; their writer may still be writing, so their ranges go into
   * quarantine.
   */
  static Event drop(
      ObjectContext context, ScopedKey key, ObjectCursor object, long[] ids, Reason reason) {
    boolean anyLeft = false;
    boolean unfinishedLeft = false;
    boolean eligibleLeft = false;
    PendingWrite write = context.state().writes().get(key);
    for (int i = 0; i < object.replicaCount(); i++) {
      if (contains(ids, object.replicaId(i))) {
        continue;
      }
      anyLeft |= context.rules().isValid(object, i);
      boolean processing = !object.isComplete(i) && context.rules().isValid(object, i);
      unfinishedLeft |= processing;
      eligibleLeft |= processing && write != null && write.isPinEligible(object.replicaId(i));
    }
    long[] dropped = anyLeft ? ids : WriteStartDecider.allIds(object);
    return new Event.ReplicasDropped(
        key.toObjectKey(),
        dropped,
        reason,
        context.writerQuarantineUntilMs(),
        !anyLeft,
        !eligibleLeft,
        !unfinishedLeft);
  }

  // ---- targets

  /** ALL selects memory (and the kinds this master has not), never DISK. */
  private static boolean isTarget(ObjectContext context, Call call, ObjectCursor object, int i) {
    int kind = object.replicaKind(i);
    boolean selected =
        call.replicaType() == ReplicaType.ALL
            ? kind == ReplicaType.MEMORY
            : kind == call.replicaType();
    return selected && context.rules().isValid(object, i);
  }

  private static boolean anyTarget(ObjectContext context, Call call, ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (isTarget(context, call, object, i)) {
        return true;
      }
    }
    return false;
  }

  private static boolean targetsAllComplete(ObjectContext context, Call call, ObjectCursor object) {
    for (int i = 0; i < object.replicaCount(); i++) {
      if (isTarget(context, call, object, i) && !object.isComplete(i)) {
        return false;
      }
    }
    return true;
  }

  private static long[] processingTargets(ObjectContext context, Call call, ObjectCursor object) {
    long[] ids = new long[object.replicaCount()];
    int count = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (isTarget(context, call, object, i) && !object.isComplete(i)) {
        ids[count++] = object.replicaId(i);
      }
    }
    return Arrays.copyOf(ids, count);
  }

  private static int processingCount(ObjectContext context, ObjectCursor object) {
    int count = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!object.isComplete(i) && context.rules().isValid(object, i)) {
        count++;
      }
    }
    return count;
  }

  private static boolean contains(long[] ids, long id) {
    for (long candidate : ids) {
      if (candidate == id) {
        return true;
      }
    }
    return false;
  }

  // ---- soft pin

  private static boolean anyEligible(PendingWrite write, long[] completed) {
    for (long id : completed) {
      if (write.isPinEligible(id)) {
        return true;
      }
    }
    return false;
  }

  /** The deadline after the pending action took effect at this moment. */
  private static OptionalLong settledPin(
      ObjectContext context, PendingWrite write, ObjectCursor object) {
    if (write.softPin() == SoftPinAction.PRESERVE) {
      return context.isSoftPinned(object) ? currentPin(object) : OptionalLong.empty();
    }
    if (write.softPin() == SoftPinAction.DISABLE || write.softPinTtlMs() == 0) {
      return OptionalLong.empty();
    }
    return OptionalLong.of(pinDeadlineMs(context.nowMs(), write.softPinTtlMs()));
  }

  /** now + ttl, saturating. */
  static long pinDeadlineMs(long nowMs, long ttlMs) {
    long deadline = nowMs + ttlMs;
    return ttlMs < 0 || deadline < nowMs ? Long.MAX_VALUE : deadline;
  }

  private static OptionalLong currentPin(ObjectCursor object) {
    return object.pinDeadlineMs() == 0
        ? OptionalLong.empty()
        : OptionalLong.of(object.pinDeadlineMs());
  }
}
