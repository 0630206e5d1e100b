package io.tidemark.snapshot;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.state.StateRecordCodec;
import io.tidemark.api.state.StateRecordType;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Goes over a chunk in slices and says only whether all of it is as it was written; what is wrong
 * finds {@link ChunkReader}, which wants the whole chunk in memory. So reading a sound snapshot
 * back takes little memory and makes no garbage. One thread.
 */
final class ChunkSkim {
  private final Rests rests;
  private final boolean intoRecords;
  private byte[] window = new byte[2 * DiskOperations.SLICE_BYTES];

  /** What of the window is not dealt with yet. */
  private int from;

  private int to;

  private long objects;

  /**
   * @param intoRecords whether to look into the records too, not only at the checksum
   */
  ChunkSkim(Rests rests, boolean intoRecords) {
    this.rests = rests;
    this.intoRecords = intoRecords;
  }

  /** Objects of the chunk that was found sound last; of no meaning if the records were left out. */
  long objects() {
    return objects;
  }

  /**
   * Whether a chunk is sound.
   *
   * @param number of the chunk in the manifest
   * @param index log index of the snapshot
   */
  boolean isSound(Path file, Manifest.Chunk chunk, int number, long index) throws IOException {
    long content = chunk.bytes() - ChunkLayout.TRAILER_BYTES;
    if (Files.size(file) != chunk.bytes() || content < ChunkLayout.HEADER_BYTES) {
      return false;
    }
    from = 0;
    to = 0;
    objects = 0;
    try (InputStream in = Files.newInputStream(file)) {
      return fill(in, ChunkLayout.HEADER_BYTES)
          && isHeader(ChunkKind.ofWord(chunk.kind()), number, index)
          && areRecords(in, chunk, content)
          && fill(in, ChunkLayout.TRAILER_BYTES)
          && ChunkLayout.isTrailer(window, from, chunk);
    } catch (RuntimeException senseless) {
      return false; // the reader finds it too, and says where
    }
  }

  private boolean isHeader(ChunkKind kind, int number, long index) {
    byte[] expected = new byte[ChunkLayout.HEADER_BYTES];
    ChunkLayout.putHeader(expected, kind, number, index);
    return Arrays.equals(window, from, from + expected.length, expected, 0, expected.length);
  }

  /** Deals with everything before the trailer. */
  private boolean areRecords(InputStream in, Manifest.Chunk chunk, long content)
      throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(window, from, ChunkLayout.HEADER_BYTES);
    from += ChunkLayout.HEADER_BYTES;
    long left = content - ChunkLayout.HEADER_BYTES;
    ChunkKind kind = ChunkKind.ofWord(chunk.kind());
    int records = 0;
    while (left > 0) {
      int piece = intoRecords ? nextRecord(in, kind, left) : nextSlice(in, left);
      if (piece <= 0) {
        return false;
      }
      crc.update(window, from, piece);
      from += piece;
      left -= piece;
      records++;
      rests.step();
    }
    return (int) crc.getValue() == chunk.crc() && (!intoRecords || records == chunk.records());
  }

  /** Length of what is in the window next; 0 if the file ends early. */
  private int nextSlice(InputStream in, long left) throws IOException {
    rests.look();
    int wanted = (int) Math.min(DiskOperations.SLICE_BYTES, left);
    return fill(in, wanted) ? wanted : 0;
  }

  /** Length of the next frame, which makes sense; 0 if there is none. */
  private int nextRecord(InputStream in, ChunkKind kind, long left) throws IOException {
    if (left < ChunkLayout.FRAME_BYTES || !fill(in, ChunkLayout.FRAME_BYTES)) {
      return 0;
    }
    int body = ChunkLayout.bodyBytes(window, from, left);
    if (body < 0 || !fill(in, ChunkLayout.FRAME_BYTES + body)) {
      return 0;
    }
    EventBuffer record = EventBuffer.reading(window, from + ChunkLayout.FRAME_BYTES, body);
    StateRecordType type = StateRecordCodec.check(record);
    objects += type == StateRecordType.OBJECT ? 1 : 0;
    boolean belongs = !record.hasRemaining() && ChunkKind.of(type) == kind;
    return belongs ? ChunkLayout.FRAME_BYTES + body : 0;
  }

  /** Makes {@code wanted} bytes available; false if the file ends before. */
  private boolean fill(InputStream in, int wanted) throws IOException {
    if (to - from >= wanted) {
      return true;
    }
    int kept = to - from;
    byte[] target = wanted <= window.length ? window : new byte[wanted];
    System.arraycopy(window, from, target, 0, kept);
    window = target;
    from = 0;
    to = kept;
    while (to < wanted) {
      int slice = Math.min(DiskOperations.SLICE_BYTES, window.length - to);
      int read = in.readNBytes(window, to, slice);
      if (read == 0) {
        return false;
      }
      to += read;
      rests.look();
    }
    return true;
  }
}
