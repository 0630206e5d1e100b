package io.tidemark.oplog;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * Reads the bytes of one log entry; the layouts, of which there are two, are in the package
 * documentation.
 */
final class EntryRecord {
  /** Version of the layout that is written, stored in every record. */
  static final int VERSION = 2;

  /** "TME", as the lower three bytes of a little-endian word. */
  private static final int NAME = 'T' | 'M' << 8 | 'E' << 16;

  private static final int NAME_MASK = 0xff_ffff;

  /** "TME" and the version, as a little-endian word. */
  static final int MAGIC = NAME | VERSION << 24;

  private static final int MAGIC_1 = NAME | 1 << 24;

  static final int HEADER_BYTES = 80;

  /** Length of the header in version 1, which has no commit index. */
  static final int HEADER_1_BYTES = 72;

  static final int CHECKSUM_BYTES = 4;

  /** Bytes of a record beside its payload. */
  static final int OVERHEAD_BYTES = HEADER_BYTES + CHECKSUM_BYTES;

  /** Length of the smallest record of any version. */
  static final int MIN_RECORD_BYTES = HEADER_1_BYTES + CHECKSUM_BYTES;

  /** Largest payload: 1 MiB. */
  static final int MAX_PAYLOAD_BYTES = 1 << 20;

  static final int MAX_RECORD_BYTES = MAX_PAYLOAD_BYTES + OVERHEAD_BYTES;

  /** Largest record with the document header in front of it. */
  static final int MAX_DOCUMENT_BYTES = MAX_RECORD_BYTES + 4;

  static final int FLAG_BATCH_END = 1;
  static final int LENGTH_AT = 4;
  static final int INDEX_AT = 8;
  static final int EPOCH_AT = 16;
  static final int LOG_TIME_AT = 24;
  static final int WALL_TIME_AT = 32;
  static final int ACTOR_FIRST_AT = 40;
  static final int ACTOR_SECOND_AT = 48;
  static final int CAUSE_AT = 56;
  static final int FLAGS_AT = 60;
  static final int PREVIOUS_CHAIN_AT = 64;
  static final int COMMIT_AT = 72;

  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private EntryRecord() {}

  /** Hash over the record at {@code offset}, which is the next record's predecessor hash. */
  static long chainHash(byte[] bytes, int offset, int recordBytes) {
    return ChainHash.of(bytes, offset, recordBytes - CHECKSUM_BYTES);
  }

  /**
   * Length that the record at {@code offset} says it has, or 0 if no record can begin there.
   *
   * <p>{@link #MIN_RECORD_BYTES} bytes must be available.
   */
  static int statedLength(byte[] bytes, int offset) {
    int payload = (int) INT.get(bytes, offset + LENGTH_AT);
    boolean plausible =
        isMagic((int) INT.get(bytes, offset)) && payload >= 0 && payload <= MAX_PAYLOAD_BYTES;
    return plausible ? headerBytes(bytes, offset) + payload + CHECKSUM_BYTES : 0;
  }

  /** Whether a word is what a record of a known version begins with. */
  static boolean isMagic(int word) {
    return word == MAGIC || word == MAGIC_1;
  }

  /** Whether a word is what a record of any version, also a later one, begins with. */
  static boolean isMagicOfAnyVersion(int word) {
    return (word & NAME_MASK) == NAME;
  }

  /** Where the payload of the record at {@code offset} begins, from there. */
  static int headerBytes(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset) == MAGIC ? HEADER_BYTES : HEADER_1_BYTES;
  }

  /** The commit index that the record at {@code offset} carries; 0 in version 1. */
  static long commitIndex(byte[] bytes, int offset) {
    return headerBytes(bytes, offset) == HEADER_BYTES
        ? (long) LONG.get(bytes, offset + COMMIT_AT)
        : 0;
  }

  /** Whether the checksum of the record of {@code recordBytes} at {@code offset} fits. */
  static boolean checksumFits(byte[] bytes, int offset, int recordBytes, CRC32C crc) {
    int checked = recordBytes - CHECKSUM_BYTES;
    return (int) INT.get(bytes, offset + checked) == checksum(bytes, offset, checked, crc);
  }

  static long index(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset + INDEX_AT);
  }

  static long epoch(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset + EPOCH_AT);
  }

  static long previousChainHash(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset + PREVIOUS_CHAIN_AT);
  }

  static boolean batchEnd(byte[] bytes, int offset) {
    return (flags(bytes, offset) & FLAG_BATCH_END) != 0;
  }

  /** Flags that this version does not define; must be 0. */
  static int unknownFlags(byte[] bytes, int offset) {
    return flags(bytes, offset) & ~FLAG_BATCH_END;
  }

  static EntryHeader header(byte[] bytes, int offset) {
    return new EntryHeader(
        index(bytes, offset),
        epoch(bytes, offset),
        (long) LONG.get(bytes, offset + LOG_TIME_AT),
        (long) LONG.get(bytes, offset + WALL_TIME_AT),
        (int) INT.get(bytes, offset + CAUSE_AT),
        new Uuid(
            (long) LONG.get(bytes, offset + ACTOR_FIRST_AT),
            (long) LONG.get(bytes, offset + ACTOR_SECOND_AT)),
        batchEnd(bytes, offset),
        commitIndex(bytes, offset));
  }

  /** A little-endian word of a byte array. */
  static int word(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset);
  }

  /** A little-endian double word of a byte array. */
  static long longWord(byte[] bytes, int offset) {
    return (long) LONG.get(bytes, offset);
  }

  private static int flags(byte[] bytes, int offset) {
    return (int) INT.get(bytes, offset + FLAGS_AT);
  }

  static int checksum(byte[] bytes, int offset, int length, CRC32C crc) {
    crc.reset();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
