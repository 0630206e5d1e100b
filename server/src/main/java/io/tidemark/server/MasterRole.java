package io.tidemark.server;

import io.tidemark.core.Master;
import io.tidemark.core.MasterService;

/**
 * The state machine as the process drives it.
 *
 * @param tick background work, called every 10 ms on one thread
 * @param stop refuses new mutations and closes the log cleanly; called once, after the client port
 *     has drained
 */
public record MasterRole(MasterService service, Runnable tick, Runnable stop) {

  /** The real one. */
  public static MasterRole of(Master master) {
    return new MasterRole(master, master::tick, master::stop);
  }
}
