package io.tidemark.server.snapshot;

import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.snapshot.SnapshotOptions;
import io.tidemark.snapshot.SnapshotStore;
import java.nio.file.Path;
import java.util.UUID;

/** Puts the parts together. */
public final class Snapshots {
  private static final String FOLDER = "snapshots";

  private Snapshots() {}

  /** The folder of snapshots in a data directory. */
  public static SnapshotStore storeIn(Path dataDirectory) {
    return new SnapshotStore(dataDirectory.resolve(FOLDER));
  }

  /**
   * The service for a running node; not started yet.
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
            running.cluster(),
            running.node(),
            running.version(),
            SnapshotOptions.DEFAULT_CHUNK_BYTES,
            config.bytesPerSecond(),
            System::currentTimeMillis);
    SnapshotSource source = running.source();
    SnapshotTaker taker = new SnapshotTaker(config, source, store, options, figures);
    return new SnapshotService(config, source, taker, figures, System::nanoTime, firstAfterMs);
  }

  /** What snapshots are taken of, and who writes them. */
  public record Running(SnapshotSource source, UUID cluster, UUID node, String version) {}
}
