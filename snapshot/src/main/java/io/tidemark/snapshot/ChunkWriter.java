package io.tidemark.snapshot;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.state.ObjectView;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateRecordCodec;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;

/**
 * Packs records into chunk files. Hands a chunk to the file in slices as it grows and forces it
 * when it is full: a write of megabytes in one call keeps a core from everybody else for
 * milliseconds, on kernels that do not interrupt themselves. One thread.
 */
final class ChunkWriter implements Closeable {
  private final FileOperations files;
  private final Path folder;
  private final SnapshotOptions options;
  private final Throttle throttle;
  private final long index;
  private final EventBuffer body = new EventBuffer(4096);
  private final List<Manifest.Chunk> chunks = new ArrayList<>();

  /** What is not in the file yet. */
  private byte[] slice = new byte[DiskOperations.SLICE_BYTES + 64 * 1024];

  private int length;

  /** The chunk that is being written; {@code kind} is null if there is none. */
  private ChunkKind kind;

  private String name;
  private FileOperations.Output out;
  private CRC32C crc;
  private long flushed;
  private int records;

  /**
   * @param folder where the chunks go
   * @param index log index of the snapshot
   */
  ChunkWriter(FileOperations files, Path folder, SnapshotOptions options, long index) {
    this.files = files;
    this.folder = folder;
    this.options = options;
    this.index = index;
    throttle = new Throttle(options.bytesPerSecond());
  }

  /** Adds a record; ends the chunk if that fills it. */
  void add(StateRecord record) throws IOException {
    expect(ChunkKind.of(record.type()));
    StateRecordCodec.write(record, body);
    take();
  }

  /** As {@link #add(StateRecord)}, of an object. */
  void add(ObjectView object, String groupId) throws IOException {
    expect(ChunkKind.OBJECTS);
    StateRecordCodec.writeObject(object, groupId, body);
    take();
  }

  private void expect(ChunkKind wanted) throws IOException {
    if (kind != wanted) {
      finish();
      begin(wanted);
    }
    body.truncate(0);
  }

  /** Takes the record that was encoded. */
  private void take() throws IOException {
    frame(body.array(), body.position());
    records++;
    if (flushed + length >= options.chunkBytes()) {
      finish();
    } else if (length >= DiskOperations.SLICE_BYTES) {
      crc.update(slice, 0, length);
      flush();
    }
  }

  /** Ends the chunk that is being written, if there is one. */
  void finish() throws IOException {
    if (kind == null) {
      return;
    }
    crc.update(slice, 0, length);
    int sum = (int) crc.getValue();
    ensure(ChunkLayout.TRAILER_BYTES);
    ChunkLayout.putInt(slice, length, ChunkLayout.TRAILER_MAGIC);
    ChunkLayout.putInt(slice, length + 4, records);
    ChunkLayout.putInt(slice, length + 8, sum);
    ChunkLayout.putInt(slice, length + 12, ChunkLayout.crc(slice, length, 12));
    length += ChunkLayout.TRAILER_BYTES;
    flush();
    out.force();
    close();
    chunks.add(new Manifest.Chunk(name, kind.word(), flushed, records, sum));
    kind = null;
  }

  /** The chunks written so far. */
  List<Manifest.Chunk> chunks() {
    return chunks;
  }

  /** Closes the file of a chunk that was not finished. */
  @Override
  public void close() throws IOException {
    if (out != null) {
      FileOperations.Output closing = out;
      out = null;
      closing.close();
    }
  }

  private void begin(ChunkKind wanted) throws IOException {
    name = ChunkLayout.fileName(wanted, chunks.size());
    out = files.create(folder.resolve(name));
    kind = wanted;
    crc = new CRC32C();
    flushed = 0;
    records = 0;
    ChunkLayout.putHeader(slice, wanted, chunks.size(), index);
    length = ChunkLayout.HEADER_BYTES;
  }

  private void flush() throws IOException {
    throttle.admit(length);
    out.write(ByteBuffer.wrap(slice, 0, length));
    flushed += length;
    length = 0;
  }

  private void frame(byte[] source, int bodyBytes) {
    if (bodyBytes > ChunkLayout.MAX_BODY_BYTES) {
      throw new SnapshotException(
          "a record of " + bodyBytes + " bytes is larger than a snapshot can hold");
    }
    ensure(ChunkLayout.FRAME_BYTES + bodyBytes);
    int at = length;
    slice[at] = ChunkLayout.SYNC_0;
    slice[at + 1] = ChunkLayout.SYNC_1;
    ChunkLayout.putInt(slice, at + 2, bodyBytes);
    System.arraycopy(source, 0, slice, at + ChunkLayout.FRAME_BYTES, bodyBytes);
    ChunkLayout.putInt(slice, at + 6, ChunkLayout.frameCrc(slice, at, bodyBytes));
    length += ChunkLayout.FRAME_BYTES + bodyBytes;
  }

  private void ensure(int more) {
    if (length + more > slice.length) {
      slice = Arrays.copyOf(slice, Math.max(slice.length * 2, length + more));
    }
  }
}
