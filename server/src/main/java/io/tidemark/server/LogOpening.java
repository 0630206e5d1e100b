package io.tidemark.server;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.core.FaultHandler;
import io.tidemark.core.Master;
import io.tidemark.core.Master.Ports;
import io.tidemark.core.Master.TermStart;
import io.tidemark.core.ScanExecutor;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.CorruptLogException;
import io.tidemark.oplog.DirectoryLockedException;
import io.tidemark.oplog.LogFormatException;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.oplog.Persist;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.config.StorageConfig;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens the operation log, says what it found, and starts the state machine over it. */
final class LogOpening {

  private static final Logger LOG = LoggerFactory.getLogger(LogOpening.class);

  /** A started state machine and what its log held. */
  record Started(Master master, OpenedLog opened, boolean droppedMemoryReplicas) {}

  private LogOpening() {}

  /**
   * Starts the state machine.
   *
   * @throws StartException with the reason for the operator
   */
  static Started start(ServerConfig config, FaultHandler faults) {
    OpenedLog opened = openLog(config.storage());
    try {
      return startMaster(config, opened, faults);
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
    } catch (LogFailureException | LogFullException failure) {
      opened.log().close(false);
      throw new StartException(ExitCode.DIRECTORY_UNUSABLE, failure.getMessage(), failure);
    }
  }

  private static OpenedLog openLog(StorageConfig storage) {
    LogOptions options =
        LogOptions.defaults(storage.dataDir())
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

  /** Memory replicas can't be trusted once acknowledged entries may be missing (COR-13). */
  private static Started startMaster(ServerConfig config, OpenedLog opened, FaultHandler faults) {
    boolean forced = config.storage().forcedStart();
    boolean drop = opened.entriesMayBeMissing() || forced;
    if (drop && !opened.report().newDirectory()) {
      LOG.warn(
          "event=memory_replicas_dropped reason={} meaning=\"acknowledged entries may be missing from the log, so"
              + " ranges of memory may hold other objects' bytes; clients put their objects again\"",
          forced ? "forced_start" : "log_may_be_incomplete");
    }
    Ports ports =
        new Ports(
            opened.log(),
            System::nanoTime,
            System::currentTimeMillis,
            bound -> ThreadLocalRandom.current().nextInt(bound),
            new ScanExecutor(),
            faults);
    UUID node = opened.identity().node();
    Uuid nodeId = new Uuid(node.getMostSignificantBits(), node.getLeastSignificantBits());
    Master master = Master.start(config.master(), ports, new TermStart(nodeId, drop, forced));
    if (drop) {
      opened.log().lossHandled();
    }
    return new Started(master, opened, drop);
  }
}
