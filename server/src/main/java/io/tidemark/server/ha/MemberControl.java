package io.tidemark.server.ha;

import io.tidemark.server.node.ForcedTakeover;
import java.util.Optional;

/** A member of a cluster as operators see it. Any thread. */
public interface MemberControl {

  /** What it is at the moment. */
  NodeStatus status();

  /** What it counted so far. */
  MemberFigures figures();

  /**
   * Gives the leadership to another member; waits a few seconds at most.
   *
   * @return why not, empty if it was given back
   */
  Optional<String> transferLeadership();

  /** Lets this node lead although entries may be missing; waits some seconds at most. */
  ForcedTakeover.Answer forceStart(ForcedTakeover.Request request);
}
