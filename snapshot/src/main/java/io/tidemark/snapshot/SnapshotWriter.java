package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.state.ObjectView;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateSink;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Writes one snapshot and publishes it: a folder under a temporary name, every file and the folder
 * forced, the rename, the manifest last. A crash at any step leaves something that no restore takes
 * for a snapshot and that the next start clears away.
 *
 * <p>One capture, one thread. What it throws gives the capture up; {@link #close} then clears away.
 */
public final class SnapshotWriter implements StateSink, AutoCloseable {
  private final SnapshotStore store;
  private final FileOperations files;
  private final SnapshotOptions options;
  private final BooleanSupplier stop;

  private LogPosition position;
  private Path temporary;
  private ChunkWriter chunks;
  private long records;
  private long objectsSeen;
  private Snapshot published;

  /**
   * @param stop asked at every record; yes gives the capture up
   */
  SnapshotWriter(
      SnapshotStore store, FileOperations files, SnapshotOptions options, BooleanSupplier stop) {
    this.store = store;
    this.files = files;
    this.options = options;
    this.stop = stop;
  }

  @Override
  public void begin(LogPosition at) {
    position = at;
    temporary = store.temporaryFolder(at);
    try {
      Folders.remove(files, temporary);
      files.createDirectory(temporary);
    } catch (IOException e) {
      throw store.cantWrite(temporary, e);
    }
    chunks = new ChunkWriter(files, temporary, options, at.index());
  }

  @Override
  public void record(StateRecord record) {
    goOn();
    try {
      chunks.add(record);
    } catch (IOException e) {
      throw store.cantWrite(temporary, e);
    }
    records++;
    objectsSeen += record instanceof StateRecord.StoredObject ? 1 : 0;
  }

  @Override
  public void object(ObjectView object, String groupId) {
    goOn();
    try {
      chunks.add(object, groupId);
    } catch (IOException e) {
      throw store.cantWrite(temporary, e);
    }
    records++;
    objectsSeen++;
  }

  private void goOn() {
    if (stop.getAsBoolean()) {
      throw new SnapshotException("the snapshot was stopped");
    }
  }

  @Override
  public void end(long digest, long objectCount) {
    if (objectCount != objectsSeen) {
      throw new SnapshotException(
          "the capture gave " + objectsSeen + " objects and then said " + objectCount);
    }
    try {
      chunks.finish();
      files.forceNames(temporary);
      Path folder = store.makeRoomFor(position);
      files.rename(temporary, folder);
      files.forceNames(store.root());
      Manifest manifest =
          new Manifest(
              options.cluster(),
              options.node(),
              options.writtenBy(),
              options.wallClockMs().getAsLong(),
              position,
              digest,
              objectCount,
              records,
              chunks.chunks());
      replaceText(files, folder.resolve(Snapshot.MANIFEST), ManifestText.write(manifest));
      published = new Snapshot(folder, Snapshot.State.PUBLISHED, Optional.of(manifest), "");
    } catch (IOException e) {
      throw store.cantWrite(temporary, e);
    }
  }

  /** The snapshot, once {@link #end} has returned. */
  public Snapshot published() {
    if (published == null) {
      throw new IllegalStateException("the capture has not ended");
    }
    return published;
  }

  /** Clears away what an abandoned capture left; what can't be, the next start does. */
  @Override
  public void close() {
    if (published == null && temporary != null) {
      try {
        if (chunks != null) {
          chunks.close();
        }
        Folders.remove(files, temporary);
        Path folder = store.folderOf(position);
        if (!Files.exists(folder.resolve(Snapshot.MANIFEST))) {
          Folders.remove(files, folder);
        }
      } catch (IOException | UncheckedIOException leftForTheNextStart) {
        // It has no manifest, so nobody takes it for a snapshot.
      }
    }
  }

  /** Replaces a small file as a whole: after a crash it has the old content or the new. */
  static void replaceText(FileOperations files, Path file, String text) throws IOException {
    Path fresh = file.resolveSibling(file.getFileName() + ".new");
    files.delete(fresh);
    try (FileOperations.Output out = files.create(fresh)) {
      out.write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
      out.force();
    }
    files.rename(fresh, file);
    files.forceNames(file.getParent());
  }
}
