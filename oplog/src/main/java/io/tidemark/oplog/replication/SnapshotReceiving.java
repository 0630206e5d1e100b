package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogPosition;

/** One snapshot as it arrives at a standby, part by part. Called by the node's loop. */
final class SnapshotReceiving {
  private final SnapshotShelf.Incoming incoming;
  private final long totalBytes;
  private long bytes;

  SnapshotReceiving(SnapshotShelf.Incoming incoming, long totalBytes) {
    this.incoming = incoming;
    this.totalBytes = totalBytes;
  }

  /** Whether {@code part} is the one that has to come next. */
  boolean fits(Message.SnapshotPart part) {
    LogPosition position = incoming.position();
    return part.position().equals(position)
        && part.totalBytes() == totalBytes
        && part.offset() == bytes
        && part.bytes().length > 0
        && part.bytes().length <= totalBytes - bytes;
  }

  /**
   * Takes it.
   *
   * @throws java.io.UncheckedIOException if it can't be kept
   */
  void take(Message.SnapshotPart part) {
    incoming.write(part.bytes());
    bytes += part.bytes().length;
  }

  long bytes() {
    return bytes;
  }

  boolean isWhole() {
    return bytes == totalBytes;
  }

  SnapshotShelf.Incoming incoming() {
    return incoming;
  }
}
