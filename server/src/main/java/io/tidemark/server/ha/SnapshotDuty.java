package io.tidemark.server.ha;

import io.tidemark.server.Version;
import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.snapshot.SnapshotRequests;
import io.tidemark.server.snapshot.SnapshotService;
import io.tidemark.server.snapshot.SnapshotSource;
import io.tidemark.server.snapshot.Snapshots;
import io.tidemark.snapshot.SnapshotStore;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Who takes a member's snapshots at the moment: one service for each stretch of time as a standby
 * or as a leader. {@link #begin} and {@link #end} on the node's loop, at once; they start and stop
 * services one after the other on a thread of their own, since both look at files.
 */
final class SnapshotDuty implements SnapshotRequests {
  private final SnapshotConfig config;
  private final SnapshotStore store;
  private final SnapshotFigures figures = new SnapshotFigures();
  private final ExecutorService switching =
      Executors.newSingleThreadExecutor(
          work -> {
            Thread thread = new Thread(work, "snapshot-switch");
            thread.setDaemon(true);
            return thread;
          });
  private volatile SnapshotService service;

  SnapshotDuty(SnapshotConfig config, SnapshotStore store) {
    this.config = config;
    this.store = store;
  }

  SnapshotFigures figures() {
    return figures;
  }

  /** Snapshots are taken of this from now on. */
  void begin(SnapshotSource source, UUID cluster, UUID node) {
    end();
    Snapshots.Running running = new Snapshots.Running(source, cluster, node, Version.display());
    SnapshotService next = Snapshots.service(config, store, running, figures, -1);
    service = next;
    switching.execute(next::start);
  }

  /** None is taken any more; the one that is being taken is given up. */
  void end() {
    SnapshotService ended = service;
    service = null;
    if (ended != null) {
      switching.execute(ended::stop);
    }
  }

  @Override
  public CompletableFuture<Outcome> request() {
    SnapshotService now = service;
    return now != null ? now.request() : CompletableFuture.completedFuture(nobody());
  }

  private static Outcome nobody() {
    String why = "this master is neither a standby nor the leader at the moment; try again";
    return new Outcome(Optional.of(why), 0, 0, 0, 0, 0, "", false);
  }
}
