package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;

/** What a scan found in one segment file. Filled by {@link LogScan}; one thread at a time. */
final class SegmentFacts {
  final SegmentName name;

  /** Index of the first and last entry; both 0 if there is none. */
  long firstIndex;

  long lastIndex;

  /** Where some entries are. */
  final SegmentMarks marks = new SegmentMarks();

  /** Position of the entry before the first. */
  LogPosition before = LogPosition.START;

  /** Where the last entry's document begins, and where the document behind it would. */
  long lastDocument;

  long endOffset;

  /** Behind the last byte that is not zero. */
  long tailEnd;

  /** Entries that are known to have been behind the last one. */
  long lostEntries;

  /** Whether one of the lost entries had been written to its end. */
  boolean lostComplete;

  /** Whether the file must be written anew before the library may open it. */
  boolean unsound;

  SegmentFacts(SegmentName name) {
    this.name = name;
  }

  long entries() {
    return firstIndex == 0 ? 0 : lastIndex - firstIndex + 1;
  }

  boolean empty() {
    return firstIndex == 0;
  }
}
