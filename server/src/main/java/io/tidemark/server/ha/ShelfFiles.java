package io.tidemark.server.ha;

import io.tidemark.api.log.LogPosition;
import io.tidemark.oplog.replication.SnapshotShelf;
import io.tidemark.snapshot.SnapshotException;
import io.tidemark.snapshot.SnapshotExport;
import io.tidemark.snapshot.SnapshotImport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;

/** Snapshots in files as replication sends and receives them. */
final class ShelfFiles {

  private ShelfFiles() {}

  /** Runs an action on files; what goes wrong is told as replication expects it. */
  private static <T> T told(Supplier<T> action) {
    try {
      return action.get();
    } catch (SnapshotException failed) {
      throw new UncheckedIOException(failed.getMessage(), new IOException(failed));
    }
  }

  /** A snapshot that is sent. */
  record Sent(SnapshotExport export) implements SnapshotShelf.Outgoing {
    @Override
    public LogPosition position() {
      return export.position();
    }

    @Override
    public long bytes() {
      return export.bytes();
    }

    @Override
    public byte[] read(int max) {
      return told(() -> export.read(max));
    }

    @Override
    public void close() {
      export.close();
    }
  }

  /** A snapshot that arrives. */
  record Arrived(SnapshotImport arrival) implements SnapshotShelf.Incoming {

    static Arrived begin(Supplier<SnapshotImport> importer) {
      return new Arrived(told(importer));
    }

    @Override
    public LogPosition position() {
      return arrival.position();
    }

    @Override
    public void write(byte[] part) {
      told(
          () -> {
            arrival.write(part);
            return part;
          });
    }

    @Override
    public void abandon() {
      arrival.abandon();
    }
  }
}
