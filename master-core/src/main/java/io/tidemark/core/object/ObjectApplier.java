package io.tidemark.core.object;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.core.MasterState;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.segment.DiscardList;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * Applies object events: the only code that changes objects, used alike by leader, restart and
 * forensic replay. Total: an event that does not fit the state is a broken invariant and stops the
 * node.
 *
 * <p>Called by the holder of the core role; takes the object's stripe lock itself.
 */
public final class ObjectApplier {
  private final MasterState state;
  private final CoreMetrics metrics;
  private final ObjectCursor object = new ObjectCursor();
  private final Predicate<Event.ObjectEvent> mayBeMissing;

  /** An applier for a state that lacks nothing. */
  public ObjectApplier(MasterState state) {
    this(state, event -> false);
  }

  /**
   * An applier for a state from which objects may be missing.
   *
   * @param mayBeMissing asked about an event that names an object which does not exist; yes leaves
   *     the event out
   */
  public ObjectApplier(MasterState state, Predicate<Event.ObjectEvent> mayBeMissing) {
    this.state = state;
    this.metrics = state.metrics();
    this.mayBeMissing = mayBeMissing;
  }

  /** Applies one event under the stripe's lock. */
  public void apply(Event.ObjectEvent event, EntryHeader header) {
    ScopedKey key = ScopedKey.of(event.key());
    var stripe = state.objects().stripeOf(key);
    stripe.lock();
    try {
      if (event instanceof Event.WriteStarted started) {
        writeStarted(started, key, header);
        state.objects().digestChanged(0, object.digest(key));
        return;
      }
      if (!stripe.find(key, object)) {
        if (mayBeMissing.test(event)) {
          return;
        }
        throw new IllegalStateException(
            event.type() + " names object " + key + ", which does not exist");
      }
      state.objects().preserve(stripe, object);
      int cachedBefore = cacheFlags();
      long digestBefore = object.digest(key);
      if (event instanceof Event.ReplicasDropped dropped && replicasDropped(dropped, key, header)) {
        state.objects().digestChanged(digestBefore, 0);
        countCache(cachedBefore, 0);
        return;
      }
      change(event, key, header);
      object.lastIndex(header.index());
      state.objects().digestChanged(digestBefore, object.digest(key));
      countCache(cachedBefore, cacheFlags());
    } finally {
      stripe.unlock();
    }
  }

  private void change(Event.ObjectEvent event, ScopedKey key, EntryHeader header) {
    switch (event.type()) {
      case WRITE_RESUMED -> writeResumed((Event.WriteResumed) event, key, header);
      case WRITE_REOPENED -> writeReopened((Event.WriteReopened) event, key, header);
      case REPLICAS_COMPLETED -> replicasCompleted((Event.ReplicasCompleted) event, key, header);
      case SOFT_PIN_CHANGED ->
          setPin(key, ((Event.SoftPinChanged) event).pinDeadlineMs().orElse(0));
      case REPLICAS_DROPPED -> {
        // Done by replicasDropped, which also decides whether there is a record left to change.
      }
      default -> throw new IllegalStateException("no applier for " + event.type());
    }
  }

  // ---- writes

  private void writeStarted(Event.WriteStarted event, ScopedKey key, EntryHeader header) {
    if (state.objects().stripeOf(key).find(key, object)) {
      throw new IllegalStateException("a write of " + key + " started although the object exists");
    }
    boolean disk = event.diskReplicaId() != 0;
    int replicas = event.replicas().size() + (disk ? 1 : 0);
    state.objects().insert(key, replicas, object);
    object.lastIndex(header.index());
    object.sizeBytes(event.sizeBytes());
    object.startMs(header.logTimeMs());
    object.clientId(event.clientId());
    object.hardPinned(event.hardPin());
    object.dataType(event.dataType());
    object.writing(true);
    long[] ids = new long[replicas];
    placeReplicas(event, ids);
    if (disk) {
      object.setReplica(replicas - 1, event.diskReplicaId(), ReplicaType.DISK, 0, 0, 0);
      state.replicaIdUsed(event.diskReplicaId());
      ids[replicas - 1] = event.diskReplicaId();
      metrics.applied(CoreMetric.ALLOCATED_FILE_BYTES, event.sizeBytes());
    }
    if (!event.groupId().isEmpty()) {
      object.groupNumber(state.groups().join(event.key().tenant(), event.groupId(), key));
    }
    event.inheritedPinDeadlineMs().ifPresent(deadline -> setPin(key, deadline));
    state
        .writes()
        .add(
            new PendingWrite(
                key,
                header.epoch(),
                header.logTimeMs(),
                event.softPin(),
                event.softPinTtlMs(),
                ids));
    metrics.recordValueSize(event.sizeBytes());
  }

  private void placeReplicas(Event.WriteStarted event, long[] ids) {
    int i = 0;
    for (PlacedReplica placed : event.replicas()) {
      MountedSegment segment = state.segments().get(placed.segmentNumber());
      if (segment == null || !segment.isValid()) {
        throw new IllegalStateException(
            "a replica of "
                + event.key()
                + " was placed on segment mount "
                + placed.segmentNumber()
                + ", which is not mounted");
      }
      segment.take(placed.offsetBytes(), placed.blockBytes(), event.sizeBytes());
      ids[i] = placed.replicaId();
      object.setReplica(
          i++,
          placed.replicaId(),
          ReplicaType.MEMORY,
          placed.segmentNumber(),
          placed.offsetBytes(),
          placed.blockBytes());
      state.replicaIdUsed(placed.replicaId());
    }
  }

