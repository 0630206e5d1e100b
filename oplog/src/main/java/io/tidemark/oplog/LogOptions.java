package io.tidemark.oplog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Settings of one log. Immutable; {@link #defaults} and the {@code with} methods make one.
 *
 * @param directory the log's own directory; made if absent
 * @param persist what commit means
 * @param blockSizeBytes how much of the file is mapped at a time; a quarter of it must hold the
 *     largest entry. Smaller blocks make shorter stalls
 * @param segmentBytes a segment file ends at the first batch that begins beyond this size (COR-22)
 * @param indexSpacing every how many entries the file's inner index has a place
 * @param reserveBytes free space of the file system below which {@link ChronicleLog#hasSpace} says
 *     no; half of it below which a new batch is refused (COR-03)
 * @param cutFromIndex an operator's consent to give up the entries from exactly this index on, if
 *     the log is damaged there; they are set aside, not deleted
 * @param bootId identifies one run of the host's kernel
 * @param wallClockMs ms since 1970, used in evidence only
 * @param alone whether the node has no others beside it, so that what is durable here is committed;
 *     else the log is told what is ({@link ChronicleLog#noteCommit})
 * @param coveredUpTo index of the last entry that a sound snapshot holds. Segments that end there
 *     or before are only looked at where they meet, unless that shows something odd; {@link
 *     ChronicleLog#checkCovered} does the rest. 0: the whole log is read
 */
public record LogOptions(
    Path directory,
    Persist persist,
    int blockSizeBytes,
    long segmentBytes,
    int indexSpacing,
    long reserveBytes,
    OptionalLong cutFromIndex,
    Supplier<String> bootId,
    LongSupplier wallClockMs,
    boolean alone,
    long coveredUpTo) {

  /** Default of {@code blockSizeBytes}: 5 MiB, since an entry of 1 MiB must fit into a quarter. */
  public static final int DEFAULT_BLOCK_SIZE_BYTES = 5 << 20;

  /** Default of {@code segmentBytes}: 256 MiB. */
  public static final long DEFAULT_SEGMENT_BYTES = 256L << 20;

  /** Default of {@code indexSpacing}. */
  public static final int DEFAULT_INDEX_SPACING = 16;

  /** Default of {@code reserveBytes}: 64 MiB. */
  public static final long DEFAULT_RESERVE_BYTES = 64L << 20;

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  public LogOptions {
    Objects.requireNonNull(directory, "directory");
    Objects.requireNonNull(persist, "persist");
    Objects.requireNonNull(cutFromIndex, "cutFromIndex");
    Objects.requireNonNull(bootId, "bootId");
    Objects.requireNonNull(wallClockMs, "wallClockMs");
    require(
        blockSizeBytes / 4 >= EntryRecord.MAX_DOCUMENT_BYTES,
        "blockSizeBytes must be at least " + 4 * EntryRecord.MAX_DOCUMENT_BYTES,
        blockSizeBytes);
    require(segmentBytes > 0, "segmentBytes must be positive", segmentBytes);
    require(
        Integer.bitCount(indexSpacing) == 1 && indexSpacing <= 256,
        "indexSpacing must be a power of two up to 256",
        indexSpacing);
    require(reserveBytes >= 0, "reserveBytes must not be negative", reserveBytes);
    require(coveredUpTo >= 0, "coveredUpTo must not be negative", coveredUpTo);
  }

  /** Settings for {@code directory}: {@code persist=page}, default sizes, the host's boot id. */
  public static LogOptions defaults(Path directory) {
    return new LogOptions(
        directory,
        Persist.PAGE,
        DEFAULT_BLOCK_SIZE_BYTES,
        DEFAULT_SEGMENT_BYTES,
        DEFAULT_INDEX_SPACING,
        DEFAULT_RESERVE_BYTES,
        OptionalLong.empty(),
        LogOptions::hostBootId,
        System::currentTimeMillis,
        false,
        0);
  }

  public LogOptions withPersist(Persist value) {
    return new LogOptions(
        directory,
        value,
        blockSizeBytes,
        segmentBytes,
        indexSpacing,
        reserveBytes,
        cutFromIndex,
        bootId,
        wallClockMs,
        alone,
        coveredUpTo);
  }

  public LogOptions withSegmentBytes(long value) {
    return new LogOptions(
        directory,
        persist,
        blockSizeBytes,
        value,
        indexSpacing,
        reserveBytes,
        cutFromIndex,
        bootId,
        wallClockMs,
        alone,
        coveredUpTo);
  }

  public LogOptions withReserveBytes(long value) {
    return new LogOptions(
        directory,
        persist,
        blockSizeBytes,
        segmentBytes,
        indexSpacing,
        value,
        cutFromIndex,
        bootId,
        wallClockMs,
        alone,
        coveredUpTo);
  }

  public LogOptions withCutFromIndex(long value) {
    return new LogOptions(
        directory,
        persist,
        blockSizeBytes,
        segmentBytes,
        indexSpacing,
        reserveBytes,
        OptionalLong.of(value),
        bootId,
        wallClockMs,
        alone,
        coveredUpTo);
  }

  public LogOptions withBootId(Supplier<String> value) {
    return new LogOptions(
        directory,
        persist,
        blockSizeBytes,
        segmentBytes,
        indexSpacing,
        reserveBytes,
        cutFromIndex,
        value,
        wallClockMs,
        alone,
        coveredUpTo);
  }

  public LogOptions withAlone(boolean value) {
    return new LogOptions(
        directory,
        persist,
        blockSizeBytes,
        segmentBytes,
        indexSpacing,
        reserveBytes,
        cutFromIndex,
        bootId,
        wallClockMs,
        value,
        coveredUpTo);
  }

  public LogOptions withCoveredUpTo(long value) {
    return new LogOptions(
        directory,
        persist,
        blockSizeBytes,
        segmentBytes,
        indexSpacing,
        reserveBytes,
        cutFromIndex,
        bootId,
        wallClockMs,
        alone,
        value);
  }

  private static String hostBootId() {
    try {
      return Files.readString(BOOT_ID).trim();
    } catch (IOException e) {
      throw new LogFormatException(
          "can't read the host's boot id from " + BOOT_ID + "; mount /proc into the container", e);
    }
  }

  private static void require(boolean condition, String rule, long value) {
    if (!condition) {
      throw new IllegalArgumentException(rule + ", not " + value);
    }
  }
}
