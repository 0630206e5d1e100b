package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.RecoveryReport;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a start does before the first append: finds the true end of the log, repairs what may be
 * repaired, refuses what may not, and says who the directory is now.
 *
 * <p>The caller holds the directory's lock.
 */
final class LogRecovery {
  private final LogDirectory directory;
  private final LogOptions options;
  private final List<String> findings = new ArrayList<>();
  private long acceptedEpoch;

  LogRecovery(LogDirectory directory, LogOptions options) {
    this.directory = directory;
    this.options = options;
  }

  /**
   * Result of a recovery.
   *
   * @param state as FORMAT says now
   * @param base as BASE says
   * @param acceptedEpoch as EPOCH says, 0 if there is none
   * @param knownCommit highest commit index that an entry carries, at least the base's
   * @param table segments that hold entries
   * @param nextSegment number of the segment that this run begins with: files of earlier runs are
   *     never appended to
   * @param unforced segment files that may not be on the disk yet
   * @param covered segments that were not read, since a snapshot holds what they did; in {@code
   *     table}, too
   */
  record Recovered(
      RecoveryReport report,
      LogDirectory.State state,
      LogBase base,
      long acceptedEpoch,
      long knownCommit,
      SegmentTable table,
      int nextSegment,
      List<Path> unforced,
      List<CoveredSegments.Covered> covered) {}

  /**
   * One reading of the log.
   *
   * @param covered segments before those that {@code scan} read
   * @param unread segments behind a damage
   */
  private record Pass(
      List<CoveredSegments.Covered> covered, LogScan scan, List<SegmentName> unread) {}

  Recovered run() throws IOException {
    Optional<LogDirectory.State> before = directory.readState();
    acceptedEpoch = directory.readEpoch();
    directory.clearRepair();
    LogDirectory.Contents contents = directory.contents();
    removeLeftovers(contents.leftovers());
    Pass pass = pass(contents);
    LogScan scan = pass.scan();
    LogScan.Outcome outcome = scan.outcome();
    refuseCorruption(outcome);
    Optional<LogPosition> mark = directory.readCleanStop();
    refuseAlteredEnd(scan, outcome, mark);
    boolean lost = lost(scan, outcome, mark);
    boolean cleanStop = !lost && mark.isPresent() && mark.get().equals(outcome.wholeEnd());
    LogDirectory.State state = settle(before, lost, cleanStop);
    long dropped = entriesDropped(scan, outcome, pass.unread());
    long bytes = repair(scan, outcome, pass.unread());
    if (!cleanStop) {
      Disk.remove(directory.segments().resolve(SegmentAppender.CACHE_FILE));
    }
    RecoveryReport report =
        new RecoveryReport(
            outcome.wholeEnd(),
            dropped,
            bytes,
            cleanStop,
            before.isPresent() && !before.get().bootId().equals(state.bootId()),
            before.isEmpty(),
            List.copyOf(findings));
    return recovered(report, state, contents.base(), pass);
  }

  /**
   * Reads the log from where the snapshot's entries end, or from its front if there is none, or if
   * that shows anything but a log which is sound and reaches beyond the snapshot.
   */
  private Pass pass(LogDirectory.Contents contents) throws IOException {
    List<CoveredSegments.Covered> covered = CoveredSegments.of(contents, options.coveredUpTo());
    if (!covered.isEmpty()) {
      Pass behind = pass(contents, covered);
      LogScan.Outcome outcome = behind.scan().outcome();
      if (!corrupt(outcome) && outcome.wholeEnd().index() >= options.coveredUpTo()) {
        return behind;
      }
    }
    return pass(contents, List.of());
  }

  private static Pass pass(LogDirectory.Contents contents, List<CoveredSegments.Covered> covered)
      throws IOException {
    int read = covered.size();
    LogScan scan =
        new LogScan(read == 0 ? contents.base().position() : covered.get(read - 1).end(), 0);
    List<SegmentName> names = contents.segments();
    boolean goOn = true;
    while (goOn && read < names.size()) {
      goOn = scan.segment(names.get(read++), (at, segment) -> true);
    }
    return new Pass(covered, scan, names.subList(read, names.size()));
  }

  /** Segments that a trim had taken out of the log when it was interrupted. */
  private void removeLeftovers(List<SegmentName> leftovers) throws IOException {
    for (SegmentName name : leftovers) {
      Disk.remove(name.file());
      findings.add(name.file() + ": left over from a removal of old segments, removed");
    }
  }

  private void refuseCorruption(LogScan.Outcome outcome) {
    if (corrupt(outcome)) {
      LogDamage damage = outcome.damage().get();
      boolean consent =
          options.cutFromIndex().isPresent()
              && options.cutFromIndex().getAsLong() == damage.index();
      if (!consent) {
        throw new CorruptLogException(
            damage,
            "Nothing was changed. Restore the file from a copy; or, if there is none, start once"
                + " with --log_cut_from="
                + damage.index()
                + ": the log then ends before that entry, and what followed is moved to "
                + directory.setAside());
      }
    }
    findings.addAll(outcome.findings());
    outcome.damage().ifPresent(damage -> findings.add(damage.toString()));
  }

  /** COR-19: one position with two contents. */
  private void refuseAlteredEnd(LogScan scan, LogScan.Outcome outcome, Optional<LogPosition> mark) {
    LogPosition end = outcome.wholeEnd();
    if (mark.isEmpty() || mark.get().index() != end.index() || mark.get().equals(end)) {
      return;
    }
    SegmentFacts holder = null;
    for (SegmentFacts facts : scan.segments()) {
      holder = facts.empty() || facts.firstIndex > end.index() ? holder : facts;
    }
    Path file = holder == null ? directory.segments() : holder.name.file();
    throw new CorruptLogException(
        new LogDamage(
            LogDamage.Kind.CORRUPT_MIDDLE,
            file,
            holder == null ? 0 : holder.lastDocument,
            end.index(),
            String.format(
                "the last entry has chain hash %016x, it had %016x when the log was stopped",
                end.chainHash(), mark.get().chainHash())),
        "Nothing was changed. Restore the file from a copy; or remove "
            + directory.cleanStop()
            + " to accept the entry as it is");
  }

