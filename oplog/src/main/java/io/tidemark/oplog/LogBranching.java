package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.ReplicaLog.Truncation;
import io.tidemark.api.log.TruncationRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an open log go on elsewhere than behind its end: behind an earlier batch, or behind a
 * snapshot (COR-19 to COR-21, COR-26). {@link LogCut} changes the files.
 *
 * <p>By the appending thread only.
 */
final class LogBranching {
  private static final Logger LOG = LoggerFactory.getLogger(LogBranching.class);

  private final LogWriter writer;
  private final LogTail tail;
  private final LogTrim trim;
  private final CommitState commits;
  private final RecordSource source;
  private final LogCut cut;
  private final FileSteps steps;

  LogBranching(LogWriter writer, LogTail tail, CommitState commits, Files files) {
    this.writer = writer;
    this.tail = tail;
    this.commits = commits;
    trim = files.trim();
    source = files.source();
    cut = files.cut();
    steps = files.steps();
  }

  /** What knows the files of the log. */
  record Files(LogTrim trim, RecordSource source, LogCut cut, FileSteps steps) {}

  /** See {@link ChronicleLog#truncateAfter}. */
  Truncation truncateAfter(LogPosition keep, boolean forcedBranch) throws IOException {
    checkStaysCommitted(keep, forcedBranch);
    checkEndOfBatch(keep);
    LogPosition old = writer.end();
    if (keep.equals(old)) {
      return new Truncation(keep, 0, "");
    }
    settle();
    Path evidence = cut.setAside(keep, old);
    cut.forgetEnd();
    writer.endAt(keep, Math.min(writer.wholeIndex(), keep.index()));
    commits.cutTo(keep.index());
    cut.cutAfter(keep, old);
    source.forget();
    writer.goOn(tail.segment() + 1);
    LOG.warn("the log was cut behind {}, it ended at {}; evidence: {}", keep, old, evidence);
    return new Truncation(keep, old.index() - keep.index(), evidence.toString());
  }

  /** See {@link ChronicleLog#restartAt}. */
  void restartAt(LogPosition position, boolean forcedBranch) throws IOException {
    checkStaysCommitted(position, forcedBranch);
    restart(position);
  }

  /** As {@link #restartAt}, whatever is known of commits. */
  void restart(LogPosition position) throws IOException {
    LogPosition old = writer.end();
    settle();
    if (old.index() > trim.base().index()) {
      Path evidence = cut.setAside(trim.base(), old);
      LOG.warn("the log goes on behind {}, it ended at {}; evidence: {}", position, old, evidence);
    }
    cut.forgetEnd();
    int next = tail.segment() + 1;
    cut.restartBehind(position, next);
    writer.endAt(position, position.index());
    commits.restartAt(position.index());
    source.forget();
    writer.goOn(next);
  }

  /** Makes sure that nothing is open, and that the accepted epoch does not fall with the end. */
  private void settle() throws IOException {
    steps.next("store the accepted epoch");
    writer.storeEpoch(writer.acceptedEpoch());
    writer.settle();
  }

  /** COR-20. */
  private void checkStaysCommitted(LogPosition keep, boolean forcedBranch) {
    if (keep.index() < commits.known() && !forcedBranch) {
      throw new TruncationRefusedException(
          "the log can't go on behind "
              + keep
              + ": entries up to "
              + commits.known()
              + " are committed, and the new branch was not forced");
    }
  }

  private void checkEndOfBatch(LogPosition keep) {
    if (!endOfBatch(keep)) {
      throw new TruncationRefusedException(
          "the log can't be cut behind " + keep + ": that is no end of a batch of it");
    }
  }

  private boolean endOfBatch(LogPosition keep) {
    LogPosition base = trim.base();
    LogPosition end = writer.end();
    if (keep.index() <= base.index() || keep.index() >= end.index()) {
      return keep.equals(base) || (keep.equals(end) && !writer.batchOpen());
    }
    Optional<RecordSource.Place> place = source.place(keep.index());
    return place.isPresent() && place.get().batchEnd() && place.get().position().equals(keep);
  }
}
