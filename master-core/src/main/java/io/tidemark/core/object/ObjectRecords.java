package io.tidemark.core.object;

import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.state.StateRecord;
import io.tidemark.core.MasterState;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import io.tidemark.core.table.Stripe;

/** Puts objects back from state records. */
public final class ObjectRecords {

  private ObjectRecords() {}

  /** Puts an object back. Its ranges are taken by the caller. */
  public static void restore(MasterState state, StateRecord.StoredObject record) {
    ScopedKey key = ScopedKey.of(record.key());
    Stripe stripe = state.objects().stripeOf(key);
    ObjectCursor object = new ObjectCursor();
    stripe.lock();
    try {
      if (stripe.find(key, object)) {
        throw new IllegalStateException("object " + key + " is in the snapshot twice");
      }
      state.objects().insert(key, record.replicas().size(), object);
      fill(object, record);
      if (!record.groupId().isEmpty()) {
        object.groupNumber(state.groups().join(record.key().tenant(), record.groupId(), key));
      }
      state.objects().digestChanged(0, object.digest(key));
    } finally {
      stripe.unlock();
    }
    if (record.pinDeadlineMs() != 0) {
      state.softPins().set(key, record.pinDeadlineMs());
    }
    count(state, record);
  }

  private static void fill(ObjectCursor object, StateRecord.StoredObject record) {
    object.lastIndex(record.lastIndex());
    object.extendLease(record.leaseUntilMs());
    object.sizeBytes(record.sizeBytes());
    object.startMs(record.startMs());
    object.clientId(record.clientId());
    object.checksum(record.checksum().isPresent(), record.checksum().orElse(0));
    object.pinDeadlineMs(record.pinDeadlineMs());
    object.hardPinned(record.hardPin());
    object.writing(record.writing());
    object.reissued(record.reissued());
    object.dataType(record.dataType());
    int i = 0;
    for (StateRecord.Replica replica : record.replicas()) {
      object.setReplica(
          i,
          replica.id(),
          replica.kind(),
          replica.segmentNumber(),
          replica.offsetBytes(),
          replica.blockBytes());
      object.replicaStatus(i++, ReplicaStatus.values()[replica.status()]);
    }
  }

  private static void count(MasterState state, StateRecord.StoredObject record) {
    boolean memory = false;
    boolean file = false;
    for (StateRecord.Replica replica : record.replicas()) {
      boolean complete = replica.status() == ReplicaStatus.COMPLETE.code();
      memory |= complete && replica.kind() == ReplicaType.MEMORY;
      file |= complete && replica.kind() != ReplicaType.MEMORY;
      if (replica.kind() == ReplicaType.DISK) {
        state.metrics().applied(CoreMetric.ALLOCATED_FILE_BYTES, record.sizeBytes());
      }
    }
    state.metrics().applied(CoreMetric.MEM_CACHE_OBJECTS, memory ? 1 : 0);
    state.metrics().applied(CoreMetric.FILE_CACHE_OBJECTS, file ? 1 : 0);
  }
}
