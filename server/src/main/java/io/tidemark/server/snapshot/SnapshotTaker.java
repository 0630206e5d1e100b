package io.tidemark.server.snapshot;

import io.tidemark.server.config.SnapshotConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.snapshot.SnapshotRequests.Outcome;
import io.tidemark.snapshot.Manifest;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotException;
import io.tidemark.snapshot.SnapshotOptions;
import io.tidemark.snapshot.SnapshotStore;
import io.tidemark.snapshot.SnapshotWriter;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes one snapshot: captures, publishes, reads back, then removes what it makes superfluous:
 * older snapshots, and segments of the log behind the oldest kept one. One thread.
 */
final class SnapshotTaker {
  private static final Logger LOG = LoggerFactory.getLogger(SnapshotTaker.class);

  /** Least memory that records may take which change under a capture, bytes. */
  private static final long MIN_PRESERVED_BYTES = 64L << 20;

  /** Share of the tables that they may take if that is more. */
  private static final int PRESERVED_SHARE = 4;

  private final SnapshotConfig config;
  private final SnapshotSource source;
  private final SnapshotStore store;
  private final SnapshotOptions options;
  private final SnapshotFigures figures;

  SnapshotTaker(
      SnapshotConfig config,
      SnapshotSource source,
      SnapshotStore store,
      SnapshotOptions options,
      SnapshotFigures figures) {
    this.config = config;
    this.source = source;
    this.store = store;
    this.options = options;
    this.figures = figures;
  }

  /**
   * Takes one.
   *
   * @param stop asked now and then; yes gives it up
   * @throws RuntimeException if it was given up; nothing is left of it
   */
  Outcome take(BooleanSupplier stop) {
    Optional<Snapshot> newest = newest();
    if (newest.isPresent() && newest.get().index() == source.endIndex()) {
      return outcome(newest.get(), 0, true);
    }
    long begin = System.nanoTime();
    store.makeSure();
    source.rollSoon();
    Snapshot taken = capture(stop);
    List<String> faults = store.verify(taken);
    if (!faults.isEmpty()) {
      throw new SnapshotException(
          taken.folder()
              + " did not read back as it was written: "
              + faults.get(0)
              + "; check the disk. Older snapshots and the log stay");
    }
    long millis = (System.nanoTime() - begin) / 1_000_000;
    figures.took(millis);
    Outcome outcome = outcome(taken, millis, false);
    LOG.info(
        "event=snapshot_taken index={} epoch={} objects={} bytes={} ms={}",
        outcome.index(),
        outcome.epoch(),
        outcome.objects(),
        outcome.bytes(),
        millis);
    removeSuperfluous(taken);
    return outcome;
  }

  private Snapshot capture(BooleanSupplier stop) {
    long preserved = Math.max(MIN_PRESERVED_BYTES, source.tableBytes() / PRESERVED_SHARE);
    try (SnapshotWriter writer = store.writer(options, stop)) {
      source.capture(writer, preserved);
      return writer.published();
    }
  }

  /**
   * The log behind a snapshot goes only if that snapshot has just been read once more: it is one of
   * the two that then stand between a damage and a loss.
   */
  private void removeSuperfluous(Snapshot taken) {
    UUID cluster = options.cluster();
    OptionalLong floor = store.floor(config.kept(), cluster);
    while (floor.isPresent() && !isSound(floor.getAsLong(), taken)) {
      floor = store.floor(config.kept(), cluster);
    }
    if (floor.isPresent()) {
      store
          .retain(config.kept(), cluster)
          .forEach(f -> LOG.info("event=snapshot_removed folder={}", f));
      int removed = source.removeBefore(floor.getAsLong() + 1);
      figures.segmentsRemoved.add(removed);
      if (removed > 0) {
        LOG.info("event=log_trimmed segments={} before={}", removed, floor.getAsLong() + 1);
      }
    }
    publishFigures();
  }

  private boolean isSound(long index, Snapshot taken) {
    if (index == taken.index()) {
      return true;
    }
    for (Snapshot snapshot : store.list()) {
      if (snapshot.index() == index) {
        List<String> faults = store.verifyAgain(snapshot);
        faults.forEach(f -> LOG.error("event=snapshot_damaged snapshot={} cause=\"{}\"", index, f));
        return faults.isEmpty();
      }
    }
    return false;
  }

  /** Tells the metrics what is there. */
  void publishFigures() {
    List<Snapshot> verified = verified();
    SnapshotFigures.Latest latest =
        verified.isEmpty() ? new SnapshotFigures.Latest(0, 0, 0, 0, 0) : latest(verified.get(0));
    figures.setLatest(latest, verified.size());
  }

  private static SnapshotFigures.Latest latest(Snapshot snapshot) {
    Manifest manifest = snapshot.manifest().orElseThrow();
    return new SnapshotFigures.Latest(
        snapshot.index(),
        manifest.bytes(),
        manifest.chunks().size(),
        manifest.objects(),
        manifest.createdMs());
  }

  /** The newest verified snapshot. */
  Optional<Snapshot> newest() {
    return verified().stream().findFirst();
  }

  private List<Snapshot> verified() {
    return store.list().stream()
        .filter(Snapshot::isVerified)
        .filter(s -> s.manifest().orElseThrow().cluster().equals(options.cluster()))
        .toList();
  }

  private static Outcome outcome(Snapshot snapshot, long millis, boolean alreadyThere) {
    Manifest manifest = snapshot.manifest().orElseThrow();
    return new Outcome(
        Optional.empty(),
        manifest.position().index(),
        manifest.position().epoch(),
        manifest.objects(),
        manifest.bytes(),
        millis,
        snapshot.folder().toString(),
        alreadyThere);
  }
}
