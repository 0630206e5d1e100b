package io.tidemark.tools;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateRecord;
import io.tidemark.core.StateImporter;
import io.tidemark.core.StateImporter.Restored;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.oplog.LogReader;
import io.tidemark.snapshot.NothingToRestoreException;
import io.tidemark.snapshot.RestorePlan;
import io.tidemark.snapshot.Snapshot;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the state before the first entry of a log whose beginning was removed: in a snapshot. */
final class TrimmedLog {
  private final LogReader log;
  private final List<Snapshot> snapshots = new ArrayList<>();
  private final Map<Long, LogPosition> positions = new HashMap<>();
  private LogPosition end;

  /**
   * @param dataDirectory holds the log and the snapshots
   */
  TrimmedLog(LogReader log, Path dataDirectory) {
    this.log = log;
    snapshots.addAll(SnapshotFolder.in(dataDirectory).list());
  }

  /**
   * The state of the oldest usable snapshot, so that as much of the log as possible is replayed.
   *
   * @throws NothingToRestoreException if there is none
   */
  Restored restore() {
    LogPosition base = log.base();
    positions.put(base.index(), base);
    end = base;
    log.read(
        base.index() + 1,
        (entry, place) -> {
          end = new LogPosition(entry.header().epoch(), entry.header().index(), entry.chainHash());
          if (snapshots.stream().anyMatch(s -> s.index() == end.index())) {
            positions.put(end.index(), end);
          }
          return true;
        });
    List<Snapshot> oldestFirst = new ArrayList<>(snapshots);
    oldestFirst.removeIf(s -> s.index() > end.index());
    oldestFirst.sort((a, b) -> Long.compare(a.index(), b.index()));
    RestorePlan<Restored> plan =
        new RestorePlan<>(log.identity().cluster(), new View(), tolerant -> new Builder());
    return plan.choose(oldestFirst).state().orElseThrow();
  }

  private final class View implements RestorePlan.LogView {
    @Override
    public LogPosition base() {
      return log.base();
    }

    @Override
    public LogPosition end() {
      return end;
    }

    @Override
    public LogPosition at(long index) {
      return positions.get(index);
    }
  }

  /** Builds whole states only: what a damaged snapshot lacks can't be compared with digests. */
  private static final class Builder implements RestorePlan.StateBuilder<Restored> {
    private final StateImporter importer = new StateImporter(AllocatorKind.OFFSET);

    @Override
    public Optional<String> record(StateRecord record) {
      importer.record(record);
      return Optional.empty();
    }

    @Override
    public RestorePlan.Built<Restored> finish(LogPosition position, int leftOut) {
      if (leftOut > 0) {
        throw new IllegalStateException(leftOut + " objects are damaged");
      }
      Restored restored = importer.finish(position);
      return new RestorePlan.Built<>(restored, restored.digest());
    }
  }
}
