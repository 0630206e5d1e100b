package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Iterator;

/**
 * A snapshot as one sequence of bytes, for another node: the length of the manifest in four bytes,
 * most significant first, the manifest, then the chunks in its order. {@link SnapshotImport} takes
 * it. One thread.
 *
 * <p>Holds one chunk open at a time: if the snapshot is removed meanwhile, reading ends with an
 * error.
 */
public final class SnapshotExport implements AutoCloseable {
  private final Snapshot snapshot;
  private final Manifest manifest;
  private final ByteBuffer head;
  private final long bytes;
  private final Iterator<Manifest.Chunk> next;
  private Manifest.Chunk open;
  private FileChannel channel;

  /**
   * Begins.
   *
   * @throws SnapshotException if there is no manifest to be read
   */
  public SnapshotExport(Snapshot snapshot) {
    this.snapshot = snapshot;
    manifest = snapshot.manifest().orElseThrow(() -> new SnapshotException(snapshot.reason()));
    try {
      byte[] text = Files.readAllBytes(snapshot.folder().resolve(Snapshot.MANIFEST));
      head = ByteBuffer.allocate(Integer.BYTES + text.length).putInt(text.length).put(text).flip();
    } catch (IOException e) {
      throw unreadable(snapshot.folder().resolve(Snapshot.MANIFEST), e);
    }
    bytes = head.remaining() + manifest.bytes();
    next = manifest.chunks().iterator();
  }

  /** Where the snapshot stands. */
  public LogPosition position() {
    return manifest.position();
  }

  /** Length of the sequence. */
  public long bytes() {
    return bytes;
  }

  /**
   * The next bytes, at most {@code max}; none behind the end.
   *
   * @throws SnapshotException if they can't be read any more
   */
  public byte[] read(int max) {
    if (head.hasRemaining()) {
      byte[] part = new byte[Math.min(max, head.remaining())];
      head.get(part);
      return part;
    }
    while (channel != null || next.hasNext()) {
      byte[] part = readChunk(max);
      if (part.length > 0) {
        return part;
      }
    }
    return new byte[0];
  }

  private byte[] readChunk(int max) {
    Path file = snapshot.folder().resolve(open == null ? "" : open.file());
    try {
      if (channel == null) {
        open = next.next();
        file = snapshot.folder().resolve(open.file());
        channel = FileChannel.open(file, StandardOpenOption.READ);
      }
      long left = open.bytes() - channel.position();
      ByteBuffer part = ByteBuffer.allocate((int) Math.min(max, left));
      while (part.hasRemaining()) {
        if (channel.read(part) < 0) {
          throw new IOException("it is shorter than its manifest says");
        }
      }
      if (channel.position() == open.bytes()) {
        close();
      }
      return part.array();
    } catch (IOException e) {
      throw unreadable(file, e);
    }
  }

  private static SnapshotException unreadable(Path file, IOException e) {
    return new SnapshotException(file + " can't be read: " + e, e);
  }

  /** Closes the open chunk. */
  @Override
  public void close() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        throw unreadable(snapshot.folder(), e);
      } finally {
        channel = null;
      }
    }
  }
}
