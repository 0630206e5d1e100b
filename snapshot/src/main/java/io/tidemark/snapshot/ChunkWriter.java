package io.tidemark.snapshot;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateRecordCodec;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Packs records into chunk files. Holds one chunk in memory and writes it whole, forced, when it is
 * full. One thread.
 */
final class ChunkWriter {
  private final FileOperations files;
  private final Path folder;
  private final SnapshotOptions options;
  private final Throttle throttle;
  private final long index;
  private final EventBuffer body = new EventBuffer(4096);
  private final List<Manifest.Chunk> chunks = new ArrayList<>();

  private byte[] bytes;
  private int length;
  private int records;
  private ChunkKind kind;

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
    bytes = new byte[options.chunkBytes() + 64 * 1024];
  }

  /** Adds a record; writes a chunk if that fills it. */
  void add(StateRecord record) throws IOException {
    ChunkKind wanted = ChunkKind.of(record.type());
    if (kind != wanted) {
      finish();
      begin(wanted);
    }
    body.truncate(0);
    StateRecordCodec.write(record, body);
    frame(body.array(), body.position());
    records++;
    if (length >= options.chunkBytes()) {
      finish();
    }
  }

  /** Writes what is left. */
  void finish() throws IOException {
    if (kind == null) {
      return;
    }
    int content = length;
    ensure(ChunkLayout.TRAILER_BYTES);
    int crc = ChunkLayout.crc(bytes, 0, content);
    ChunkLayout.putInt(bytes, content, ChunkLayout.TRAILER_MAGIC);
    ChunkLayout.putInt(bytes, content + 4, records);
    ChunkLayout.putInt(bytes, content + 8, crc);
    ChunkLayout.putInt(bytes, content + 12, ChunkLayout.crc(bytes, content, 12));
    length = content + ChunkLayout.TRAILER_BYTES;
    String name = ChunkLayout.fileName(kind, chunks.size());
    throttle.admit(length);
    try (FileOperations.Output out = files.create(folder.resolve(name))) {
      out.write(ByteBuffer.wrap(bytes, 0, length));
      out.force();
    }
    chunks.add(new Manifest.Chunk(name, kind.word(), length, records, crc));
    kind = null;
  }

  /** The chunks written so far. */
  List<Manifest.Chunk> chunks() {
    return chunks;
  }

  private void begin(ChunkKind wanted) {
    kind = wanted;
    records = 0;
    ChunkLayout.putHeader(bytes, wanted, chunks.size(), index);
    length = ChunkLayout.HEADER_BYTES;
  }

  private void frame(byte[] source, int bodyBytes) {
    if (bodyBytes > ChunkLayout.MAX_BODY_BYTES) {
      throw new SnapshotException(
          "a record of " + bodyBytes + " bytes is larger than a snapshot can hold");
    }
    ensure(ChunkLayout.FRAME_BYTES + bodyBytes);
    int at = length;
    bytes[at] = ChunkLayout.SYNC_0;
    bytes[at + 1] = ChunkLayout.SYNC_1;
    ChunkLayout.putInt(bytes, at + 2, bodyBytes);
    System.arraycopy(source, 0, bytes, at + ChunkLayout.FRAME_BYTES, bodyBytes);
    ChunkLayout.putInt(bytes, at + 6, ChunkLayout.frameCrc(bytes, at, bodyBytes));
    length += ChunkLayout.FRAME_BYTES + bodyBytes;
  }

  private void ensure(int more) {
    if (length + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + more));
    }
  }
}
