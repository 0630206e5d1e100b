package io.tidemark.server.snapshot;

import io.tidemark.api.state.StateSink;

/** What a snapshot is taken of: the state machine and its log, as far as that needs them. */
public interface SnapshotSource {

  /** Index of the last entry that a snapshot taken now would hold. */
  long endIndex();

  /**
   * How many times longer than said a log may grow before a snapshot is taken here; more than 1
   * while another node is expected to take them.
   */
  default int patience() {
    return 1;
  }

  /** Bytes appended since the start of the process. */
  long appendedBytes();

  /** Bytes of the log's files from the one that holds an entry on. */
  long logBytesFrom(long index);

  /** Bytes of the tables. */
  long tableBytes();

  /** Lets the next batch begin a segment of the log. */
  void rollSoon();

  /** Hands out the state; on the caller's thread, which may take its time. */
  void capture(StateSink sink, long maxPreservedBytes);

  /** Removes segments of the log below an index; returns how many. */
  int removeBefore(long index);
}
