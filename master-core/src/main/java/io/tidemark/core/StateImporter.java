package io.tidemark.core;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.state.StateRecord;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.metrics.CoreMetrics;
import io.tidemark.core.object.ObjectRecords;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.core.segment.MountedSegment;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/** Builds a state from the records of a snapshot. Not thread-safe; one instance a restore. */
public final class StateImporter {

  /** Ranges of one mount that objects and discard entries take. */
  private static final class Taken {
    final MountedSegment segment;
    long[] packed = new long[64];
    int count;
    long requestedBytes;

    Taken(MountedSegment segment) {
      this.segment = segment;
    }

    void add(long offsetBytes, long blockBytes, long objectBytes) {
      if (count == packed.length) {
        packed = Arrays.copyOf(packed, count * 2);
      }
      packed[count++] = segment.packRange(offsetBytes, blockBytes);
      requestedBytes += objectBytes;
    }
  }

  private final MasterState state;
  private final Map<Integer, Taken> taken = new LinkedHashMap<>();

  /** An importer with an empty state. */
  public StateImporter(AllocatorKind allocatorKind) {
    state = new MasterState(allocatorKind, new CoreMetrics());
  }

  /**
   * A state as of a log position, ready for the entries behind it.
   *
   * @param digest digest of the state, to be held against the snapshot's
   * @param leftOut objects that a damaged snapshot could not give; above 0, the log behind it is
   *     replayed and served with the care that {@link Replayer} and {@link Term} describe
   */
  public record Restored(MasterState state, LogPosition position, long digest, int leftOut) {

    /** A state from which nothing is missing. */
    public Restored(MasterState state, LogPosition position, long digest) {
      this(state, position, digest, 0);
    }
  }

  /** The state as it is being built. */
  MasterState state() {
    return state;
  }

  /**
   * Takes the next record.
   *
   * @throws IllegalStateException if it contradicts the records before it
   */
  public void record(StateRecord record) {
    switch (record.type()) {
      case FACTS -> state.restore((StateRecord.Facts) record);
      case CLIENT -> state.segments().restore((StateRecord.Client) record);
      case SEGMENT -> {
        MountedSegment segment = state.segments().restore((StateRecord.Segment) record, 0);
        taken.put(segment.number(), new Taken(segment));
      }
      case DISCARD -> discard((StateRecord.Discard) record);
      case OBJECT -> object((StateRecord.StoredObject) record);
      case WRITE -> state.writes().restore((StateRecord.Write) record);
    }
  }

  private void discard(StateRecord.Discard record) {
    state.discards().restore(record);
    state.metrics().add(CoreMetric.DISCARDED_STAGING_BYTES, record.blockBytes());
    for (StateRecord.Claim claim : record.claims()) {
      take(claim.segmentNumber(), claim.offsetBytes(), claim.blockBytes(), claim.objectBytes());
    }
  }

  private void object(StateRecord.StoredObject record) {
    for (StateRecord.Replica replica : record.replicas()) {
      if (replica.kind() == ReplicaType.MEMORY) {
        take(
            replica.segmentNumber(),
            replica.offsetBytes(),
            replica.blockBytes(),
            record.sizeBytes());
      }
    }
    ObjectRecords.restore(state, record);
  }

  /** A mount that is gone, or whose memory is not the store's any more, has no ranges. */
  private void take(int segmentNumber, long offsetBytes, long blockBytes, long objectBytes) {
    Taken ranges = taken.get(segmentNumber);
    if (ranges != null) {
      ranges.add(offsetBytes, blockBytes, objectBytes);
    }
  }

  /**
   * Takes all ranges and returns the state.
   *
   * @throws IllegalStateException if a range is taken twice
   */
  public Restored finish(LogPosition position) {
    for (Taken ranges : taken.values()) {
      ranges.segment.restoreTaken(
          Arrays.copyOf(ranges.packed, ranges.count), ranges.requestedBytes);
    }
    return new Restored(state, position, Digest.of(state));
  }
}
