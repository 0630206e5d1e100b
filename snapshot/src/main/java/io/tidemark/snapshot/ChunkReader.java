package io.tidemark.snapshot;

import io.tidemark.api.event.EventBuffer;
import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.state.StateRecord;
import io.tidemark.api.state.StateRecordCodec;
import java.nio.file.Path;

/**
 * Reads one chunk. If its checksum fits, the records are taken as they come; if not, each is held
 * against its own, and behind a bad one the next good one is looked for.
 */
final class ChunkReader {
  private final SnapshotReader report;
  private final Path file;
  private final byte[] bytes;
  private final int length;
  private final Manifest.Chunk chunk;
  private final ChunkKind kind;
  private int taken;

  /**
   * @param bytes the file's content at its front
   * @param length how much of it
   */
  ChunkReader(SnapshotReader report, Path file, byte[] bytes, int length, Manifest.Chunk chunk) {
    this.report = report;
    this.file = file;
    this.bytes = bytes;
    this.length = length;
    this.chunk = chunk;
    kind = ChunkKind.ofWord(chunk.kind());
  }

  /**
   * Hands out the records.
   *
   * @param number of the chunk in the manifest
   * @param index log index of the snapshot
   */
  void read(int number, long index, SnapshotReader.Visitor visitor) {
    if (isSound(number, index)) {
      readSound(end(), visitor);
    } else {
      readDamaged(end(), visitor);
    }
    int missing = chunk.records() - taken;
    report.lost(kind, missing);
    if (missing != 0) {
      report.fault(file + ": " + missing + " of " + chunk.records() + " records can't be read");
    }
  }

  /**
   * Whether header, trailer and checksum are as they were written; reports a header, a trailer and
   * a length that are not, but leaves the checksum to whoever reads the records.
   */
  private boolean isSound(int number, long index) {
    boolean sized = length == chunk.bytes();
    if (!sized) {
      report.fault(file + ": has " + length + " bytes, its manifest says " + chunk.bytes());
    }
    checkHeader(number, index);
    boolean sound = sized && end() >= ChunkLayout.HEADER_BYTES && checkTrailer(end());
    return sound && ChunkLayout.crc(bytes, 0, end()) == chunk.crc();
  }

  /** Where the records end. */
  private int end() {
    return (int) Math.min(length, chunk.bytes() - ChunkLayout.TRAILER_BYTES);
  }

  private void checkHeader(int number, long index) {
    byte[] expected = new byte[ChunkLayout.HEADER_BYTES];
    ChunkLayout.putHeader(expected, kind, number, index);
    for (int i = 0; i < ChunkLayout.HEADER_BYTES; i++) {
      if (i >= length || bytes[i] != expected[i]) {
        refuseForeign(number, index);
        report.fault(file + ", offset " + i + ": the chunk's header is damaged");
        return;
      }
    }
  }

  /** A header that is sound in itself and says something else is no damage. */
  private void refuseForeign(int number, long index) {
    boolean sound =
        length >= ChunkLayout.HEADER_BYTES
            && ChunkLayout.getInt(bytes, 0) == ChunkLayout.HEADER_MAGIC
            && ChunkLayout.getInt(bytes, 20) == ChunkLayout.crc(bytes, 0, 20);
    if (sound && (bytes[4] & 0xff) > ChunkLayout.VERSION) {
      throw new SnapshotException(
          "chunk "
              + chunk.file()
              + " has layout "
              + (bytes[4] & 0xff)
              + ", this release reads up to "
              + ChunkLayout.VERSION
              + "; start the release that wrote it, or a newer one");
    }
    if (sound) {
      throw new SnapshotException(
          String.format(
              "chunk %s is number %d of the snapshot of index %d, not %d of %d",
              chunk.file(),
              ChunkLayout.getInt(bytes, 8),
              ChunkLayout.getLong(bytes, 12),
              number,
              index));
    }
  }

  private boolean checkTrailer(int at) {
    boolean sound = ChunkLayout.isTrailer(bytes, at, chunk);
    if (!sound) {
      report.fault(file + ", offset " + at + ": the chunk's trailer is damaged");
    }
    return sound;
  }

  private void readSound(int end, SnapshotReader.Visitor visitor) {
    int at = ChunkLayout.HEADER_BYTES;
    while (at < end) {
      int body = ChunkLayout.bodyBytes(bytes, at, end - at);
      if (body < 0) {
        bad(at, "is no record, though the chunk's checksum fits", visitor);
        return;
      }
      take(at, body, visitor);
      at += ChunkLayout.FRAME_BYTES + body;
    }
  }

  private void readDamaged(int end, SnapshotReader.Visitor visitor) {
    int at = ChunkLayout.HEADER_BYTES;
    while (at < end) {
      int body = ChunkLayout.bodyBytes(bytes, at, end - at);
      if (body >= 0 && isIntact(at, body)) {
        take(at, body, visitor);
        at += ChunkLayout.FRAME_BYTES + body;
      } else {
        bad(at, "the record is damaged", visitor);
        at = nextIntact(at + 1, end);
      }
    }
  }

  private boolean isIntact(int at, int body) {
    return ChunkLayout.getInt(bytes, at + 6) == ChunkLayout.frameCrc(bytes, at, body);
  }

  private int nextIntact(int from, int end) {
    for (int at = from; at < end; at++) {
      int body = ChunkLayout.bodyBytes(bytes, at, end - at);
      if (body >= 0 && isIntact(at, body)) {
        return at;
      }
    }
    return end;
  }

  private void take(int at, int body, SnapshotReader.Visitor visitor) {
    StateRecord record;
    try {
      EventBuffer in = EventBuffer.reading(bytes, at + ChunkLayout.FRAME_BYTES, body);
      record = StateRecordCodec.read(in);
      if (in.hasRemaining() || ChunkKind.of(record.type()) != kind) {
        bad(at, "the record does not belong there", visitor);
        return;
      }
    } catch (UnknownEventException newer) {
      throw newer;
    } catch (RuntimeException senseless) {
      bad(at, "the record makes no sense: " + senseless.getMessage(), visitor);
      return;
    }
    taken++;
    report.took(record);
    visitor.record(record, new RecordPlace(file, at));
  }

  private void bad(int at, String why, SnapshotReader.Visitor visitor) {
    report.fault(file + ", offset " + at + ": " + why);
    visitor.unreadable(new RecordPlace(file, at), why);
  }
}
