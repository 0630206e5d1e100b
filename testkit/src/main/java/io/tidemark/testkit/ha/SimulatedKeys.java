package io.tidemark.testkit.ha;

import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.MembershipRecord;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** One cluster's keys in a simulated store, at the store's side of a request. */
final class SimulatedKeys {
  final String view;
  final String leader;
  final String inSync;
  private final SimulatedStore store;

  SimulatedKeys(SimulatedStore store, String clusterId) {
    this.store = store;
    view = "mooncake-store/" + clusterId + "/master_view";
    leader = "tidemark/" + clusterId + "/leader";
    inSync = "tidemark/" + clusterId + "/in_sync";
  }

  MembershipRecord write(MembershipRecord record) {
    return record.at(store.put(Map.of(inSync, record), 0));
  }

  ClusterView seen() {
    return new ClusterView(record(), leader(), store.revision());
  }

  Optional<MembershipRecord> record() {
    return store
        .get(inSync)
        .map(entry -> ((MembershipRecord) entry.value()).at(entry.modRevision()));
  }

  Optional<LeaderInfo> leader() {
    return store
        .get(leader)
        .map(
            entry -> {
              LeaderInfo info = (LeaderInfo) entry.value();
              return new LeaderInfo(
                  info.member(), info.epoch(), info.replicationAddress(), entry.createRevision());
            });
  }

  boolean leads(long revision) {
    return store.get(leader).filter(entry -> entry.createRevision() == revision).isPresent();
  }

  boolean unchanged(MembershipRecord seen) {
    return store.get(inSync).filter(entry -> entry.modRevision() == seen.modRevision()).isPresent();
  }

  <T> Outcome<T> refused(UUID cluster, String reason) {
    boolean other = record().filter(there -> !there.cluster().equals(cluster)).isPresent();
    return Outcome.not(
        other ? Verdict.OTHER_CLUSTER : Verdict.REFUSED, reason + "; now: " + seen());
  }
}
