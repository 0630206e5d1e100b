package io.tidemark.server;

import io.tidemark.core.Master;
import io.tidemark.core.MasterService;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.snapshot.SnapshotRequests;
import io.tidemark.server.snapshot.SnapshotService;
import java.util.concurrent.CompletableFuture;

/**
 * The state machine as the process drives it.
 *
 * @param tick background work, called every 10 ms on one thread
 * @param stop refuses new mutations and closes the log cleanly; called once, after the client port
 *     has drained
 */
public record MasterRole(
    MasterService service,
    Runnable tick,
    Runnable stop,
    SnapshotRequests snapshots,
    SnapshotFigures snapshotFigures) {

  /** One that takes no snapshots. */
  public MasterRole(MasterService service, Runnable tick, Runnable stop) {
    this(
        service,
        tick,
        stop,
        () -> CompletableFuture.failedFuture(new IllegalStateException("no snapshots here")),
        new SnapshotFigures());
  }

  /** The real one; snapshots stop before the log is closed. */
  static MasterRole of(Master master, SnapshotService snapshots, SnapshotFigures figures) {
    Runnable stop =
        () -> {
          snapshots.stop();
          master.stop();
        };
    return new MasterRole(master, master::tick, stop, snapshots, figures);
  }
}
