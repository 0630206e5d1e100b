package io.tidemark.oplog;

import static io.tidemark.oplog.EntryRecord.INT;
import static io.tidemark.oplog.EntryRecord.LONG;

import io.tidemark.api.log.EntryHeader;
import java.util.zip.CRC32C;

/**
 * Writes records into one buffer of its own, which the next record overwrites. One thread at a
 * time.
 */
final class EntryEncoder {
  private final byte[] buffer = new byte[EntryRecord.MAX_RECORD_BYTES];
  private final CRC32C crc = new CRC32C();

  /**
   * Sets what the log itself says about the next entry that is encoded.
   *
   * @param commitIndex stored instead of the header's
   */
  void behind(long previousChainHash, long commitIndex) {
    LONG.set(buffer, EntryRecord.PREVIOUS_CHAIN_AT, previousChainHash);
    LONG.set(buffer, EntryRecord.COMMIT_AT, commitIndex);
  }

  /**
   * Writes a record to the start of {@link #buffer}, with what {@link #behind} said.
   *
   * @return length of the record in bytes
   */
  int encode(EntryHeader header, byte[] payload, int offset, int length) {
    INT.set(buffer, 0, EntryRecord.MAGIC);
    INT.set(buffer, EntryRecord.LENGTH_AT, length);
    LONG.set(buffer, EntryRecord.INDEX_AT, header.index());
    LONG.set(buffer, EntryRecord.EPOCH_AT, header.epoch());
    LONG.set(buffer, EntryRecord.LOG_TIME_AT, header.logTimeMs());
    LONG.set(buffer, EntryRecord.WALL_TIME_AT, header.wallTimeMs());
    LONG.set(buffer, EntryRecord.ACTOR_FIRST_AT, header.actor().first());
    LONG.set(buffer, EntryRecord.ACTOR_SECOND_AT, header.actor().second());
    INT.set(buffer, EntryRecord.CAUSE_AT, header.causeCode());
    INT.set(buffer, EntryRecord.FLAGS_AT, header.batchEnd() ? EntryRecord.FLAG_BATCH_END : 0);
    System.arraycopy(payload, offset, buffer, EntryRecord.HEADER_BYTES, length);
    int checked = EntryRecord.HEADER_BYTES + length;
    INT.set(buffer, checked, EntryRecord.checksum(buffer, 0, checked, crc));
    return checked + EntryRecord.CHECKSUM_BYTES;
  }

  /**
   * Copies a record that another log wrote to the start of {@link #buffer}.
   *
   * @return length of the record in bytes
   */
  int copy(byte[] record, int offset, int length) {
    System.arraycopy(record, offset, buffer, 0, length);
    return length;
  }

  /** Where {@link #encode} writes. */
  byte[] buffer() {
    return buffer;
  }

  /** Chain hash of the record written last. */
  long chainHash(int recordBytes) {
    return EntryRecord.chainHash(buffer, 0, recordBytes);
  }
}
