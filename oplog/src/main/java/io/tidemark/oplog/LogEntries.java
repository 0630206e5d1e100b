package io.tidemark.oplog;

import io.tidemark.api.log.LogEntry;
import java.util.Arrays;

/** Makes entries of records. */
final class LogEntries {
  private LogEntries() {}

  /** The entry that a walker stands at; the payload is a copy. */
  static LogEntry of(SegmentWalker at) {
    byte[] bytes = at.array();
    int offset = at.recordOffset();
    int payloadEnd = offset + at.recordBytes() - EntryRecord.CHECKSUM_BYTES;
    return new LogEntry(
        EntryRecord.header(bytes, offset),
        EntryRecord.chainHash(bytes, offset, at.recordBytes()),
        Arrays.copyOfRange(bytes, offset + EntryRecord.headerBytes(bytes, offset), payloadEnd));
  }
}
