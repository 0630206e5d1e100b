package io.tidemark.server.snapshot;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateSink;
import io.tidemark.core.Master;
import io.tidemark.oplog.ChronicleLog;

/**
 * The real one.
 *
 * @param trims whether snapshots may make the log shorter
 */
record MasterSource(Master master, ChronicleLog log, boolean trims) implements SnapshotSource {
  @Override
  public LogPosition end() {
    return log.end();
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
    return trims ? log.removeBefore(index).size() : 0;
  }
}
