package io.tidemark.server.snapshot;

import io.tidemark.api.state.StateSink;
import io.tidemark.core.Master;
import io.tidemark.oplog.ChronicleLog;

/** A single master and its log. */
record MasterSource(Master master, ChronicleLog log) implements SnapshotSource {
  @Override
  public long endIndex() {
    return log.end().index();
  }

  @Override
  public long appendedBytes() {
    return log.counters().bytes();
  }

  @Override
  public long logBytesFrom(long index) {
    return log.bytesFrom(index);
  }

  @Override
  public long tableBytes() {
    return master.tableBytes();
  }

  @Override
  public void rollSoon() {
    log.rollSoon();
  }

  @Override
  public void capture(StateSink sink, long maxPreservedBytes) {
    master.capture(sink, maxPreservedBytes);
  }

  @Override
  public int removeBefore(long index) {
    return log.removeBefore(index).size();
  }
}
