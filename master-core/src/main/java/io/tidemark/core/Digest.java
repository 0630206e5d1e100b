package io.tidemark.core;

import io.tidemark.core.segment.ClientRecord;
import io.tidemark.core.segment.MountedSegment;
import java.util.Arrays;
import java.util.Objects;

/**
 * Digest of the logical state: objects, replicas, ranges including reserved ones, owners, pins,
 * deadlines. Slots, leases and allocator internals are left out (COR-28). Equal logs give equal
 * digests.
 */
final class Digest {
  private static final long K = 0x9E3779B97F4A7C15L;

  private Digest() {}

  /** Computes it by a scan; the caller keeps the state from changing meanwhile. */
  static long of(MasterState state) {
    return combine(state.objects().digest(), ofRest(state));
  }

  /** Digest of a state from that of its objects and that of the rest. */
  static long combine(long objects, long rest) {
    return mix(rest, objects);
  }

  /** Digest of everything but the objects. */
  static long ofRest(MasterState state) {
    long digest = mix(0, state.nextReplicaId());
    for (MountedSegment segment : state.segments().snapshot()) {
      digest =
          mix(
              digest,
              segment.number(),
              segment.info().hashCode(),
              segment.clientId().hashCode(),
              segment.status().ordinal(),
              segment.graceDeadlineMs(),
              segment.takenBytes());
    }
    for (ClientRecord client : state.segments().clients()) {
      digest =
          mix(digest, client.id().hashCode(), client.state().ordinal(), client.hostId().hashCode());
    }
    long[] discards = {digest};
    state
        .discards()
        .forEach(
            (endpoint, address, block, deadline) ->
                discards[0] =
                    mix(discards[0], Objects.hashCode(endpoint), address, block, deadline));
    return mix(discards[0], state.writes().size(), state.softPins().size());
  }

  private static long mix(long digest, long... values) {
    long hash = digest;
    for (long value : values) {
      hash = (hash ^ value) * K;
      hash ^= hash >>> 29;
    }
    return hash + Arrays.hashCode(values);
  }
}
