package io.tidemark.server.node;

import io.tidemark.api.ha.Leadership;
import io.tidemark.api.log.OperationLog;
import io.tidemark.core.Master;

/** What the process around a node is told, on the node's loop. */
public interface NodeListener {

  /**
   * The role changed, or the reason why the node does not get on.
   *
   * @param why a sentence for people
   */
  void role(NodeRole role, String why);

  /** The log of a term, as its master is to see it: who wants to watch it puts itself before it. */
  default OperationLog watched(OperationLog log) {
    return log;
  }

  /** The master serves: the client port is to be open when this returns. */
  void serving(Master master, Leadership leadership);

  /** Unmodified clients can find the master, under this view version. */
  void published(long viewVersion);

  /** The master serves no more; whoever calls it is refused already. */
  void notServing();

  /** A person has to look: what happened, and where the evidence is. */
  void alarm(String what);

  /** A command of the master failed and changed nothing. */
  void commandFailed(String command, RuntimeException broken);
}
