package io.tidemark.server.snapshot;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.StateSink;

/** What a snapshot is taken of: the state machine and its log, as far as that needs them. */
interface SnapshotSource {

  /** The last entry of the log. */
  LogPosition end();

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
