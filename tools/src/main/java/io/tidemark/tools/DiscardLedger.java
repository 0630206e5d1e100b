package io.tidemark.tools;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.Event.PlacedReplica;

/**
 * Derives the ids of the discard list. They are not in the events that fill the list: the state
 * machine numbers ranges 1, 2, 3 … in the order in which events drop memory replicas into
 * quarantine, and a replica whose mount is forgotten gets none. This follows the same rule without
 * keeping the state.
 */
final class DiscardLedger {
  /** A replica whose range is not on the list. */
  static final long NONE = 0;

  private final ReplicaMounts replicas = new ReplicaMounts();
  private final Mounts mounts;
  private long lastId;

  /**
   * A ledger at the beginning of a log.
   *
   * @param mounts followed by the caller, which applies an event there after it was applied here
   */
  DiscardLedger(Mounts mounts) {
    this.mounts = mounts;
  }

  /** Goes on behind a snapshot in which ids up to {@code lastDiscardId} were used. */
  void startAt(long lastDiscardId) {
    lastId = lastDiscardId;
  }

  /** A memory replica that is there when the log begins. */
  void known(long replicaId, int segmentNumber) {
    replicas.put(replicaId, segmentNumber);
  }

  /**
   * Follows an event.
   *
   * @return for {@link Event.ReplicasDropped} the discard ids parallel to its replicas, {@link
   *     #NONE} where a range is not on the list; empty for every other event
   */
  long[] apply(Event event) {
    if (event instanceof Event.WriteStarted e) {
      for (PlacedReplica replica : e.replicas()) {
        replicas.put(replica.replicaId(), replica.segmentNumber());
      }
    } else if (event instanceof Event.ReplicasDropped e) {
      long[] discardIds = new long[e.replicaIds().length];
      for (int i = 0; i < discardIds.length; i++) {
        int mount = replicas.remove(e.replicaIds()[i]);
        boolean listed =
            e.quarantineUntilMs() != 0 && mount != ReplicaMounts.NONE && mounts.get(mount) != null;
        discardIds[i] = listed ? ++lastId : NONE;
      }
      return discardIds;
    }
    return new long[0];
  }

  /** Memory replicas that are alive. */
  int liveReplicas() {
    return replicas.size();
  }
}
