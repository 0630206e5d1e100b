package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogPosition;

/** One snapshot on its way to one standby, in parts within a window. Called by the node's loop. */
final class SnapshotSending {
  private final SnapshotShelf.Outgoing snapshot;
  private long sentBytes;
  private long receivedBytes;

  SnapshotSending(SnapshotShelf.Outgoing snapshot) {
    this.snapshot = snapshot;
  }

  LogPosition position() {
    return snapshot.position();
  }

  /** Whether another part may be sent now. */
  boolean hasNext(ReplicationConfig config) {
    boolean room = sentBytes == receivedBytes || sentBytes - receivedBytes < config.windowBytes();
    return sentBytes < snapshot.bytes() && room;
  }

  /**
   * The next part.
   *
   * @throws java.io.UncheckedIOException if the snapshot can't be read any more
   */
  Message.SnapshotPart next(long epoch, int maxBytes) {
    byte[] bytes = snapshot.read(maxBytes);
    Message.SnapshotPart part =
        new Message.SnapshotPart(epoch, snapshot.position(), snapshot.bytes(), sentBytes, bytes);
    sentBytes += bytes.length;
    return part;
  }

  /**
   * The standby has so much.
   *
   * @return whether that can be
   */
  boolean received(long bytes) {
    boolean possible = bytes >= receivedBytes && bytes <= sentBytes;
    receivedBytes = possible ? bytes : receivedBytes;
    return possible;
  }

  void close() {
    snapshot.close();
  }
}
