package io.tidemark.snapshot;

import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * How snapshots are written.
 *
 * @param cluster whose state it is
 * @param node who writes it
 * @param writtenBy version of this program
 * @param chunkBytes a chunk ends with the record that takes it beyond this size
 * @param bytesPerSecond most that is written a second, 0 for no limit
 * @param wallClockMs ms since 1970, for people
 */
public record SnapshotOptions(
    UUID cluster,
    UUID node,
    String writtenBy,
    int chunkBytes,
    long bytesPerSecond,
    LongSupplier wallClockMs) {

  /** Default of {@code chunkBytes}: 4 MiB. */
  public static final int DEFAULT_CHUNK_BYTES = 4 << 20;

  public SnapshotOptions {
    if (chunkBytes < 64 || chunkBytes > 64 << 20) {
      throw new IllegalArgumentException(
          "chunkBytes must be between 64 and 67108864, not " + chunkBytes);
    }
    if (writtenBy.indexOf('\n') >= 0) {
      throw new IllegalArgumentException("writtenBy must be one line");
    }
  }

  /** Default sizes, no limit of the rate. */
  public static SnapshotOptions defaults(UUID cluster, UUID node) {
    return new SnapshotOptions(
        cluster, node, "tidemark", DEFAULT_CHUNK_BYTES, 0, System::currentTimeMillis);
  }
}
