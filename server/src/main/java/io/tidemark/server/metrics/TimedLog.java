package io.tidemark.server.metrics;

import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.port.MonotonicClock;
import io.tidemark.oplog.DurationCounts;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A log that measures how long its batches take to be committed: one at a time, and every eighth at
 * most, so that it costs nothing that matters.
 */
public final class TimedLog implements OperationLog {
  private static final int SAMPLED = 8;
  private static final long NONE = 0;

  private final OperationLog log;
  private final DurationCounts times;
  private final MonotonicClock clock;

  /** Last entry of the batch that is being waited for. */
  private final AtomicLong sampledIndex = new AtomicLong(NONE);

  private volatile long sampledAtNanos;
  private int batches;

  /** Measures a log into {@code times}. */
  public TimedLog(OperationLog log, DurationCounts times, MonotonicClock clock) {
    this.log = log;
    this.times = times;
    this.clock = clock;
  }

  @Override
  public void endBatch() {
    if (++batches >= SAMPLED && sampledIndex.get() == NONE) {
      batches = 0;
      sampledAtNanos = clock.nanos();
      sampledIndex.set(log.end().index());
      log.endBatch();
      committed(log.committedIndex()); // which may be so at once, and is not told then
    } else {
      log.endBatch();
    }
  }

  private void committed(long index) {
    long sampled = sampledIndex.get();
    if (sampled != NONE && index >= sampled) {
      long took = clock.nanos() - sampledAtNanos;
      if (sampledIndex.compareAndSet(sampled, NONE)) {
        times.add(took);
      }
    }
  }

  @Override
  public void onCommit(CommitListener listener) {
    log.onCommit(
        new CommitListener() {
          @Override
          public void committed(long index) {
            TimedLog.this.committed(index);
            listener.committed(index);
          }

          @Override
          public void failed(LogFailureException failure) {
            listener.failed(failure);
          }

          @Override
          public void stalled() {
            listener.stalled();
          }
        });
  }

  @Override
  public LogPosition end() {
    return log.end();
  }

  @Override
  public void append(EntryHeader header, byte[] payload, int offset, int length) {
    log.append(header, payload, offset, length);
  }

  @Override
  public long committedIndex() {
    return log.committedIndex();
  }

  @Override
  public boolean hasSpace() {
    return log.hasSpace();
  }

  @Override
  public void read(long fromIndex, EntryReader reader) {
    log.read(fromIndex, reader);
  }

  @Override
  public void close(boolean clean) {
    log.close(clean);
  }
}
