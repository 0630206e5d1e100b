package io.tidemark.server.node;

import java.util.EnumSet;
import java.util.Set;

/** What a node is at the moment. */
public enum NodeRole {
  /** It looks at the coordination store to learn whose cluster it is in. */
  BOOTING,
  /** It builds its state from snapshot and log, up to what it knows to be committed. */
  RESTORING,
  /** It follows the leader, or looks for one, or campaigns. */
  STANDBY,
  /** It won a campaign, applies the rest of its log and starts its term. */
  PROMOTING,
  /** It serves. */
  LEADER,
  /** Its leadership is over; the state of the term is being dropped. */
  FENCED,
  /** It does nothing more and keeps everything for a person to look at. */
  HALTED;

  private Set<NodeRole> next() {
    return switch (this) {
      case BOOTING -> EnumSet.of(RESTORING, HALTED);
      case RESTORING -> EnumSet.of(STANDBY, HALTED);
      case STANDBY -> EnumSet.of(RESTORING, PROMOTING, HALTED);
      case PROMOTING -> EnumSet.of(LEADER, FENCED, HALTED);
      case LEADER -> EnumSet.of(FENCED, HALTED);
      case FENCED -> EnumSet.of(RESTORING, HALTED);
      case HALTED -> EnumSet.noneOf(NodeRole.class);
    };
  }

  /** Whether this role may be followed by {@code other}. */
  public boolean mayBecome(NodeRole other) {
    return next().contains(other);
  }

  /** Whether the node holds a leadership. */
  public boolean leads() {
    return this == PROMOTING || this == LEADER;
  }
}
