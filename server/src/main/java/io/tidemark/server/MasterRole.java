package io.tidemark.server;

import io.tidemark.core.Master;
import io.tidemark.core.MasterService;
import io.tidemark.oplog.LogTimes;
import io.tidemark.server.ha.HaMember;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.snapshot.CoveredLogCheck;
import io.tidemark.server.snapshot.SnapshotRequests;
import io.tidemark.server.snapshot.SnapshotService;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;

/**
 * The state machine as the process drives it.
 *
 * @param tick background work, called every 10 ms on one thread
 * @param leave gives a leadership to another process; called once before the client port drains,
 *     and tells whether clients may still come here for a while
 * @param stop refuses new mutations and closes the log cleanly; called once, after the client port
 *     has drained
 * @param logTimes how long the log takes
 * @param member present in a cluster, where a master that does not serve is no failure
 */
public record MasterRole(
    MasterService service,
    Runnable tick,
    BooleanSupplier leave,
    Runnable stop,
    SnapshotRequests snapshots,
    SnapshotFigures snapshotFigures,
    LogTimes logTimes,
    Optional<HaMember> member) {

  /** One that takes no snapshots. */
  public MasterRole(MasterService service, Runnable tick, Runnable stop) {
    this(
        service,
        tick,
        () -> false,
        stop,
        () -> CompletableFuture.failedFuture(new IllegalStateException("no snapshots here")),
        new SnapshotFigures(),
        new LogTimes(),
        Optional.empty());
  }

  /** A single master; what reads the log and takes snapshots stops before the log is closed. */
  static MasterRole of(
      Master master,
      SnapshotService snapshots,
      SnapshotFigures figures,
      LogTimes logTimes,
      CoveredLogCheck check) {
    Runnable stop =
        () -> {
          check.stop();
          snapshots.stop();
          master.stop();
        };
    return new MasterRole(
        master, master::tick, () -> false, stop, snapshots, figures, logTimes, Optional.empty());
  }

  /** A member of a cluster. */
  public static MasterRole ofMember(
      HaMember member,
      Runnable tick,
      SnapshotRequests snapshots,
      SnapshotFigures figures,
      LogTimes logTimes) {
    return new MasterRole(
        member.service(),
        tick,
        member::leave,
        member::stop,
        snapshots,
        figures,
        logTimes,
        Optional.of(member));
  }
}
