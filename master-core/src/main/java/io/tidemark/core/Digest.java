package io.tidemark.core;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.Uuid;
import io.tidemark.api.state.StateRecord;
import io.tidemark.core.segment.ClientRecord;
import io.tidemark.core.segment.MountedSegment;

/**
 * Digest of the logical state: objects, replicas, ranges including reserved ones, owners, pins,
 * deadlines. Slots, leases and allocator internals are left out (COR-28). Equal logs give equal
 * digests, on every machine and every JDK: only specified hashes and plain fields go in.
 */
final class Digest {
  private static final long K = 0x9E3779B97F4A7C15L;

  private long value;

  private Digest() {}

  /**
   * The digest as it is kept up with every change: costs the small tables, not the objects. By the
   * holder of the core role, or at rest.
   */
  static long of(MasterState state) {
    return combine(state.objects().digest(), ofRest(state));
  }

  /** What {@link #of} has to be, by a scan of all objects; nothing changes meanwhile. */
  static long recomputed(MasterState state) {
    return combine(state.objects().recomputedDigest(), ofRest(state));
  }

  /** Digest of a state from that of its objects and that of the rest. */
  static long combine(long objects, long rest) {
    return new Digest().add(rest).add(objects).value;
  }

  /** Digest of everything but the objects. */
  static long ofRest(MasterState state) {
    Digest digest = new Digest().add(state.nextReplicaId()).add(state.epoch());
    for (MountedSegment segment : state.segments().snapshot()) {
      digest.add(segment);
    }
    for (ClientRecord client : state.segments().clients()) {
      digest.add(client.id()).add(client.state().code()).add(client.hostId()).add(client.release());
    }
    state
        .discards()
        .forEach(
            (endpoint, address, block, deadline) ->
                digest.add(endpoint).add(address).add(block).add(deadline));
    for (StateRecord.Write write : state.writes().export()) {
      digest.add(write);
    }
    return digest.add(state.softPins().size()).value;
  }

  private void add(MountedSegment segment) {
    add(segment.number())
        .add(segment.info().id())
        .add(segment.info().name())
        .add(segment.info().base())
        .add(segment.info().sizeBytes())
        .add(segment.info().teEndpoint())
        .add(segment.info().protocol())
        .add(segment.info().hostId())
        .add(segment.clientId())
        .add(segment.status().code())
        .add(segment.graceDeadlineMs())
        .add(segment.takenBytes());
  }

  private void add(StateRecord.Write write) {
    ObjectKey key = write.key();
    add(key.tenant())
        .add(key.key())
        .add(write.epoch())
        .add(write.startMs())
        .add(write.softPin().ordinal())
        .add(write.softPinTtlMs())
        .add(write.pinSettled() ? 1 : 0);
    for (long id : write.pinEligibleIds()) {
      add(id);
    }
  }

  private Digest add(Uuid id) {
    return add(id.first()).add(id.second());
  }

  /** The hash of a string is specified by its class. */
  private Digest add(String text) {
    return add(text.hashCode()).add(text.length());
  }

  private Digest add(long field) {
    long mixed = (value ^ field) * K;
    value = (mixed ^ mixed >>> 29) + K;
    return this;
  }
}
