package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;
import java.io.IOException;
import java.nio.file.Files;

/**
 * Replaces a segment by a new file with some of its first entries: written beside it, read back,
 * forced, renamed (COR-21). Until the rename the old file is as it was.
 */
final class SegmentRewrite {
  private final LogDirectory directory;
  private final LogOptions options;
  private final FileSteps steps;

  SegmentRewrite(LogDirectory directory, LogOptions options, FileSteps steps) {
    this.directory = directory;
    this.options = options;
    this.steps = steps;
  }

  /** Keeps the entries {@code first}, which is the segment's first, to {@code last}. */
  void run(SegmentName name, long first, long last) throws IOException {
    directory.clearRepair();
    Files.createDirectories(directory.repair());
    byte[] buffer = new byte[EntryRecord.MAX_RECORD_BYTES];
    long lastChain = 0;
    steps.next("write " + name.file() + " anew");
    try (SegmentWalker walker = new SegmentWalker(name.file());
        SegmentAppender appender =
            new SegmentAppender(directory.repair(), options, buffer, name.number())) {
      for (long index = first; index <= last; index++) {
        if (!walker.next(index)) {
          throw new LogFailureException(
              name.file() + ": entry " + index + " was there a moment ago; check the disk");
        }
        int length = walker.recordBytes();
        System.arraycopy(walker.array(), walker.recordOffset(), buffer, 0, length);
        appender.append(length);
        lastChain = EntryRecord.chainHash(buffer, 0, length);
      }
    }
    SegmentName rewritten = SegmentName.of(name.number(), directory.repair());
    check(rewritten, first, last, lastChain);
    Disk.force(rewritten.file());
    steps.next("replace " + name.file());
    Disk.rename(rewritten.file(), name.file());
    steps.next("clear " + directory.repair());
    directory.clearRepair();
  }

  private static void check(SegmentName rewritten, long first, long last, long lastChain)
      throws IOException {
    LogScan scan = LogScan.from(first);
    scan.segment(rewritten, (at, segment) -> true);
    LogScan.Outcome outcome = scan.outcome();
    if (outcome.damage().isPresent()
        || !outcome.findings().isEmpty()
        || outcome.end().index() != last
        || outcome.end().chainHash() != lastChain) {
      throw new LogFailureException(
          rewritten.file()
              + " did not read back as it was written; check the disk. The old file"
              + " is unchanged");
    }
  }
}
