package io.tidemark.core;

import io.tidemark.core.object.DiskPaths;
import io.tidemark.core.object.ObjectContext;
import io.tidemark.core.object.ReplicaRules;
import io.tidemark.core.segment.Placement;

/**
 * Makes the context of a decision: the term's clock read once, everything else fixed for the term.
 */
final class Contexts {
  private final MasterConfig config;
  private final MasterState state;
  private final ReplicaRules rules;
  private final DiskPaths diskPaths;
  private final Placement placement;
  private final Term term;

  Contexts(MasterConfig config, MasterState state, Placement placement, Term term) {
    this.config = config;
    this.state = state;
    this.diskPaths = new DiskPaths(config.rootFsDir(), config.clusterId());
    this.rules = new ReplicaRules(state.segments(), diskPaths);
    this.placement = placement;
    this.term = term;
  }

  ObjectContext now() {
    return new ObjectContext(
        config,
        state,
        rules,
        diskPaths,
        placement,
        term.nowMs(),
        term.epoch(),
        term.leaseFloorMs());
  }

  MasterConfig config() {
    return config;
  }

  MasterState state() {
    return state;
  }

  ReplicaRules rules() {
    return rules;
  }

  DiskPaths diskPaths() {
    return diskPaths;
  }

  Term term() {
    return term;
  }

  /** What Ping answers as view version: 0 outside HA. */
  long viewVersion() {
    return 0;
  }
}
