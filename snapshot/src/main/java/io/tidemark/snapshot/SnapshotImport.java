package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Takes a snapshot as {@link SnapshotExport} gives it. Until {@link #publish} nobody takes what is
 * there for a snapshot; a crash leaves what the next start clears away. One thread at a time.
 */
public final class SnapshotImport {
  private final SnapshotStore store;
  private final FileOperations files;
  private final UUID cluster;
  private final LogPosition position;
  private final long bytes;
  private final Path temporary;
  private final ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
  private ByteBuffer text;
  private Manifest manifest;
  private Iterator<Manifest.Chunk> next;
  private FileOperations.Output output;
  private long leftInChunk;
  private long taken;

  SnapshotImport(
      SnapshotStore store, FileOperations files, UUID cluster, LogPosition position, long bytes) {
    this.store = store;
    this.files = files;
    this.cluster = cluster;
    this.position = position;
    this.bytes = bytes;
    temporary = store.arrivingFolder(position);
    try {
      files.createDirectory(temporary);
    } catch (IOException e) {
      throw store.cantWrite(temporary, e);
    }
  }

  /** Where the sender says that it stands. */
  public LogPosition position() {
    return position;
  }

  /**
   * Takes the next bytes.
   *
   * @throws SnapshotException if they make no snapshot of this cluster and position, or can't be
   *     written
   */
  public void write(byte[] part) {
    ByteBuffer in = ByteBuffer.wrap(part);
    taken += part.length;
    try {
      while (in.hasRemaining()) {
        if (manifest == null) {
          takeManifest(in);
        } else {
          takeChunk(in);
        }
      }
    } catch (IOException e) {
      throw store.cantWrite(temporary, e);
    }
  }

  private void takeManifest(ByteBuffer in) {
    while (length.hasRemaining() && in.hasRemaining()) {
      length.put(in.get());
    }
    if (length.hasRemaining()) {
      return;
    }
    if (text == null) {
      int size = length.getInt(0);
      if (size <= 0 || size > ManifestText.MAX_BYTES) {
        throw new SnapshotException("a snapshot arrived whose manifest has " + size + " bytes");
      }
      text = ByteBuffer.allocate(size);
    }
    int fits = Math.min(text.remaining(), in.remaining());
    text.put(in.slice(in.position(), fits));
    in.position(in.position() + fits);
    if (!text.hasRemaining()) {
      accept(ManifestText.read(text.array()));
    }
  }

  private void accept(Manifest read) {
    if (!read.cluster().equals(cluster) || !read.position().equals(position)) {
      throw new SnapshotException(
          "a snapshot of "
              + read.position()
              + " of cluster "
              + read.cluster()
              + " arrived, announced was "
              + position
              + " of "
              + cluster);
    }
    if (Integer.BYTES + text.capacity() + read.bytes() != bytes) {
      throw new SnapshotException("a snapshot arrived whose length is not what was announced");
    }
    manifest = read;
    next = manifest.chunks().iterator();
  }

  private void takeChunk(ByteBuffer in) throws IOException {
    while (output == null) {
      if (!next.hasNext()) {
        throw new SnapshotException("a snapshot arrived that is longer than its manifest says");
      }
      Manifest.Chunk chunk = next.next();
      output = files.create(temporary.resolve(chunk.file()));
      leftInChunk = chunk.bytes();
    }
    int fits = (int) Math.min(leftInChunk, in.remaining());
    output.write(in.slice(in.position(), fits));
    in.position(in.position() + fits);
    leftInChunk -= fits;
    if (leftInChunk == 0) {
      closeOutput();
    }
  }

  private void closeOutput() throws IOException {
    if (output != null) {
      FileOperations.Output closing = output;
      output = null;
      closing.close();
    }
  }

  /**
   * Forces it, gives it its name and checks every byte of it; takes its time.
   *
   * @return the snapshot, verified
   * @throws SnapshotException if it is not whole, not sound, or can't be written; nothing that
   *     counts as a snapshot is left then
   */
  public Snapshot publish() {
    if (manifest == null || taken != bytes || output != null || next.hasNext()) {
      abandon();
      throw new SnapshotException("a snapshot arrived in part only: " + taken + " of " + bytes);
    }
    Optional<Snapshot> there = store.newestVerified(cluster, position.index());
    if (there.isPresent() && there.get().manifest().equals(Optional.of(manifest))) {
      abandon();
      return there.get();
    }
    try {
      for (Manifest.Chunk chunk : manifest.chunks()) {
        files.force(temporary.resolve(chunk.file()));
      }
      files.forceNames(temporary);
      Path folder = store.makeRoomFor(position);
      files.rename(temporary, folder);
      files.forceNames(store.root());
      SnapshotWriter.replaceText(
          files, folder.resolve(Snapshot.MANIFEST), ManifestText.write(manifest));
      Snapshot published =
          new Snapshot(folder, Snapshot.State.PUBLISHED, Optional.of(manifest), "");
      List<String> faults = store.verify(published);
      if (!faults.isEmpty()) {
        throw new SnapshotException(
            folder + " did not arrive as it was sent: " + faults.get(0) + "; check the disks");
      }
      return published;
    } catch (IOException e) {
      throw store.cantWrite(temporary, e);
    }
  }

  /** Gives it up and clears away; what can't be, the next start does. */
  public void abandon() {
    try {
      closeOutput();
      Folders.remove(files, temporary);
    } catch (IOException | UncheckedIOException leftForTheNextStart) {
      // It has no manifest, so nobody takes it for a snapshot.
    }
  }
}
