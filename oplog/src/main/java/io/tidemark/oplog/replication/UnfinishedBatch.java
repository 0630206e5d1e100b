package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.ReplicaLog;
import io.tidemark.api.log.ReplicaLog.Truncation;
import java.util.concurrent.atomic.AtomicBoolean;

/** The end of a log that may hold the beginning of a batch whose rest never came. */
public final class UnfinishedBatch {
  private UnfinishedBatch() {}

  /**
   * Cuts an unfinished batch (COR-03); a whole one stays.
   *
   * @throws io.tidemark.api.log.TruncationRefusedException if a part of it is known to be
   *     committed, which can't be: a batch commits as a whole
   */
  public static Truncation cut(ReplicaLog log) {
    LogPosition end = log.end();
    long index = end.index();
    while (index > log.base().index() && !endsBatch(log, index)) {
      index--;
    }
    if (index == end.index()) {
      return new Truncation(end, 0, "");
    }
    return log.truncateAfter(log.positionAt(index).orElseThrow(), false);
  }

  private static boolean endsBatch(ReplicaLog log, long index) {
    AtomicBoolean ends = new AtomicBoolean();
    log.readRecords(
        index,
        1,
        (header, chainHash, record) -> {
          ends.set(header.batchEnd());
          return false;
        });
    return ends.get();
  }
}
