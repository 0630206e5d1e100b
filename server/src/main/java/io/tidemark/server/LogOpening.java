package io.tidemark.server;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.core.FaultHandler;
import io.tidemark.core.Master;
import io.tidemark.core.Master.Ports;
import io.tidemark.core.Master.TermStart;
import io.tidemark.core.ScanExecutor;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.CorruptLogException;
import io.tidemark.oplog.DirectoryLockedException;
import io.tidemark.oplog.LogDamage;
import io.tidemark.oplog.LogFormatException;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.oplog.Persist;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.config.StorageConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.metrics.TimedLog;
import io.tidemark.server.snapshot.CoveredLogCheck;
import io.tidemark.server.snapshot.MasterSource;
import io.tidemark.server.snapshot.SnapshotService;
import io.tidemark.server.snapshot.Snapshots;
import io.tidemark.server.snapshot.StateRestore;
import io.tidemark.snapshot.NothingToRestoreException;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotException;
import io.tidemark.snapshot.SnapshotStore;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the operation log, says what it found, and starts the state machine over it. */
final class LogOpening {

  private static final Logger LOG = LoggerFactory.getLogger(LogOpening.class);

  /** A started state machine and what its log held. */
  record Started(
      Master master,
      OpenedLog opened,
      boolean droppedMemoryReplicas,
      SnapshotService snapshots,
      CoveredLogCheck check,
      MasterRole role) {}

  private LogOpening() {}

  /**
   * Starts the state machine.
   *
   * @throws StartException with the reason for the operator
   */
  static Started start(ServerConfig config, FaultHandler faults) {
    refuseMember(config.storage());
    OpenedLog opened = openLog(config.storage(), true, coveredUpTo(config));
    try {
      return restoreAndStart(config, opened, faults);
    } catch (NothingToRestoreException nothing) {
      opened.log().close(false);
      throw nothingToRestore(config, nothing);
    } catch (UnknownEventException newer) {
      opened.log().close(false);
      throw new StartException(
          ExitCode.UNKNOWN_FORMAT,
          "the log in "
              + config.storage().dataDir()
              + " holds an event that this version does not know ("
              + newer.getMessage()
              + "); start the version that wrote it, or a newer one",
          newer);
    } catch (CorruptLogException corrupt) {
      opened.log().close(false);
      throw new StartException(ExitCode.LOG_DAMAGED, corrupt.getMessage(), corrupt);
    } catch (LogFailureException failure) {
      opened.log().close(false);
      throw new StartException(ExitCode.DIRECTORY_UNUSABLE, failure.getMessage(), failure);
    } catch (LogFullException full) {
      opened.log().close(false);
      throw new StartException(
          ExitCode.DIRECTORY_UNUSABLE,
          config.storage().dataDir()
              + ": the disk is full: "
              + full.getMessage()
              + ". Nothing is lost; start again then",
          full);
    }
  }

  /** What a cluster decided elsewhere is not this log's to go on with (COR-17). */
  private static void refuseMember(StorageConfig storage) {
    Optional<UUID> cluster = memberFile(storage).facts().cluster();
    if (cluster.isPresent()) {
      throw new StartException(
          ExitCode.DIRECTORY_UNUSABLE,
          storage.dataDir()
              + " belongs to a member of cluster "
              + cluster.get()
              + "; start it with --enable_ha. Nothing was changed",
          null);
    }
  }

  /** Whose member the directory is. */
  static MemberFile memberFile(StorageConfig storage) {
    try {
      return new MemberFile(storage.dataDir());
    } catch (LogFormatException format) {
      throw new StartException(ExitCode.UNKNOWN_FORMAT, format.getMessage(), format);
    } catch (LogFailureException failure) {
      throw new StartException(ExitCode.DIRECTORY_UNUSABLE, failure.getMessage(), failure);
    }
  }

  /**
   * Opens the log.
   *
   * @param alone whether this is a single master's
   * @throws StartException with the reason for the operator
   */
  static OpenedLog openLog(StorageConfig storage, boolean alone) {
    return openLog(storage, alone, 0);
  }

