package io.tidemark.server.snapshot;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateRecord;
import io.tidemark.core.StateImporter;
import io.tidemark.core.StateImporter.Restored;
import io.tidemark.core.TolerantImporter;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.snapshot.NothingToRestoreException;
import io.tidemark.snapshot.RestorePlan;
import io.tidemark.snapshot.RestorePlan.Choice;
import io.tidemark.snapshot.RestorePlan.Kind;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotException;
import io.tidemark.snapshot.SnapshotStore;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a start goes on from: the choice among snapshots and the log, carried out and said. */
public final class StateRestore {
  private static final Logger LOG = LoggerFactory.getLogger(StateRestore.class);

  /** A bound of how many ids one log entry can use up, far above what fits into it. */
  private static final int IDS_AN_ENTRY_BITS = 20;

  private static final int MAX_NAMED = 100;

  private final SnapshotStore store;
  private final ChronicleLog log;
  private final UUID cluster;
  private final AllocatorKind allocatorKind;

  /**
   * A state to start from.
   *
   * @param entriesLost whether acknowledged entries are known to be missing
   * @param empty whether an operator ordered to start without what was lost
   * @param rejected snapshots that can't be used
   */
  public record Start(
      Restored restored, boolean entriesLost, boolean empty, List<Snapshot> rejected) {}

  public StateRestore(
      SnapshotStore store, ChronicleLog log, UUID cluster, AllocatorKind allocatorKind) {
    this.store = store;
    this.log = log;
    this.cluster = cluster;
    this.allocatorKind = allocatorKind;
  }

  /**
   * Restores.
   *
   * @param startEmpty consent to an empty state if there is no other
   * @throws NothingToRestoreException without that consent
   */
  public Start run(boolean startEmpty) {
    try {
      Choice<Restored> choice = plan().choose(store.list());
      choice.rejected().forEach(this::reject);
      sayLeftOut(choice.leftOut());
      return carryOut(choice);
    } catch (NothingToRestoreException nothing) {
      nothing.rejected().forEach(this::reject);
      if (!startEmpty) {
        throw nothing;
      }
      LOG.error(
          "event=started_empty index={} cause=\"--start_empty was given\" meaning=\"every object"
              + " before this entry is forgotten\" found=\"{}\"",
          log.end().index(),
          nothing.getMessage());
      List<Snapshot> rejected =
          nothing.rejected().stream().map(RestorePlan.Rejection::snapshot).toList();
      return new Start(empty(), true, true, rejected);
    }
  }

  /**
   * What a member of a cluster goes on from; nothing is done to the log. A snapshot of which
   * objects are damaged is no choice for it: other members have it whole.
   *
   * @throws NothingToRestoreException if there is nothing to go on from
   */
  public Choice<Restored> chooseWhole() {
    try {
      Choice<Restored> choice = plan().chooseWhole(store.list());
      choice.rejected().forEach(this::reject);
      return choice;
    } catch (NothingToRestoreException nothing) {
      nothing.rejected().forEach(this::reject);
      throw nothing;
    }
  }

  /** The state that a choice stands for. */
  public Restored stateOf(Choice<Restored> choice) {
    return choice
        .state()
        .orElseGet(() -> new StateImporter(allocatorKind).finish(LogPosition.START));
  }

  /** A plan over a log, which builds states that the core can start from. */
  private RestorePlan<Restored> plan() {
    return new RestorePlan<>(cluster, new View(log), tolerant -> builder(allocatorKind, tolerant));
  }

  private Start carryOut(Choice<Restored> choice) {
    List<Snapshot> rejected =
        choice.rejected().stream().map(RestorePlan.Rejection::snapshot).toList();
    if (choice.kind() == Kind.FULL_REPLAY) {
      return new Start(stateOf(choice), choice.entriesLost(), false, rejected);
    }
    Restored restored = choice.state().orElseThrow();
    LogPosition at = choice.position();
    if (choice.kind() == Kind.SNAPSHOT_BEYOND_LOG) {
      LOG.error(
          "event=log_tail_lost log_end={} snapshot={} meaning=\"the log has lost entries that this"
              + " snapshot holds; it goes on behind the snapshot, and what followed that is gone\"",
          log.end().index(),
          at.index());
      log.continueBehind(at);
    }
    LOG.info(
        "event=restored snapshot={} epoch={} objects={} log_end={}",
        at.index(),
        at.epoch(),
        restored.state().objects().objectCount(),
        log.end().index());
    return new Start(restored, choice.entriesLost(), false, rejected);
  }

  private void reject(RestorePlan.Rejection rejection) {
    Snapshot snapshot = rejection.snapshot();
    LOG.error(
        "event=snapshot_rejected snapshot={} reason=\"{}\"", snapshot.folder(), rejection.reason());
    if (snapshot.isVerified()) {
      try {
        store.setDamaged(snapshot, rejection.reason());
      } catch (SnapshotException readOnly) {
        LOG.warn("event=snapshot_mark_failed cause=\"{}\"", readOnly.getMessage());
      }
    }
  }

  private static void sayLeftOut(List<String> leftOut) {
    if (leftOut.isEmpty()) {
      return;
    }
    LOG.error(
        "event=objects_left_out count={} meaning=\"no intact snapshot is left; these objects are"
            + " damaged in the newest one and can't be served\"",
        leftOut.size());
    leftOut.stream().limit(MAX_NAMED).forEach(one -> LOG.error("event=object_left_out {}", one));
  }

  /** Nothing but what keeps numbers from being used again. */
  private Restored empty() {
    LogPosition end = log.end();
    long ids = end.index() + 1 << IDS_AN_ENTRY_BITS;
    long[] lastLogTimeMs = new long[1];
    log.read(
        end.index(),
        entry -> {
          lastLogTimeMs[0] = entry.header().logTimeMs();
          return true;
        });
    StateImporter importer = new StateImporter(allocatorKind);
    importer.record(new StateRecord.Facts(ids, end.epoch(), 0, lastLogTimeMs[0], ids, 0));
    return importer.finish(end);
  }

  /** A builder of states that the core can start from. */
  static RestorePlan.StateBuilder<Restored> builder(AllocatorKind kind, boolean tolerant) {
    return tolerant
        ? new Tolerant(new TolerantImporter(kind))
        : new Strict(new StateImporter(kind));
  }

  private record View(ChronicleLog log) implements RestorePlan.LogView {
    @Override
    public LogPosition base() {
      return log.base();
    }

    @Override
    public LogPosition end() {
      return log.end();
    }

    @Override
    public LogPosition at(long index) {
      return log.positionAt(index)
          .orElseThrow(() -> new IllegalArgumentException("the log has no entry " + index));
    }
  }

  private record Strict(StateImporter importer) implements RestorePlan.StateBuilder<Restored> {
    @Override
    public Optional<String> record(StateRecord record) {
      importer.record(record);
      return Optional.empty();
    }

    @Override
    public RestorePlan.Built<Restored> finish(LogPosition position, int leftOut) {
      Restored restored = importer.finish(position);
      return new RestorePlan.Built<>(restored, restored.digest());
    }
  }

  private record Tolerant(TolerantImporter importer) implements RestorePlan.StateBuilder<Restored> {
    @Override
    public Optional<String> record(StateRecord record) {
      return importer.record(record);
    }

    @Override
    public RestorePlan.Built<Restored> finish(LogPosition position, int leftOut) {
      Restored restored = importer.finish(position, leftOut);
      return new RestorePlan.Built<>(restored, restored.digest());
    }
  }
}
