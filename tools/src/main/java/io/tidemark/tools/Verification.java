package io.tidemark.tools;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventType;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import io.tidemark.core.Replayer;
import io.tidemark.core.StateImporter;
import io.tidemark.core.segment.AllocatorKind;
import io.tidemark.oplog.EntryPlace;
import io.tidemark.oplog.LogReader;
import io.tidemark.snapshot.NothingToRestoreException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Checks one log from end to end: its bytes (checksum, index, chain hash, epoch, batch ends, the
 * clean-stop mark) and its meaning (every event fits the state before it, every recorded digest
 * agrees with the replay).
 *
 * <p>Holds the whole state in memory, as a master does.
 */
final class Verification {
  /** Replaying takes and frees what events say, so the allocator's kind makes no difference. */
  private Replayer replayer = new Replayer(AllocatorKind.OFFSET);

  /** Entries up to this one are in the state that the replay begins with. */
  private long replayedFrom;

  private final List<String> faults = new ArrayList<>();
  private final Set<Path> files = new LinkedHashSet<>();
  private final WholeBatches batches = new WholeBatches(this::entry);
  private long digestsCompared;
  private LogReader.Outcome outcome;
  private Optional<LogPosition> cleanStop = Optional.empty();

  /**
   * Reads the log; the other methods then say what was found.
   *
   * @param dataDirectory where snapshots are, for a log whose beginning was removed
   */
  void run(LogReader log, Path dataDirectory) {
    cleanStop = log.cleanStop();
    if (log.base().index() > 0) {
      beginWithSnapshot(log, dataDirectory);
    }
    outcome =
        log.read(
            1,
            (entry, place) -> {
              files.add(place.file());
              return batches.entry(entry, place);
            });
    outcome.damage().ifPresent(damage -> faults.add(LogEnd.explain(damage)));
    if (faults.isEmpty()) {
      checkCleanStop(log);
    }
  }

  private void beginWithSnapshot(LogReader log, Path dataDirectory) {
    try {
      StateImporter.Restored restored = new TrimmedLog(log, dataDirectory).restore();
      replayer = new Replayer(restored);
      replayedFrom = restored.position().index();
    } catch (NothingToRestoreException nothing) {
      faults.add(nothing.getMessage() + "; its events can't be held against a state");
      replayedFrom = Long.MAX_VALUE;
    }
  }

  /** Entries up to this one were not replayed: the snapshot that the replay began with has them. */
  long replayedFrom() {
    return replayedFrom;
  }

  private boolean entry(LogEntry entry, EntryPlace place) {
    if (entry.header().index() <= replayedFrom) {
      return true;
    }
    try {
      compareDigest(entry, place);
      replayer.entry(entry);
    } catch (UnknownEventException newer) {
      throw newer;
    } catch (RuntimeException misfit) {
      faults.add(
          Payload.at(entry, place)
              + ": its bytes are intact, but it does not fit the state before it: "
              + misfit.getMessage());
    }
    return faults.isEmpty();
  }

  /** A digest record is alone in its entry, so the state before the entry is what it describes. */
  private void compareDigest(LogEntry entry, EntryPlace place) {
    byte[] payload = entry.payload();
    if (payload.length == 0 || payload[0] != EventType.STATE_DIGEST.code()) {
      return;
    }
    Event.StateDigest recorded = (Event.StateDigest) Payload.events(entry, place).get(0);
    long digest = replayer.digest();
    long objects = replayer.state().objects().objectCount();
    digestsCompared++;
    if (digest != recorded.digest() || objects != recorded.objectCount()) {
      faults.add(
          String.format(
              "%s: records state digest %s of %d objects, the replay up to here has %s of %d: the"
                  + " events before it do not give the state that their writer had",
              Payload.at(entry, place),
              EventText.digest(recorded.digest()),
              recorded.objectCount(),
              EventText.digest(digest),
              objects));
    }
  }

  /** Without damage the log must reach as far as its clean-stop mark says, with the same hash. */
  private void checkCleanStop(LogReader log) {
    LogPosition end = outcome.wholeEnd();
    if (cleanStop.isEmpty() || cleanStop.get().equals(end)) {
      return;
    }
    LogPosition mark = cleanStop.get();
    if (mark.index() > end.index()) {
      faults.add(
          String.format(
              "the log was stopped at entry %d and now ends at entry %d: entries are missing",
              mark.index(), end.index()));
    } else if (mark.index() == end.index()) {
      faults.add(
          String.format(
              "entry %d has chain hash %s, it had %s when the log was stopped: it was altered",
              end.index(), EventText.digest(end.chainHash()), EventText.digest(mark.chainHash())));
    } else if (log.cleanStop().equals(cleanStop)) {
      faults.add(
          String.format(
              "the log was stopped at entry %d, but goes on to entry %d without a start between",
              mark.index(), end.index()));
    }
  }

  /** One sentence for each thing that is wrong; empty for a sound log. */
  List<String> faults() {
    return faults;
  }

  LogReader.Outcome outcome() {
    return outcome;
  }

  /** State and counts of the replay. */
  Replayer replayer() {
    return replayer;
  }

  /** The clean-stop mark, if there is one. */
  Optional<LogPosition> cleanStop() {
    return cleanStop;
  }

  long batches() {
    return batches.batches();
  }

  /** Entries behind the last whole batch. */
  int openEntries() {
    return batches.openEntries();
  }

  int segmentFiles() {
    return files.size();
  }

  long digestsCompared() {
    return digestsCompared;
  }
}