  /** As {@link #openLog(StorageConfig, boolean)}, of a log that a snapshot covers so far. */
  private static OpenedLog openLog(StorageConfig storage, boolean alone, long coveredUpTo) {
    LogOptions options =
        LogOptions.defaults(storage.dataDir())
            .withAlone(alone)
            .withCoveredUpTo(coveredUpTo)
            .withPersist(storage.forceToDisk() ? Persist.DISK : Persist.PAGE);
    try {
      return ChronicleLog.open(
          storage.cutFromIndex().isPresent()
              ? options.withCutFromIndex(storage.cutFromIndex().getAsLong())
              : options);
    } catch (DirectoryLockedException locked) {
      throw new StartException(ExitCode.DIRECTORY_LOCKED, locked.getMessage(), locked);
    } catch (LogFormatException format) {
      throw new StartException(ExitCode.UNKNOWN_FORMAT, format.getMessage(), format);
    } catch (CorruptLogException corrupt) {
      throw new StartException(ExitCode.LOG_DAMAGED, corrupt.getMessage(), corrupt);
    } catch (LogFailureException failure) {
      throw new StartException(ExitCode.DIRECTORY_UNUSABLE, failure.getMessage(), failure);
    }
  }

  /**
   * Up to where the log need not be read before the master serves: what the newest verified
   * snapshot holds. An operator who gives something up wants all of it read.
   */
  private static long coveredUpTo(ServerConfig config) {
    if (config.storage().cutFromIndex().isPresent() || config.snapshots().startEmpty()) {
      return 0;
    }
    try {
      return Snapshots.storeIn(config.storage().dataDir()).list().stream()
          .filter(Snapshot::isVerified)
          .mapToLong(Snapshot::index)
          .max()
          .orElse(0);
    } catch (SnapshotException unreadable) {
      return 0; // whoever restores says so
    }
  }

  private static StateRestore.Start restored(
      StateRestore restore, boolean startEmpty, ChronicleLog log) {
    StateRestore.Start start;
    try {
      start = restore.run(startEmpty);
    } catch (CorruptLogException found) {
      requireSoundFrom(LogPosition.START, log); // says more
      throw found;
    }
    requireSoundFrom(start.restored().position(), log);
    return start;
  }

  /** The snapshot that the log was opened with was of no use: what it covered counts after all. */
  private static void requireSoundFrom(LogPosition position, ChronicleLog log) {
    if (position.index() + 1 < log.checkedFrom()) {
      LOG.warn("event=log_read_whole cause=\"the newest snapshot is of no use\"");
      Optional<LogDamage> damage = log.checkCovered(() -> true);
      if (damage.isPresent()) {
        throw new CorruptLogException(
            damage.get(),
            "The newest snapshot, which would do without it, can't be used either. Restore the file"
                + " from a copy; or, if there is none, start once with --log_cut_from="
                + damage.get().index()
                + ": the log then ends before that entry, and what followed is moved away");
      }
    }
  }

  private static StartException nothingToRestore(
      ServerConfig config, NothingToRestoreException nothing) {
    return new StartException(
        ExitCode.NOTHING_TO_RESTORE,
        config.storage().dataDir()
            + ": "
            + nothing.getMessage()
            + ". Nothing was changed. Bring back a copy of a snapshot's folder, or of the log; or"
            + " start once with --start_empty to give up every object that was there",
        nothing);
  }

