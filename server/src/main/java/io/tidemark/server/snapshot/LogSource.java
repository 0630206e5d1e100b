package io.tidemark.server.snapshot;

import io.tidemark.oplog.ChronicleLog;

/** What is the same for everything that snapshots are taken of: its log. */
public abstract class LogSource implements SnapshotSource {
  private final ChronicleLog log;

  protected LogSource(ChronicleLog log) {
    this.log = log;
  }

  protected final ChronicleLog log() {
    return log;
  }

  @Override
  public final long appendedBytes() {
    return log.counters().bytes();
  }

  @Override
  public final long logBytesFrom(long index) {
    return log.bytesFrom(index);
  }

  @Override
  public final void rollSoon() {
    log.rollSoon();
  }
}
