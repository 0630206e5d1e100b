package io.tidemark.server.node;

import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.api.log.ReplicaLog;
import java.util.Optional;

/**
 * What a node may do by what the coordination store says and its own log says.
 *
 * @param trusted whether the store holds a record of this cluster that is not older than what is
 *     known
 * @param why a sentence for people
 */
record StoreLook(Next next, boolean trusted, String why) {

  /** What may be done. */
  enum Next {
    /** The cluster is new: make its record. */
    CREATE,
    /** Somebody leads: follow. */
    FOLLOW,
    /** Nobody leads, and this node may. */
    CAMPAIGN,
    /** Wait, and look again. */
    WAIT,
    /** Not this node's cluster: stop (COR-17). */
    STOP
  }

  static StoreLook at(ClusterView view, NodeIdentity identity, ReplicaLog log, boolean mayCreate) {
    if (view.membership().isEmpty()) {
      return withoutRecord(identity, log, mayCreate);
    }
    MembershipRecord record = view.membership().get();
    if (identity.cluster().isPresent() && !identity.cluster().get().equals(record.cluster())) {
      return new StoreLook(
          Next.STOP,
          false,
          "the log belongs to cluster "
              + identity.cluster().get()
              + ", the coordination store to "
              + record.cluster()
              + "; check cluster_id and the store's address");
    }
    if (wentBack(view, record, identity, log)) {
      return new StoreLook(
          Next.WAIT,
          false,
          "the coordination store went back: it says epoch "
              + record.epoch()
              + " at revision "
              + record.modRevision()
              + ", this node knows epoch "
              + log.acceptedEpoch()
              + " and revision "
              + identity.recordRevision()
              + "; it may have been restored from an old copy, an operator has to decide");
    }
    return withRecord(view.leader(), record, identity);
  }

  /** Nobody may be elected on what the store forgot (COR-17). */
  private static StoreLook withoutRecord(NodeIdentity identity, ReplicaLog log, boolean mayCreate) {
    boolean blank =
        identity.cluster().isEmpty()
            && identity.recordRevision() == 0
            && log.end().index() == 0
            && log.acceptedEpoch() == 0;
    if (blank && mayCreate) {
      return new StoreLook(Next.CREATE, false, "the cluster is new");
    }
    String known = blank ? "nobody said that the cluster is new" : "this node has a log";
    return new StoreLook(
        Next.WAIT,
        false,
        "the coordination store has no membership record, but "
            + known
            + "; an operator has to decide");
  }

  private static boolean wentBack(
      ClusterView view, MembershipRecord record, NodeIdentity identity, ReplicaLog log) {
    // Behind an operator's word the store may count from 1 again; the epoch is above all the same.
    boolean forcedSince = record.forcedEpoch() > identity.forcedEpoch();
    boolean revisionFell =
        view.revision() < identity.recordRevision()
            || record.modRevision() < identity.recordRevision();
    return record.forcedEpoch() < identity.forcedEpoch()
        || (revisionFell && !forcedSince)
        || record.epoch() < log.acceptedEpoch();
  }

  private static StoreLook withRecord(
      Optional<LeaderInfo> leader, MembershipRecord record, NodeIdentity identity) {
    if (leader.isPresent()) {
      return leader.get().member().node().equals(identity.self().node())
          ? new StoreLook(
              Next.WAIT, true, "waiting for the end of this node's own earlier leadership")
          : new StoreLook(Next.FOLLOW, true, "following " + leader.get().replicationAddress());
    }
    if (record.inSync().contains(identity.self())) {
      return new StoreLook(Next.CAMPAIGN, true, "nobody leads, and this node is in sync");
    }
    return new StoreLook(
        Next.WAIT,
        true,
        "nobody leads, and this node is not in the in-sync set; one of "
            + record.inSync()
            + " has to come back, or an operator has to decide");
  }
}
