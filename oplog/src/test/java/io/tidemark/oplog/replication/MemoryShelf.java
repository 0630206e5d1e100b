package io.tidemark.oplog.replication;

import io.tidemark.api.log.LogPosition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;

/** One snapshot in memory, whatever its bytes mean. */
final class MemoryShelf implements SnapshotShelf {
  private LogPosition position;
  private byte[] bytes;
  private int opened;
  private int abandoned;
  private boolean unreadable;
  private boolean full;

  void put(LogPosition at, byte[] content) {
    position = at;
    bytes = content.clone();
  }

  /** From now on nothing of it can be read. */
  void breakIt() {
    unreadable = true;
  }

  void full() {
    full = true;
  }

  /** Snapshots that are being sent. */
  int opened() {
    return opened;
  }

  int abandoned() {
    return abandoned;
  }

  @Override
  public Optional<Outgoing> newest(long fromIndex) {
    if (position == null || position.index() < fromIndex) {
      return Optional.empty();
    }
    opened++;
    return Optional.of(new Sent());
  }

  @Override
  public Incoming receive(LogPosition at, long length) {
    return new Arrived(at);
  }

  private final class Sent implements Outgoing {
    private int next;

    @Override
    public LogPosition position() {
      return position;
    }

    @Override
    public long bytes() {
      return bytes.length;
    }

    @Override
    public byte[] read(int max) {
      if (unreadable) {
        throw new UncheckedIOException("chunk 1 is gone", new IOException());
      }
      byte[] part = Arrays.copyOfRange(bytes, next, Math.min(bytes.length, next + max));
      next += part.length;
      return part;
    }

    @Override
    public void close() {
      opened--;
    }
  }

  final class Arrived implements Incoming {
    private final LogPosition at;
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

    Arrived(LogPosition at) {
      this.at = at;
    }

    byte[] content() {
      return parts.toByteArray();
    }

    @Override
    public LogPosition position() {
      return at;
    }

    @Override
    public void write(byte[] part) {
      if (full) {
        throw new UncheckedIOException("no space", new IOException());
      }
      parts.writeBytes(part);
    }

    @Override
    public void abandon() {
      abandoned++;
    }
  }
}
