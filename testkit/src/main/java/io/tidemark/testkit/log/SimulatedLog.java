package io.tidemark.testkit.log;

import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.RecordRefusedException;
import io.tidemark.api.log.RecordRefusedException.Why;
import io.tidemark.api.log.ReplicaLog;
import io.tidemark.api.log.TruncationRefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A log in memory, of a node that leads or follows, that fails when a test wants it to.
 *
 * <p>Fault model: an append may fail; a forced write takes until {@link #force} and may fail; the
 * process may die ({@link #crash}), which loses an unfinished batch; the host may lose power
 * ({@link #powerLoss}), which loses also what was not forced, or a part of it. What is forced
 * before it returns survives both: accepted epochs, truncations, evidence. A commit index that was
 * only noted is lost, one that an entry carries is not. Damage of stored bytes is not simulated:
 * that is the real log's business.
 *
 * <p>Thread-safe; the commit listener is called by the thread that called {@link #force}.
 */
public final class SimulatedLog implements ReplicaLog {

  /** What commit means, as in the real log. */
  public enum Mode {
    /** {@link #endBatch} commits. */
    PAGE,
    /** {@link #force} commits. */
    DISK
  }

  /** Records that a truncation or a restart cut off, as they were. */
  public record Evidence(String name, List<byte[]> records) {}

  /** Largest payload that an entry may have, in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 20;

  private final Mode mode;
  private final boolean alone;
  private final List<Evidence> evidence = new ArrayList<>();
  private SimulatedRecords records;
  private CommitListener listener;
  private LogFailureException failure;
  private long wholeIndex;
  private long forcedIndex;
  private long committed;
  private long knownCommit;
  private long storedEpoch;
  private boolean batchOpen;
  private boolean failNextAppend;
  private boolean full;
  private boolean closed;
  private boolean stoppedCleanly;

  /** An empty log of a node that may have others beside it: it is told what is committed. */
  public SimulatedLog(Mode mode) {
    this(mode, false);
  }

  private SimulatedLog(Mode mode, boolean alone) {
    this.mode = mode;
    this.alone = alone;
    records = new SimulatedRecords(LogPosition.START, List.of());
  }

  /** An empty log of a node without others: what it commits itself is what is committed. */
  public static SimulatedLog alone(Mode mode) {
    return new SimulatedLog(mode, true);
  }

  /** The next append fails after it may have written a part of the entry; the log takes no more. */
  public synchronized void failNextAppend() {
    failNextAppend = true;
  }

  /** Whether the disk is full from now on. */
  public synchronized void full(boolean value) {
    full = value;
  }

  /** Completes a forced write of everything whose batch was ended. */
  public void force() {
    CommitListener told;
    long index;
    synchronized (this) {
      checkUsable();
      forcedIndex = wholeIndex;
      if (mode == Mode.PAGE || committed == wholeIndex) {
        return;
      }
      committed = wholeIndex;
      index = committed;
      told = listener;
    }
    if (told != null) {
      told.committed(index);
    }
  }

  /** A forced write fails: the log will not commit further. */
  public void failForce() {
    CommitListener told;
    synchronized (this) {
      fail(new LogFailureException("simulated failure of a forced write"));
      told = listener;
    }
    if (told != null) {
      told.failed(failure);
    }
  }

  /** The process dies; returns the log as the next start finds it. */
  public synchronized SimulatedLog crash() {
    return diedAt(records.endIndex());
  }

  /** The host loses power and all that was not forced; returns what the next start finds. */
  public synchronized SimulatedLog powerLoss() {
    return diedAt(forcedIndex);
  }

  /**
   * As {@link #powerLoss}, but the disk had got up to {@code entries} more than was forced; a batch
   * that it got in part is lost as a whole.
   */
  public synchronized SimulatedLog powerLossKeeping(long entries) {
    return diedAt(Math.min(records.endIndex(), forcedIndex + entries));
  }

  /** Removes entries below {@code index} for good, up to the end of a batch. */
  public synchronized void removeBefore(long index) {
    long last = Math.min(index - 1, wholeIndex);
    if (last > records.base().index()) {
      records.dropUpTo(records.wholeBatches(last));
    }
  }

  /** Whether the log was closed in order. */
  public synchronized boolean stoppedCleanly() {
    return stoppedCleanly;
  }

  /** What truncations and restarts cut off, oldest first. */
  public synchronized List<Evidence> evidence() {
    return List.copyOf(evidence);
  }

  @Override
  public synchronized LogPosition base() {
    return records.base();
  }

  @Override
  public synchronized LogPosition end() {
    return records.end();
  }

  @Override
  public synchronized Optional<LogPosition> positionAt(long index) {
    return records.positionAt(index);
  }

  @Override
  public synchronized void append(EntryHeader header, byte[] payload, int offset, int length) {
    checkUsable();
    checkInput(header, length);
    checkFaults(header);
    EntryHeader stored = header.withCommitIndex(Math.min(knownCommit(), header.index() - 1));
    add(SimulatedRecord.of(stored, end().chainHash(), payload, offset, length));
  }

  @Override
  public synchronized void appendRecord(byte[] record, int offset, int length) {
    checkUsable();
    SimulatedRecord parsed = SimulatedRecord.parse(record, offset, length);
    checkFollows(parsed);
    checkFaults(parsed.header());
    add(parsed);
    knownCommit = Math.max(knownCommit, parsed.header().commitIndex());
  }

  @Override
  public synchronized void endBatch() {
    checkUsable();
    if (batchOpen) {
      throw fail(new LogFailureException("the batch was ended inside, at entry " + end().index()));
    }
    wholeIndex = records.endIndex();
    if (mode == Mode.PAGE) {
      committed = wholeIndex;
    }
  }

  @Override
  public synchronized boolean hasSpace() {
    return failure == null && !full;
  }

  @Override
  public synchronized long committedIndex() {
    return committed;
  }

  @Override
  public synchronized long durableIndex() {
    return committed;
  }

  @Override
  public synchronized void onCommit(CommitListener newListener) {
    listener = newListener;
  }

  @Override
  public void read(long fromIndex, EntryReader reader) {
    for (SimulatedRecord record : from(fromIndex)) {
      if (!reader.entry(record.entry())) {
        return;
      }
    }
  }

  @Override
  public void readRecords(long fromIndex, int maxBytes, RecordReader reader) {
    long bytes = 0;
    for (SimulatedRecord record : fromExactly(fromIndex)) {
      bytes += record.bytes().length;
      boolean first = record.header().index() == fromIndex;
      if ((bytes > maxBytes && !first)
          || !reader.record(record.header(), record.chainHash(), record.bytes().clone())) {
        return;
      }
    }
  }

  @Override
  public synchronized long acceptedEpoch() {
    return Math.max(storedEpoch, end().epoch());
  }

  @Override
  public synchronized void acceptEpoch(long epoch) {
    checkUsable();
    if (epoch < acceptedEpoch()) {
      throw new IllegalArgumentException(epoch + " is below the accepted " + acceptedEpoch());
    }
    storedEpoch = epoch;
  }

  @Override
  public synchronized long knownCommit() {
    return alone ? Math.max(knownCommit, committed) : knownCommit;
  }

  @Override
  public synchronized void noteCommit(long index) {
    knownCommit = Math.max(knownCommit, index);
  }

  @Override
  public synchronized Truncation truncateAfter(LogPosition keep, boolean forcedBranch) {
    checkUsable();
    checkMayFall(keep, forcedBranch);
    if (!records.positionAt(keep.index()).equals(Optional.of(keep))
        || !records.batchEndsAt(keep.index())) {
      throw new TruncationRefusedException(keep + " is no end of a batch of this log");
    }
    if (keep.index() == records.endIndex()) {
      return new Truncation(keep, 0, "");
    }
    List<SimulatedRecord> cut = records.from(keep.index() + 1);
    goOn(records.upTo(keep.index()), setAside(cut));
    return new Truncation(keep, cut.size(), evidence.get(evidence.size() - 1).name());
  }

  @Override
  public synchronized void restartAt(LogPosition position, boolean forcedBranch) {
    checkUsable();
    checkMayFall(position, forcedBranch);
    goOn(new SimulatedRecords(position, List.of()), setAside(records.from(0)));
    knownCommit = position.index();
  }

  @Override
  public void close(boolean clean) {
    boolean sound;
    synchronized (this) {
      if (closed) {
        return;
      }
      sound = failure == null;
      stoppedCleanly = sound && clean && !batchOpen;
    }
    if (sound) {
      force();
    }
    synchronized (this) {
      closed = true;
    }
  }

  private SimulatedLog diedAt(long index) {
    closed = true;
    SimulatedLog next = new SimulatedLog(mode, alone);
    long kept = Math.max(index, records.base().index());
    next.records = records.upTo(records.wholeBatches(kept));
    next.wholeIndex = next.records.endIndex();
    next.forcedIndex = next.wholeIndex;
    next.committed = next.wholeIndex;
    next.knownCommit = next.records.carriedCommit();
    next.storedEpoch = storedEpoch;
    next.evidence.addAll(evidence);
    return next;
  }

  private void add(SimulatedRecord record) {
    records.add(record);
    batchOpen = !record.header().batchEnd();
  }

  private Evidence setAside(List<SimulatedRecord> cut) {
    long first = cut.isEmpty() ? 0 : cut.get(0).header().index();
    String name = "divergent-" + acceptedEpoch() + "-" + first;
    return new Evidence(name, cut.stream().map(SimulatedRecord::bytes).toList());
  }

  /** Goes on with other records; all of it is on the disk at once. */
  private void goOn(SimulatedRecords next, Evidence cut) {
    storedEpoch = acceptedEpoch();
    if (!cut.records().isEmpty()) {
      evidence.add(cut);
    }
    records = next;
    boolean restarted = next.endIndex() == next.base().index();
    long end = next.endIndex();
    wholeIndex = restarted ? end : Math.min(wholeIndex, end);
    forcedIndex = restarted ? end : Math.min(forcedIndex, end);
    committed = restarted ? end : Math.min(committed, end);
    knownCommit = Math.min(knownCommit, end);
    batchOpen = false;
  }

  private synchronized List<SimulatedRecord> from(long index) {
    return records.from(index);
  }

  private synchronized List<SimulatedRecord> fromExactly(long index) {
    if (index <= records.endIndex()) {
      records.get(index); // throws if it was removed
    }
    return records.from(index);
  }

  private void checkUsable() {
    if (failure != null || closed) {
      throw new LogFailureException("the log takes nothing more", failure);
    }
  }

  private void checkMayFall(LogPosition keep, boolean forcedBranch) {
    if (keep.index() < knownCommit() && !forcedBranch) {
      throw new TruncationRefusedException(
          keep + " is below the known commit index " + knownCommit());
    }
  }

  private void checkFaults(EntryHeader header) {
    if (full && !batchOpen) {
      throw new LogFullException("simulated full disk; nothing was written");
    }
    if (failNextAppend) {
      throw fail(new LogFailureException("simulated failure of entry " + header.index()));
    }
  }

  private void checkInput(EntryHeader header, int length) {
    LogPosition end = end();
    boolean inOrder = header.index() == end.index() + 1;
    boolean epochFits =
        batchOpen ? header.epoch() == end.epoch() : header.epoch() >= acceptedEpoch();
    if (!inOrder || !epochFits || length > MAX_PAYLOAD_BYTES) {
      String what =
          "entry "
              + header.index()
              + ", "
              + header
              + " with "
              + length
              + " bytes can't follow "
              + end;
      throw fail(new LogFailureException(what));
    }
  }

  private void checkFollows(SimulatedRecord record) {
    EntryHeader header = record.header();
    LogPosition end = end();
    if (record.payloadBytes() > MAX_PAYLOAD_BYTES || header.commitIndex() >= header.index()) {
      throw refused(Why.DAMAGED, header);
    }
    if (header.index() != end.index() + 1) {
      throw refused(Why.NOT_NEXT, header);
    }
    if (record.previousChain() != end.chainHash()) {
      throw refused(Why.OTHER_HISTORY, header);
    }
    if (header.epoch() < end.epoch()) {
      throw refused(Why.STALE_EPOCH, header);
    }
    if (batchOpen && header.epoch() > end.epoch()) {
      throw refused(Why.DAMAGED, header);
    }
  }

  private RecordRefusedException refused(Why why, EntryHeader header) {
    return new RecordRefusedException(why, why + ": " + header + " behind " + end());
  }

  private LogFailureException fail(LogFailureException e) {
    if (failure == null) {
      failure = e;
    }
    return e;
  }
}
