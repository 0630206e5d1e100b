package io.tidemark.api.ha;

import java.util.Optional;

/**
 * One linearizable look at the coordination store.
 *
 * @param membership empty if the cluster was never created there
 * @param leader empty while nobody leads
 * @param revision revision of the store, rises with every write of anybody
 */
public record ClusterView(
    Optional<MembershipRecord> membership, Optional<LeaderInfo> leader, long revision) {}
