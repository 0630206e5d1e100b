package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;
import java.io.Closeable;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;

/**
 * Writes records to segment files through Chronicle Queue; the only class that knows the library.
 *
 * <p>A segment is one cycle of the queue. The queue is told a clock of ours, which stands on the
 * day whose number is the segment's; so it rolls when we say so and only then.
 *
 * <p>One thread at a time, not always the same one: the library's own check for that is off.
 */
final class SegmentAppender implements Closeable {
  /** The library's cache of its directory, with its own lock words; made anew if it is missing. */
  static final String CACHE_FILE = "metadata.cq4t";

  private static final long DAY_MS = 86_400_000;
  private static final long INTO_THE_DAY_MS = 1_000;

  private final ChronicleQueue queue;
  private final ExcerptAppender appender;
  private final Bytes<byte[]> source;
  private final AtomicInteger segment;

  static {
    quiet("chronicle.analytics.disable");
    quiet("chronicle.announcer.disable");
    quiet("chronicle.disk.monitor.disable");
  }

  /**
   * @param buffer what {@link #append} takes records from
   * @param firstSegment number of the segment that the first append begins or continues
   */
  SegmentAppender(Path directory, LogOptions options, byte[] buffer, int firstSegment) {
    segment = new AtomicInteger(firstSegment);
    try {
      queue =
          SingleChronicleQueueBuilder.single(directory.toFile())
              .rollCycle(RollCycles.FAST_DAILY)
              .timeProvider(() -> segment.get() * DAY_MS + INTO_THE_DAY_MS)
              .blockSize(options.blockSizeBytes())
              .indexSpacing(options.indexSpacing())
              .build();
      appender = queue.createAppender();
      appender.singleThreadedCheckDisabled(true);
      source = Bytes.wrapForRead(buffer);
      source.singleThreadedCheckDisabled(true);
    } catch (RuntimeException | Error e) {
      throw new LogFailureException(
          "can't open the log's files in "
              + directory
              + ": "
              + e
              + "; check the JVM flags of the launcher (--add-opens) and the directory's rights",
          e);
    }
  }

  /**
   * Appends the first {@code length} bytes of the buffer as one document.
   *
   * @return where in the segment file the document's content ends
   */
  long append(int length) {
    source.readPositionRemaining(0, length);
    appender.writeBytes(source);
    return appender.wire().bytes().writePosition();
  }

  /** Lets the next append begin the next segment. */
  void roll() {
    if (segment.get() == SegmentName.MAX_NUMBER) {
      throw new LogFailureException("no segment numbers are left behind " + segment);
    }
    segment.incrementAndGet();
  }

  /** Number of the segment that the last append went to, or the next one will go to. */
  int segment() {
    return segment.get();
  }

  @Override
  public void close() {
    queue.close();
  }

  private static void quiet(String property) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, "true");
    }
  }
}
