package io.tidemark.server.ha;

import io.tidemark.api.ha.Member;
import io.tidemark.core.Master;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogIdentity;
import io.tidemark.server.Version;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.snapshot.SnapshotRequests;
import io.tidemark.server.snapshot.SnapshotService;
import io.tidemark.server.snapshot.Snapshots;
import io.tidemark.snapshot.SnapshotStore;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * Snapshots of a leader, one service a term. They never make the log shorter: a standby that lags
 * gets entries from it, and there is no other way yet to bring it up.
 */
final class TermSnapshots implements SnapshotRequests {
  private final ServerConfig config;
  private final ChronicleLog log;
  private final SnapshotStore store;
  private final SnapshotFigures figures = new SnapshotFigures();
  private volatile SnapshotService service;

  TermSnapshots(ServerConfig config, ChronicleLog log) {
    this.config = config;
    this.log = log;
    store = Snapshots.storeIn(config.storage().dataDir());
  }

  SnapshotFigures figures() {
    return figures;
  }

  /** A term began; returns at once. */
  void begin(Master master, UUID cluster, Member self) {
    LogIdentity identity = new LogIdentity(cluster, self.node(), self.incarnation());
    Snapshots.Running running =
        new Snapshots.Running(master, log, identity, Version.display(), false);
    SnapshotService next = Snapshots.service(config.snapshots(), store, running, figures, -1);
    service = next;
    inBackground(next::start, "snapshot-start");
  }

  /** The term is over; returns at once, what is being taken is given up on a thread of its own. */
  void end() {
    SnapshotService ended = service;
    service = null;
    if (ended != null) {
      inBackground(ended::stop, "snapshot-stop");
    }
  }

  /** Both look at files, which the node's loop does not wait for. */
  private static void inBackground(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public CompletableFuture<Outcome> request() {
    SnapshotService now = service;
    return now != null
        ? now.request()
        : CompletableFuture.completedFuture(
            new Outcome(
                Optional.of("this master does not lead; ask the leader"),
                0,
                0,
                0,
                0,
                0,
                "",
                false));
  }
}
