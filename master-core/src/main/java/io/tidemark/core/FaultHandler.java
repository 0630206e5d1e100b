package io.tidemark.core;

/**
 * Where faults go (rule F.14): nothing is swallowed. Called by whoever holds the core role; must
 * not block.
 */
public interface FaultHandler {

  /** One command failed in its decision and changed nothing; the master goes on. */
  void commandFailed(String command, RuntimeException broken);

  /**
   * The term is over: state and log may disagree, nothing more is appended or answered (COR-03).
   */
  void termEnded(String why, Throwable cause);
}
