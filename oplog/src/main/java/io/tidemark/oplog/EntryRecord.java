package io.tidemark.oplog;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/** Reads the bytes of one log entry; the layout is in the package documentation. */
final class EntryRecord {
  /** Version of the layout, stored in every record. */
  static final int VERSION = 1;

  /** "TME" and the version, as a little-endian word. */
  static final int MAGIC = 'T' | 'M' << 8 | 'E' << 16 | VERSION << 24;

  static final int HEADER_BYTES = 72;
  static final int CHECKSUM_BYTES = 4;

  /** Bytes of a record beside its payload. */
  static final int OVERHEAD_BYTES = HEADER_BYTES + CHECKSUM_BYTES;

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
   * <p>{@link #HEADER_BYTES} bytes must be available.
   */
  static int statedLength(byte[] bytes, int offset) {
    int payload = (int) INT.get(bytes, offset + LENGTH_AT);
    boolean plausible =
        (int) INT.get(bytes, offset) == MAGIC && payload >= 0 && payload <= MAX_PAYLOAD_BYTES;
    return plausible ? OVERHEAD_BYTES + payload : 0;
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
        batchEnd(bytes, offset));
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
