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

  @Test
  void version1HasTheseBytes() {
    EntryEncoder encoder = new EntryEncoder();
    int length = encoder.encode(HEADER, 0xCAFEL, new byte[] {0, 'a', 'b', 'c', 0}, 1, 3);
    assertThat(HexFormat.of().formatHex(encoder.buffer(), 0, length))
        .isEqualTo(
            "544d4501"
                + "03000000"
                + "0807060504030201"
                + "0900000000000000"
                + "e803000000000000"
                + "0028f129a2010000"
                + "1111111111111111"
                + "2222222222222222"
                + "eb030000"
                + "01000000"
                + "feca000000000000"
                + "616263"
                + "a0b15815");
  }

  @Test
  void whatWasWrittenIsReadBack() {
    EntryEncoder encoder = new EntryEncoder();
    int length = encoder.encode(HEADER, -3, new byte[] {1, 2, 3, 4}, 0, 4);
    byte[] bytes = Arrays.copyOf(encoder.buffer(), length + 5);
    System.arraycopy(bytes, 0, bytes, 5, length);
    assertThat(EntryRecord.statedLength(bytes, 5)).isEqualTo(length);
    assertThat(EntryRecord.checksumFits(bytes, 5, length, new CRC32C())).isTrue();
    assertThat(EntryRecord.header(bytes, 5)).isEqualTo(HEADER);
    assertThat(EntryRecord.previousChainHash(bytes, 5)).isEqualTo(-3);
    assertThat(EntryRecord.unknownFlags(bytes, 5)).isZero();
    assertThat(EntryRecord.chainHash(bytes, 5, length)).isEqualTo(encoder.chainHash(length));
  }

  @Test
  void everyFlippedBitIsSeenByMagicLengthOrChecksum() {
    EntryEncoder encoder = new EntryEncoder();
    int length = encoder.encode(HEADER, 5, new byte[16], 0, 16);
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
