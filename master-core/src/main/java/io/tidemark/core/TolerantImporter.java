package io.tidemark.core;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.state.StateRecord;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.core.segment.MountedSegment;
import io.tidemark.core.table.ObjectCursor;
import io.tidemark.core.table.ScopedKey;
import io.tidemark.core.table.Stripe;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Builds a state from a damaged snapshot: an object that can't be beside those before it is left
 * out, with the reason, and costs none of the others. Everything but objects and unfinished writes
 * must be whole.
 *
 * <p>Not thread-safe; one instance a restore. Takes more memory and time than {@link
 * StateImporter}.
 */
public final class TolerantImporter {
  private final StateImporter importer;

  /** Ranges taken so far: segment number to offset to end. Looked up by key only. */
  private final Map<Integer, TreeMap<Long, Long>> ranges = new HashMap<>();

  /** An importer with an empty state. */
  public TolerantImporter(AllocatorKind allocatorKind) {
    importer = new StateImporter(allocatorKind);
  }

  /**
   * Takes the next record.
   *
   * @return why it was left out; empty if it was taken
   * @throws IllegalStateException if a record other than an object or a write contradicts the
   *     records before it
   */
  public Optional<String> record(StateRecord record) {
    Optional<String> objection = objection(record);
    if (objection.isEmpty()) {
      importer.record(record);
      claim(record);
    }
    return objection;
  }

  /**
   * Returns the state.
   *
   * @param leftOut how many objects are not in it
   */
  public StateImporter.Restored finish(LogPosition position, int leftOut) {
    StateImporter.Restored whole = importer.finish(position);
    return new StateImporter.Restored(whole.state(), position, whole.digest(), leftOut);
  }

  private Optional<String> objection(StateRecord record) {
    if (record instanceof StateRecord.StoredObject object) {
      return objection(object);
    }
    if (record instanceof StateRecord.Write write && !exists(ScopedKey.of(write.key()))) {
      return Optional.of("its object is not there");
    }
    return Optional.empty();
  }

  private Optional<String> objection(StateRecord.StoredObject object) {
    if (object.replicas().size() > ObjectCursor.MAX_REPLICAS) {
      return Optional.of("it has " + object.replicas().size() + " replicas");
    }
    for (StateRecord.Replica replica : object.replicas()) {
      if (replica.status() >= ReplicaStatus.values().length) {
        return Optional.of("replica " + replica.id() + " has unknown status " + replica.status());
      }
      if (replica.kind() == ReplicaType.MEMORY && !isFree(replica)) {
        return Optional.of(
            "replica "
                + replica.id()
                + " lies outside its segment, or where another object or a discarded range is");
      }
    }
    return exists(ScopedKey.of(object.key())) ? Optional.of("it is there twice") : Optional.empty();
  }

  private boolean exists(ScopedKey key) {
    Stripe stripe = importer.state().objects().stripeOf(key);
    stripe.lock();
    try {
      return stripe.find(key, new ObjectCursor());
    } finally {
      stripe.unlock();
    }
  }

  /** A mount that is gone has no ranges. */
  private boolean isFree(StateRecord.Replica replica) {
    MountedSegment segment = importer.state().segments().get(replica.segmentNumber());
    if (segment == null) {
      return true;
    }
    long from = replica.offsetBytes();
    long to = from + replica.blockBytes();
    if (from < 0 || to <= from || to > segment.info().sizeBytes()) {
      return false;
    }
    TreeMap<Long, Long> taken = ranges.getOrDefault(replica.segmentNumber(), new TreeMap<>());
    Map.Entry<Long, Long> before = taken.lowerEntry(to);
    return before == null || before.getValue() <= from;
  }

  private void claim(StateRecord record) {
    if (record instanceof StateRecord.StoredObject object) {
      for (StateRecord.Replica replica : object.replicas()) {
        if (replica.kind() == ReplicaType.MEMORY) {
          claim(replica.segmentNumber(), replica.offsetBytes(), replica.blockBytes());
        }
      }
    } else if (record instanceof StateRecord.Discard discard) {
      discard.claims().forEach(c -> claim(c.segmentNumber(), c.offsetBytes(), c.blockBytes()));
    }
  }

  private void claim(int segment, long offsetBytes, long blockBytes) {
    ranges
        .computeIfAbsent(segment, n -> new TreeMap<>())
        .put(offsetBytes, offsetBytes + blockBytes);
  }
}