  private void writeResumed(Event.WriteResumed event, ScopedKey key, EntryHeader header) {
    object.startMs(header.logTimeMs());
    object.reissued(true);
    metrics.applied(CoreMetric.WRITES_RESUMED, 1);
    state
        .writes()
        .add(
            new PendingWrite(
                key,
                header.epoch(),
                header.logTimeMs(),
                event.softPin(),
                event.softPinTtlMs(),
                processingIds()));
  }

  private void writeReopened(Event.WriteReopened event, ScopedKey key, EntryHeader header) {
    object.clientId(event.clientId());
    object.startMs(header.logTimeMs());
    object.writing(true);
    for (int i = 0; i < object.replicaCount(); i++) {
      object.replicaStatus(i, ReplicaStatus.PROCESSING);
    }
    state
        .writes()
        .add(
            new PendingWrite(
                key,
                header.epoch(),
                header.logTimeMs(),
                event.softPin(),
                event.softPinTtlMs(),
                processingIds()));
  }

  private long[] processingIds() {
    long[] ids = new long[object.replicaCount()];
    int count = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (!object.isComplete(i)) {
        ids[count++] = object.replicaId(i);
      }
    }
    return Arrays.copyOf(ids, count);
  }

  private void replicasCompleted(Event.ReplicasCompleted event, ScopedKey key, EntryHeader header) {
    for (long id : event.replicaIds()) {
      object.replicaStatus(indexOf(key, id), ReplicaStatus.COMPLETE);
    }
    if (event.setChecksum()) {
      object.checksum(event.checksum().isPresent(), event.checksum().orElse(0));
    }
    object.extendLease(header.logTimeMs());
    finishWrite(key, event.pinSettled(), event.writeFinished());
    if (event.pinSettled()) {
      setPin(key, event.pinDeadlineMs().orElse(0));
    }
  }

  private void finishWrite(ScopedKey key, boolean pinSettled, boolean finished) {
    PendingWrite write = state.writes().get(key);
    if (pinSettled && write != null) {
      write.settlePin();
    }
    if (finished) {
      object.writing(false);
      state.writes().remove(key);
    }
  }

  private void setPin(ScopedKey key, long deadlineMs) {
    object.pinDeadlineMs(deadlineMs);
    state.softPins().set(key, deadlineMs);
  }

  // ---- removals

  /** Returns whether the object is gone. */
  private boolean replicasDropped(Event.ReplicasDropped event, ScopedKey key, EntryHeader header) {
    for (long id : event.replicaIds()) {
      int i = indexOf(key, id);
      giveBack(i, event.quarantineUntilMs());
      object.removeReplica(i);
    }
    if (!event.objectGone()) {
      finishWrite(key, event.pinSettled(), event.writeFinished());
      return false;
    }
    if (object.replicaCount() != 0) {
      throw new IllegalStateException(
          "object "
              + key
              + " is erased by an event that leaves it "
              + object.replicaCount()
              + " replicas");
    }
    if (object.groupNumber() != 0) {
      state.groups().leave(object.groupNumber(), key);
    }
    if (object.pinDeadlineMs() != 0) {
      state.softPins().set(key, 0);
    }
    state.writes().remove(key);
    state.objects().remove(key, header.index());
    return true;
  }

  private void giveBack(int i, long quarantineUntilMs) {
    if (object.replicaKind(i) == ReplicaType.DISK) {
      metrics.applied(CoreMetric.ALLOCATED_FILE_BYTES, -object.sizeBytes());
      return;
    }
    MountedSegment segment = state.segments().get(object.replicaSegment(i));
    if (segment == null) {
      return;
    }
    long block = object.replicaBlock(i);
    if (quarantineUntilMs != 0) {
      metrics.applied(CoreMetric.DISCARD_COUNT, 1);
      metrics.applied(CoreMetric.DISCARDED_STAGING_BYTES, block);
      state
          .discards()
          .add(
              new DiscardList.Block(segment, object.replicaOffset(i), block, object.sizeBytes()),
              quarantineUntilMs);
    } else if (segment.isValid()) {
      segment.free(object.replicaOffset(i), block, object.sizeBytes());
    }
  }

  private int indexOf(ScopedKey key, long replicaId) {
    int i = object.indexOfReplica(replicaId);
    if (i < 0) {
      throw new IllegalStateException(
          "an event names replica " + replicaId + " of " + key + ", which has none such");
    }
    return i;
  }

  // ---- gauges

  /** Bit 0: a complete memory replica; bit 1: a complete disk replica. */
  private int cacheFlags() {
    int flags = 0;
    for (int i = 0; i < object.replicaCount(); i++) {
      if (object.isComplete(i)) {
        flags |= object.replicaKind(i) == ReplicaType.MEMORY ? 1 : 2;
      }
    }
    return flags;
  }

  private void countCache(int before, int after) {
    if (before != after) {
      metrics.applied(CoreMetric.MEM_CACHE_OBJECTS, (after & 1) - (before & 1));
      metrics.applied(CoreMetric.FILE_CACHE_OBJECTS, (after >> 1) - (before >> 1));
    }
  }
}
