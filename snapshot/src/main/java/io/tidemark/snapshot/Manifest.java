package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import java.util.List;
import java.util.UUID;

/**
 * What belongs to a snapshot and where it stands.
 *
 * @param cluster whose state it is
 * @param node who wrote it
 * @param writtenBy version of the program that wrote it
 * @param createdMs wall clock, ms since 1970; for people only
 * @param position the cut: everything up to it is in the records, nothing behind it
 * @param digest digest of the state at the cut (COR-28)
 */
public record Manifest(
    UUID cluster,
    UUID node,
    String writtenBy,
    long createdMs,
    LogPosition position,
    long digest,
    long objects,
    long records,
    List<Chunk> chunks) {

  public Manifest {
    chunks = List.copyOf(chunks);
  }

  /**
   * One chunk file.
   *
   * @param kind {@code tables}, {@code objects} or {@code writes}
   * @param bytes length of the file
   * @param crc CRC32C of everything before its trailer
   */
  public record Chunk(String file, String kind, long bytes, int records, int crc) {}

  /** Bytes of all chunks. */
  public long bytes() {
    return chunks.stream().mapToLong(Chunk::bytes).sum();
  }
}
