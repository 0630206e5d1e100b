package io.tidemark.testkit.log;

import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogFullException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An operation log in memory that fails when a test wants it to.
 *
 * <p>Fault model: an append may fail; a forced write takes until {@link #force} and may fail; the
 * process may die ({@link #crash}), which loses an unfinished batch; the host may lose power
 * ({@link #powerLoss}), which loses also what was not forced. Damage of stored bytes is not
 * simulated: that is the real log's business.
 *
 * <p>Thread-safe; the commit listener is called by the thread that called {@link #force}.
 */
public final class SimulatedLog implements OperationLog {

  /** What commit means, as in the real log. */
  public enum Mode {
    /** {@link #endBatch} commits. */
    PAGE,
    /** {@link #force} commits. */
    DISK
  }

  /** Largest payload that an entry may have, in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 20;

  private final Mode mode;
  private final List<LogEntry> entries;
  private CommitListener listener;
  private LogFailureException failure;
  private long wholeIndex;
  private long forcedIndex;
  private long committed;
  private boolean batchOpen;
  private boolean failNextAppend;
  private boolean full;
  private boolean closed;
  private boolean stoppedCleanly;

  /** An empty log. */
  public SimulatedLog(Mode mode) {
    this(mode, List.of());
  }

  private SimulatedLog(Mode mode, List<LogEntry> kept) {
    this.mode = mode;
    entries = new ArrayList<>(kept);
    wholeIndex = entries.size();
    forcedIndex = entries.size();
    committed = entries.size();
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
    closed = true;
    return new SimulatedLog(mode, entries.subList(0, (int) wholeBatches(entries.size())));
  }

  /** The host loses power; returns the log as the next start finds it. */
  public synchronized SimulatedLog powerLoss() {
    closed = true;
    return new SimulatedLog(mode, entries.subList(0, (int) wholeBatches(forcedIndex)));
  }

  /** Whether the log was closed in order. */
  public synchronized boolean stoppedCleanly() {
    return stoppedCleanly;
  }

  @Override
  public synchronized LogPosition end() {
    if (entries.isEmpty()) {
      return LogPosition.START;
    }
    LogEntry last = entries.get(entries.size() - 1);
    return new LogPosition(last.header().epoch(), last.header().index(), last.chainHash());
  }

  @Override
  public synchronized void append(EntryHeader header, byte[] payload, int offset, int length) {
    checkUsable();
    checkInput(header, length);
    if (full && !batchOpen) {
      throw new LogFullException("simulated full disk; nothing was written");
    }
    if (failNextAppend) {
      throw fail(new LogFailureException("simulated failure of entry " + header.index()));
    }
    byte[] copy = Arrays.copyOfRange(payload, offset, offset + length);
    entries.add(new LogEntry(header, chain(end().chainHash(), header, copy), copy));
    batchOpen = !header.batchEnd();
  }

  @Override
  public synchronized void endBatch() {
    checkUsable();
    if (batchOpen) {
      throw fail(new LogFailureException("the batch was ended inside, at entry " + end().index()));
    }
    wholeIndex = entries.size();
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
  public synchronized void onCommit(CommitListener newListener) {
    listener = newListener;
  }

  @Override
  public void read(long fromIndex, EntryReader reader) {
    List<LogEntry> present;
    synchronized (this) {
      present = List.copyOf(entries);
    }
    for (long index = Math.max(1, fromIndex); index <= present.size(); index++) {
      if (!reader.entry(present.get((int) index - 1))) {
        return;
      }
    }
  }

  @Override
  public void close(boolean clean) {
    synchronized (this) {
      if (closed) {
        return;
      }
      if (failure == null) {
        stoppedCleanly = clean && !batchOpen;
      }
    }
    if (hasNotFailed()) {
      force();
    }
    synchronized (this) {
      closed = true;
    }
  }

  private synchronized boolean hasNotFailed() {
    return failure == null;
  }

  private long wholeBatches(long until) {
    long index = until;
    while (index > 0 && !entries.get((int) index - 1).header().batchEnd()) {
      index--;
    }
    return index;
  }

  private void checkUsable() {
    if (failure != null || closed) {
      throw new LogFailureException("the log takes nothing more", failure);
    }
  }

  private void checkInput(EntryHeader header, int length) {
    LogPosition end = end();
    boolean inOrder = header.index() == end.index() + 1;
    boolean epochFits = batchOpen ? header.epoch() == end.epoch() : header.epoch() >= end.epoch();
    if (!inOrder || !epochFits || length > MAX_PAYLOAD_BYTES) {
      throw fail(
          new LogFailureException(
              "entry "
                  + header.index()
                  + " of epoch "
                  + header.epoch()
                  + " with "
                  + length
                  + " bytes can't follow "
                  + end));
    }
  }

  private LogFailureException fail(LogFailureException e) {
    if (failure == null) {
      failure = e;
    }
    return e;
  }

  private static long chain(long previous, EntryHeader header, byte[] payload) {
    long hash = previous * 31 + header.hashCode();
    hash = hash * 0x9e37_79b9_7f4a_7c15L + Arrays.hashCode(payload);
    return hash ^ hash >>> 29;
  }
}
