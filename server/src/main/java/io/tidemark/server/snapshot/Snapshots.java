package io.tidemark.server.snapshot;

import io.tidemark.core.Master;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogIdentity;
import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.snapshot.SnapshotOptions;
import io.tidemark.snapshot.SnapshotStore;
import java.nio.file.Path;

/** Puts the parts together. */
public final class Snapshots {
  private static final String FOLDER = "snapshots";

  private Snapshots() {}

  /** The folder of snapshots in a data directory. */
  public static SnapshotStore storeIn(Path dataDirectory) {
    return new SnapshotStore(dataDirectory.resolve(FOLDER));
  }

  /**
   * The service for a running master; not started yet.
   *
   * @param firstAfterMs see {@link SnapshotService}
   */
  public static SnapshotService service(
      SnapshotConfig config,
      SnapshotStore store,
      Running running,
      SnapshotFigures figures,
      long firstAfterMs) {
    SnapshotOptions options =
        new SnapshotOptions(
            running.identity().cluster(),
            running.identity().node(),
            running.version(),
            SnapshotOptions.DEFAULT_CHUNK_BYTES,
            config.bytesPerSecond(),
            System::currentTimeMillis);
    SnapshotSource source = new MasterSource(running.master(), running.log(), running.trims());
    SnapshotTaker taker = new SnapshotTaker(config, source, store, options, figures);
    return new SnapshotService(config, source, taker, figures, System::nanoTime, firstAfterMs);
  }

  /**
   * What snapshots are taken of, and who writes them.
   *
   * @param trims whether they may make the log shorter
   */
  public record Running(
      Master master, ChronicleLog log, LogIdentity identity, String version, boolean trims) {}
}
