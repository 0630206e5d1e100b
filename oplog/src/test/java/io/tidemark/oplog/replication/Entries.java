package io.tidemark.oplog.replication;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.OperationLog;
import io.tidemark.api.log.ReplicaLog;
import java.nio.charset.StandardCharsets;

/** Fills logs. */
final class Entries {
  private Entries() {}

  /** Batches of one entry each. */
  static void append(OperationLog log, long epoch, int count, String text) {
    for (int i = 0; i < count; i++) {
      one(log, epoch, text + i, true);
      log.endBatch();
    }
  }

  /** One entry, without the end of its batch being told. */
  static void one(OperationLog log, long epoch, String text, boolean batchEnd) {
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    long index = log.end().index() + 1;
    int cause = Cause.of(Cause.Trigger.TICK);
    EntryHeader header = new EntryHeader(index, epoch, index, 0, cause, Uuid.ZERO, batchEnd);
    log.append(header, payload, 0, payload.length);
  }

  /** The first entry of a term. */
  static void startEpoch(OperationLog log, long epoch, boolean forced) {
    EventBuffer out = new EventBuffer(64);
    EventCodec.write(new Event.EpochStarted(epoch, Uuid.ZERO, 0, forced), out);
    long index = log.end().index() + 1;
    int cause = Cause.of(Cause.Trigger.TERM_START);
    log.append(
        new EntryHeader(index, epoch, index, 0, cause, Uuid.ZERO, true),
        out.array(),
        0,
        out.position());
    log.endBatch();
  }

  /** An entry that holds the state's digest, as far as its cause says. */
  static void digest(OperationLog log, long epoch) {
    long index = log.end().index() + 1;
    int cause = Cause.of(Cause.Trigger.DIGEST);
    log.append(
        new EntryHeader(index, epoch, index, 0, cause, Uuid.ZERO, true), new byte[] {1}, 0, 1);
    log.endBatch();
  }

  /** Ships everything up to {@code last} from one log to the end of another. */
  static void ship(ReplicaLog from, ReplicaLog to, long last) {
    if (to.end().index() < last) {
      from.readRecords(
          to.end().index() + 1,
          Integer.MAX_VALUE,
          (header, chainHash, record) -> {
            if (header.index() <= last) {
              to.appendRecord(record, 0, record.length);
            }
            return header.index() < last;
          });
      to.endBatch();
    }
  }
}
