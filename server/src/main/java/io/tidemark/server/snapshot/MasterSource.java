package io.tidemark.server.snapshot;

import io.tidemark.api.state.StateSink;
import io.tidemark.core.Master;
import io.tidemark.oplog.ChronicleLog;

/** A master that serves, and its log. */
public class MasterSource extends LogSource {
  private final Master master;

  public MasterSource(Master master, ChronicleLog log) {
    super(log);
    this.master = master;
  }

  @Override
  public long endIndex() {
    return log().end().index();
  }

  @Override
  public long tableBytes() {
    return master.tableBytes();
  }

  @Override
  public void capture(StateSink sink, long maxPreservedBytes) {
    master.capture(sink, maxPreservedBytes);
  }

  @Override
  public int removeBefore(long index) {
    return log().removeBefore(index).size();
  }
}