  private static Started restoreAndStart(
      ServerConfig config, OpenedLog opened, FaultHandler faults) {
    SnapshotFigures figures = new SnapshotFigures();
    SnapshotStore store = Snapshots.storeIn(config.storage().dataDir());
    openStore(store, figures);
    StateRestore restore =
        new StateRestore(
            store, opened.log(), opened.identity().cluster(), config.master().allocatorKind());
    StateRestore.Start start = restored(restore, config.snapshots().startEmpty(), opened.log());
    figures.rejected.add(start.rejected().size());
    figures.objectsLeftOut.add(start.restored().leftOut());
    long logEnd = opened.log().end().index();
    boolean forced = config.storage().forcedStart() || start.empty();
    boolean drop = opened.entriesMayBeMissing() || start.entriesLost() || forced;
    Master master;
    try {
      master = startMaster(config, opened, faults, start, drop, forced);
    } catch (IllegalStateException misfit) {
      if (start.restored().leftOut() == 0) {
        throw misfit;
      }
      opened.log().close(false);
      throw new StartException(
          ExitCode.NOTHING_TO_RESTORE,
          "no intact snapshot is left in "
              + store.root()
              + ", and behind the damaged one of entry "
              + start.restored().position().index()
              + " the log can't be replayed: "
              + misfit.getMessage()
              + ". Bring back a copy of a snapshot's folder; without one, move this folder away and"
              + " start once with --start_empty to give up every object that was there",
          misfit);
    }
    setAsideBeyond(logEnd, start.rejected(), store);
    Snapshots.Running running =
        new Snapshots.Running(
            new MasterSource(master, opened.log()),
            opened.identity().cluster(),
            opened.identity().node(),
            Version.display());
    SnapshotService service =
        Snapshots.service(
            config.snapshots(), store, running, figures, firstSnapshotAfterMs(config, start));
    CoveredLogCheck check = new CoveredLogCheck(opened.log(), service, figures);
    MasterRole role = MasterRole.of(master, service, figures, opened.log().times(), check);
    return new Started(master, opened, drop, service, check, role);
  }

  /**
   * A folder that can't be written is no reason not to serve; taking snapshots will say so again.
   */
  private static void openStore(SnapshotStore store, SnapshotFigures figures) {
    try {
      for (String leftover : store.open()) {
        figures.leftovers.increment();
        LOG.warn("event=snapshot_leftover {}", leftover);
      }
    } catch (SnapshotException unwritable) {
      LOG.error("event=snapshot_folder_unusable cause=\"{}\"", unwritable.getMessage());
    }
  }

  /**
   * What a start could not get back must not be looked for again and again: a snapshot is taken
   * soon, behind objects that were left out not before their memory may be given out again.
   */
  private static long firstSnapshotAfterMs(ServerConfig config, StateRestore.Start start) {
    if (start.restored().leftOut() > 0) {
      return Math.max(config.master().writerQuarantineMs(), config.master().leaseTtlMs()) + 1_000;
    }
    return start.empty() ? 0 : -1;
  }

  /** Snapshots above the end of a log that goes on without them are of another history (COR-26). */
  private static void setAsideBeyond(long logEnd, List<Snapshot> rejected, SnapshotStore store) {
    for (Snapshot snapshot : rejected) {
      try {
        if (snapshot.index() > logEnd) {
          LOG.warn("event=snapshot_set_aside folder={}", store.setAside(snapshot));
        }
      } catch (SnapshotException unwritable) {
        LOG.error("event=snapshot_set_aside_failed cause=\"{}\"", unwritable.getMessage());
      }
    }
  }

  /** Memory replicas can't be trusted once acknowledged entries may be missing (COR-13). */
  private static Master startMaster(
      ServerConfig config,
      OpenedLog opened,
      FaultHandler faults,
      StateRestore.Start start,
      boolean drop,
      boolean forced) {
    if (drop && !opened.report().newDirectory()) {
      LOG.warn(
          "event=memory_replicas_dropped reason={} meaning=\"acknowledged entries may be missing from the log, so"
              + " ranges of memory may hold other objects' bytes; clients put their objects again\"",
          forced ? "forced_start" : "log_may_be_incomplete");
    }
    Ports ports =
        new Ports(
            new TimedLog(opened.log(), opened.log().times().commit(), System::nanoTime),
            System::nanoTime,
            System::currentTimeMillis,
            bound -> ThreadLocalRandom.current().nextInt(bound),
            new ScanExecutor(),
            faults);
    UUID node = opened.identity().node();
    Uuid nodeId = new Uuid(node.getMostSignificantBits(), node.getLeastSignificantBits());
    Master master =
        Master.start(config.master(), ports, new TermStart(nodeId, drop, forced), start.restored());
    if (drop) {
      opened.log().lossHandled();
    }
    return master;
  }
}