  /** Whether an entry is gone that may have been acknowledged once. */
  private boolean lost(LogScan scan, LogScan.Outcome outcome, Optional<LogPosition> mark) {
    if (mark.isPresent() && mark.get().index() > outcome.wholeEnd().index()) {
      findings.add(
          directory.cleanStop()
              + ": the log ended at entry "
              + mark.get().index()
              + " when it was stopped, now at "
              + outcome.wholeEnd().index());
      return true;
    }
    return corrupt(outcome) || scan.segments().stream().anyMatch(facts -> facts.lostComplete);
  }

  /**
   * Settles who the directory is and makes that durable before anything is repaired, so that a
   * crash in between can't make a loss be forgotten (COR-16).
   */
  private LogDirectory.State settle(
      Optional<LogDirectory.State> before, boolean lost, boolean cleanStop) throws IOException {
    String boot = options.bootId().get();
    LogDirectory.State state;
    if (before.isEmpty()) {
      LogIdentity fresh =
          new LogIdentity(LogDirectory.newId(), LogDirectory.newId(), LogDirectory.newId());
      state = new LogDirectory.State(fresh, boot, options.persist(), lost);
    } else {
      LogDirectory.State old = before.get();
      boolean cacheLost = old.persist() == Persist.PAGE && !old.bootId().equals(boot) && !cleanStop;
      boolean renew = lost || cacheLost;
      LogIdentity identity = old.identity();
      if (renew) {
        identity = new LogIdentity(identity.cluster(), identity.node(), LogDirectory.newId());
      }
      state = new LogDirectory.State(identity, boot, options.persist(), renew || old.lossOpen());
    }
    if (before.isEmpty() || !before.get().equals(state) || directory.formatIsOld()) {
      directory.writeState(state);
    }
    return state;
  }

  private long repair(LogScan scan, LogScan.Outcome outcome, List<SegmentName> unread)
      throws IOException {
    LogRepair repair = new LogRepair(directory, options, outcome.wholeEnd().index());
    repair.setAsideWhole(unread);
    List<SegmentFacts> segments = scan.segments();
    for (int i = segments.size() - 1; i >= 0; i--) {
      SegmentFacts facts = segments.get(i);
      if (facts.empty() && corrupt(outcome)) {
        repair.setAsideWhole(List.of(facts.name));
        continue;
      }
      boolean holdsOpenBatch =
          outcome.openBatch().isPresent()
              && outcome.openBatch().get().file().equals(facts.name.file());
      long dropFrom = holdsOpenBatch ? outcome.openBatch().get().offsetBytes() : facts.endOffset;
      repair.segment(facts, dropFrom);
    }
    findings.addAll(repair.findings());
    return repair.bytesDropped();
  }

  private long entriesDropped(LogScan scan, LogScan.Outcome outcome, List<SegmentName> unread)
      throws IOException {
    long highest = outcome.end().index();
    if (corrupt(outcome)) {
      List<SegmentFacts> segments = scan.segments();
      highest = Math.max(highest, highestIndex(segments.get(segments.size() - 1).name));
      for (SegmentName name : unread) {
        highest = Math.max(highest, highestIndex(name));
      }
      return highest - outcome.wholeEnd().index();
    }
    long lost = scan.segments().stream().mapToLong(facts -> facts.lostEntries).sum();
    return highest - outcome.wholeEnd().index() + lost;
  }

  /** Index of the highest intact entry in a file, whatever lies before it. */
  private static long highestIndex(SegmentName name) throws IOException {
    long highest = 0;
    try (SegmentWalker walker = new SegmentWalker(name.file())) {
      long expected = Long.MAX_VALUE / 2;
      while (walker.next(expected)) {
        long index = EntryRecord.index(walker.array(), walker.recordOffset());
        highest = Math.max(highest, index);
        expected = index + 1;
      }
    }
    return highest;
  }

  private Recovered recovered(
      RecoveryReport report, LogDirectory.State state, LogBase base, Pass pass) throws IOException {
    LogScan scan = pass.scan();
    SegmentTable table = new SegmentTable();
    pass.covered().forEach(covered -> table.add(covered.row()));
    for (SegmentFacts facts : scan.segments()) {
      if (!facts.empty() && facts.firstIndex <= report.end().index()) {
        boolean rewritten = facts.unsound || facts.lastIndex > report.end().index();
        SegmentMarks marks = rewritten ? new SegmentMarks() : facts.marks;
        table.add(new SegmentTable.Row(facts.name, facts.before, marks));
      }
    }
    List<SegmentName> left = directory.listSegments();
    int last = left.isEmpty() ? 0 : left.get(left.size() - 1).number();
    int next = Math.max(last + 1, base.firstSegment());
    List<Path> unforced =
        report.cleanStop() ? List.of() : left.stream().map(SegmentName::file).toList();
    long commit = Math.max(base.position().index(), scan.outcome().carriedCommit());
    return new Recovered(
        report, state, base, acceptedEpoch, commit, table, next, unforced, pass.covered());
  }

  private static boolean corrupt(LogScan.Outcome outcome) {
    return outcome.damage().isPresent()
        && outcome.damage().get().kind() == LogDamage.Kind.CORRUPT_MIDDLE;
  }
}
