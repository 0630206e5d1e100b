package io.tidemark.benchmarks.jmh;

import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;

/** A log that keeps nothing and commits at once, so that what is measured is the rest. */
final class NoLog implements OperationLog {
  private long index;
  private long epoch;

  @Override
  public LogPosition end() {
    return new LogPosition(epoch, index, 0);
  }

  @Override
  public void append(EntryHeader header, byte[] payload, int offset, int length) {
    index = header.index();
    epoch = header.epoch();
  }

  @Override
  public void endBatch() {
    // All is committed as soon as it is appended.
  }

  @Override
  public long committedIndex() {
    return index;
  }

  @Override
  public void onCommit(CommitListener listener) {
    // There is nothing to tell later.
  }

  @Override
  public void read(long fromIndex, EntryReader reader) {
    // There is nothing to read.
  }

  @Override
  public void close(boolean clean) {
    // There is nothing to close.
  }
}
