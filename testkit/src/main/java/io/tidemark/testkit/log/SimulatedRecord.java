package io.tidemark.testkit.log;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.RecordRefusedException;
import io.tidemark.api.log.RecordRefusedException.Why;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * An entry as the simulated log stores and ships it: header, chain hash of the entry before,
 * payload, checksum. The same entry behind the same history has the same bytes in every log. The
 * layout is no other than the simulation's.
 *
 * @param chainHash hash over all bytes but the checksum
 * @param bytes never changed
 */
record SimulatedRecord(EntryHeader header, long chainHash, byte[] bytes) {
  private static final int MAGIC = 0x314d_4953; // "SIM1"
  private static final int HEADER_BYTES = 80;
  private static final int CHECKSUM_BYTES = 4;
  private static final int PREVIOUS_CHAIN_AT = 72;

  static SimulatedRecord of(
      EntryHeader header, long previousChain, byte[] payload, int offset, int length) {
    byte[] bytes = new byte[HEADER_BYTES + length + CHECKSUM_BYTES];
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.putInt(MAGIC).putInt(length);
    out.putLong(header.index()).putLong(header.epoch());
    out.putLong(header.logTimeMs()).putLong(header.wallTimeMs());
    out.putLong(header.actor().first()).putLong(header.actor().second());
    out.putInt(header.causeCode()).putInt(header.batchEnd() ? 1 : 0);
    out.putLong(header.commitIndex()).putLong(previousChain);
    out.put(payload, offset, length);
    out.putInt(checksum(bytes, 0, bytes.length - CHECKSUM_BYTES));
    return new SimulatedRecord(header, hash(bytes, bytes.length - CHECKSUM_BYTES), bytes);
  }

  /**
   * The record in a range of {@code array}.
   *
   * @throws RecordRefusedException if it is damaged or no record
   */
  static SimulatedRecord parse(byte[] array, int offset, int length) {
    byte[] bytes = Arrays.copyOfRange(array, offset, offset + length);
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int payload = length - HEADER_BYTES - CHECKSUM_BYTES;
    boolean sound =
        payload >= 0
            && in.getInt(0) == MAGIC
            && in.getInt(4) == payload
            && in.getInt(length - CHECKSUM_BYTES) == checksum(bytes, 0, length - CHECKSUM_BYTES);
    if (!sound) {
      throw new RecordRefusedException(Why.DAMAGED, "the bytes are no sound simulated record");
    }
    EntryHeader header =
        new EntryHeader(
            in.getLong(8),
            in.getLong(16),
            in.getLong(24),
            in.getLong(32),
            in.getInt(56),
            new Uuid(in.getLong(40), in.getLong(48)),
            in.getInt(60) == 1,
            in.getLong(64));
    return new SimulatedRecord(header, hash(bytes, length - CHECKSUM_BYTES), bytes);
  }

  /** Chain hash of the entry before. */
  long previousChain() {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getLong(PREVIOUS_CHAIN_AT);
  }

  int payloadBytes() {
    return bytes.length - HEADER_BYTES - CHECKSUM_BYTES;
  }

  LogEntry entry() {
    byte[] payload = Arrays.copyOfRange(bytes, HEADER_BYTES, bytes.length - CHECKSUM_BYTES);
    return new LogEntry(header, chainHash, payload);
  }

  private static int checksum(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }

  private static long hash(byte[] bytes, int length) {
    long hash = 0xcbf2_9ce4_8422_2325L;
    for (int i = 0; i < length; i++) {
      hash = (hash ^ bytes[i]) * 0x100_0000_01b3L;
    }
    return hash ^ hash >>> 29;
  }
}
