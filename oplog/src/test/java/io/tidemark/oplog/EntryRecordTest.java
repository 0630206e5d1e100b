package io.tidemark.oplog;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The stored bytes of an entry. A change here breaks every log that exists. */
class EntryRecordTest {
  private static final EntryHeader HEADER =
      new EntryHeader(
          0x0102030405060708L,
          9,
          1_000,
          1_796_000_000_000L,
          1003,
          new Uuid(0x1111111111111111L, 0x2222222222222222L),
          true);

  /** The words of {@link #HEADER}, which both versions have at the same place. */
  private static final String WORDS =
      "03000000"
          + "0807060504030201"
          + "0900000000000000"
          + "e803000000000000"
          + "0028f129a2010000"
          + "1111111111111111"
          + "2222222222222222"
          + "eb030000"
          + "01000000"
          + "feca000000000000";

  @Test
  void version2HasTheseBytes() {
    EntryEncoder encoder = new EntryEncoder();
    encoder.behind(0xCAFEL, 0x0102030405060700L);
    int length = encoder.encode(HEADER, new byte[] {0, 'a', 'b', 'c', 0}, 1, 3);
    assertThat(HexFormat.of().formatHex(encoder.buffer(), 0, length))
        .isEqualTo("544d4502" + WORDS + "0007060504030201" + "616263" + "7a172eef");
    assertThat(EntryRecord.header(encoder.buffer(), 0))
        .isEqualTo(HEADER.withCommitIndex(0x0102030405060700L));
  }

  /** What releases before the commit index wrote is read as ever. */
  @Test
  void version1IsReadFromTheseBytes() {
    byte[] bytes = HexFormat.of().parseHex("544d4501" + WORDS + "616263" + "a0b15815");
    assertThat(EntryRecord.statedLength(bytes, 0)).isEqualTo(bytes.length);
    assertThat(EntryRecord.checksumFits(bytes, 0, bytes.length, new CRC32C())).isTrue();
    assertThat(EntryRecord.header(bytes, 0)).isEqualTo(HEADER);
    assertThat(EntryRecord.previousChainHash(bytes, 0)).isEqualTo(0xCAFEL);
    assertThat(bytes[EntryRecord.headerBytes(bytes, 0)]).isEqualTo((byte) 'a');
  }

  @Test
  void whatWasWrittenIsReadBack() {
    EntryEncoder encoder = new EntryEncoder();
    encoder.behind(-3, 77);
    int length = encoder.encode(HEADER, new byte[] {1, 2, 3, 4}, 0, 4);
    byte[] bytes = Arrays.copyOf(encoder.buffer(), length + 5);
    System.arraycopy(bytes, 0, bytes, 5, length);
    assertThat(EntryRecord.statedLength(bytes, 5)).isEqualTo(length);
    assertThat(EntryRecord.checksumFits(bytes, 5, length, new CRC32C())).isTrue();
    assertThat(EntryRecord.header(bytes, 5)).isEqualTo(HEADER.withCommitIndex(77));
    assertThat(EntryRecord.previousChainHash(bytes, 5)).isEqualTo(-3);
    assertThat(EntryRecord.unknownFlags(bytes, 5)).isZero();
    assertThat(EntryRecord.chainHash(bytes, 5, length)).isEqualTo(encoder.chainHash(length));
  }

  @Test
  void everyFlippedBitIsSeenByMagicLengthOrChecksum() {
    EntryEncoder encoder = new EntryEncoder();
    encoder.behind(5, 4);
    int length = encoder.encode(HEADER, new byte[16], 0, 16);
    byte[] bytes = Arrays.copyOf(encoder.buffer(), EntryRecord.MAX_RECORD_BYTES);
    CRC32C crc = new CRC32C();
    for (int bit = 0; bit < length * 8; bit++) {
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      int stated = EntryRecord.statedLength(bytes, 0);
      assertThat(stated != 0 && EntryRecord.checksumFits(bytes, 0, stated, crc))
          .as("bit %d", bit)
          .isFalse();
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
    }
  }

  /** The published value of XXH3 (64 bits, seed 0) for no input. */
  @Test
  void theChainHashIsXxh3() {
    assertThat(ChainHash.of(new byte[0], 0, 0)).isEqualTo(0x2D06800538D394C2L);
  }
}
