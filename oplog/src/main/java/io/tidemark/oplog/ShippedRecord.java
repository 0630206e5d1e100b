package io.tidemark.oplog;

import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.RecordRefusedException;
import io.tidemark.api.log.RecordRefusedException.Why;
import java.util.zip.CRC32C;

/** Checks a record that another log wrote before it is taken. One thread at a time. */
final class ShippedRecord {
  private final CRC32C crc = new CRC32C();

  /**
   * Checks the record in a range of {@code bytes}, which must be inside the array.
   *
   * @param end what it must follow
   * @param batchOpen whether the batch of {@code end} goes on
   * @throws RecordRefusedException if it can't be the next entry
   */
  void check(byte[] bytes, int offset, int length, LogPosition end, boolean batchOpen) {
    checkForm(bytes, offset, length);
    long index = EntryRecord.index(bytes, offset);
    long epoch = EntryRecord.epoch(bytes, offset);
    if (index != end.index() + 1) {
      throw refused(Why.NOT_NEXT, "entry " + index + " does not follow " + end);
    }
    long previous = EntryRecord.previousChainHash(bytes, offset);
    if (previous != end.chainHash()) {
      throw refused(
          Why.OTHER_HISTORY,
          String.format(
              "entry %d names %016x as its predecessor's hash, not %s", index, previous, end));
    }
    if (epoch < end.epoch()) {
      throw refused(Why.STALE_EPOCH, "entry " + index + " of epoch " + epoch + " behind " + end);
    }
    if (batchOpen && epoch != end.epoch()) {
      throw refused(Why.DAMAGED, "entry " + index + " begins epoch " + epoch + " inside a batch");
    }
    long commit = EntryRecord.commitIndex(bytes, offset);
    if (commit < 0 || commit >= index) {
      throw refused(Why.DAMAGED, "entry " + index + " carries the commit index " + commit);
    }
  }

  private void checkForm(byte[] bytes, int offset, int length) {
    boolean record =
        length >= EntryRecord.MIN_RECORD_BYTES
            && EntryRecord.isMagicOfAnyVersion(EntryRecord.word(bytes, offset))
            && EntryRecord.checksumFits(bytes, offset, length, crc);
    if (!record) {
      throw refused(Why.DAMAGED, "the " + length + " bytes are no sound record");
    }
    if (!EntryRecord.isMagic(EntryRecord.word(bytes, offset))
        || EntryRecord.unknownFlags(bytes, offset) != 0) {
      throw refused(
          Why.UNKNOWN_FORMAT,
          "the record has a layout or flags that this release does not know; upgrade this node");
    }
    if (EntryRecord.statedLength(bytes, offset) != length) {
      throw refused(Why.DAMAGED, "the record says another length than " + length);
    }
  }

  private static RecordRefusedException refused(Why why, String message) {
    return new RecordRefusedException(why, message);
  }
}
