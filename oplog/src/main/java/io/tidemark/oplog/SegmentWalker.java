package io.tidemark.oplog;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;

/**
 * Walks the records of one segment file without the library that wrote it.
 *
 * <p>A segment is a row of documents: a little-endian header word, the content, padding to four
 * bytes. Bit 31 of the word says that the document is still being written, bit 30 that it is the
 * library's own metadata, the rest is the length. Header words guide the walk but are not trusted:
 * an intact record of the expected index is an entry whatever the word before it says, and where
 * the walk finds no such record it looks at every aligned position behind the last one. So what
 * damage did not destroy is found.
 *
 * <p>One thread at a time; reads only.
 */
final class SegmentWalker implements Closeable {
  private static final int WORD_BYTES = 4;
  private static final int NOT_COMPLETE = 0x8000_0000;
  private static final int META_DATA = 0x4000_0000;
  private static final int END_OF_FILE = NOT_COMPLETE | META_DATA;

  /** What the library writes behind {@link #END_OF_FILE}: a comment "EOF". */
  private static final int END_OF_FILE_TEXT = 0xc3 | 'E' << 8 | 'O' << 16 | 'F' << 24;

  private static final int LENGTH_MASK = 0x3fff_ffff;

  /** Where the first document keeps the position of the last one, and its name for that. */
  private static final int CLAIM_AT = 0x40;

  private static final int CLAIM_NAME_AT = 0x1c;
  private static final byte[] INDEX_NAME = "index".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] CLAIM_NAME = "writePosition".getBytes(StandardCharsets.US_ASCII);

  private final SegmentWindow window;
  private final CRC32C crc = new CRC32C();

  /** Where the document behind the last accepted record begins. */
  private long resume;

  private long documentAt;
  private int recordBytes;
  private boolean headerFits;
  private boolean behindDamage;

  SegmentWalker(Path file) throws IOException {
    window = new SegmentWindow(file);
  }

  /**
   * A walk that begins at the document at {@code offsetBytes}.
   *
   * @param windowBytes how much is read at a time
   */
  SegmentWalker(Path file, long offsetBytes, int windowBytes) throws IOException {
    window = new SegmentWindow(file, windowBytes);
    resume = offsetBytes;
  }

  /**
   * What lies behind the last record of a file.
   *
   * @param offsetBytes where readable documents end
   * @param tornBytes from there to the last byte that is not zero
   * @param headerWord the word at {@code offsetBytes}, 0 at the end of the file
   */
  record Tail(long offsetBytes, long tornBytes, int headerWord) {

    /** Whether an entry had been written there to its end. */
    boolean complete() {
      return headerWord != 0 && (headerWord & END_OF_FILE) == 0;
    }

    /** Whether a writer is, or was, in the middle of an entry there. */
    boolean beingWritten() {
      return (headerWord & NOT_COMPLETE) != 0;
    }
  }

  /**
   * What the file's own first document says about its end.
   *
   * @param lastDocument where the last entry's document begins
   * @param documents how many entries there are, if the two words that say so agree
   */
  record Claim(long lastDocument, OptionalLong documents) {}

  /**
   * Goes to the next intact record, which is the one of {@code expectedIndex} if the file has it.
   *
   * @return false if no intact record follows
   */
  boolean next(long expectedIndex) throws IOException {
    if (walk(expectedIndex)) {
      return true;
    }
    window.refresh(); // a writer may have gone on since the window was read
    if (walk(expectedIndex)) {
      return true;
    }
    long from = resume;
    if (!search(expectedIndex)) {
      return false;
    }
    // All before what the search found was written before it. If it is not damaged it is there now.
    resume = from;
    window.refresh();
    return walk(expectedIndex) || search(expectedIndex);
  }

  /** Lets the next step come to the same record again. */
  void again() {
    resume = documentAt;
  }

  /** Looks again at the header word of the record, which a writer may have completed meanwhile. */
  boolean headerFitsNow() throws IOException {
    window.refresh();
    headerFits = wordAt(documentAt) == recordBytes;
    window.require(documentAt, recordBytes + WORD_BYTES);
    return headerFits;
  }

  /** Where the document of the record begins; 0 before the first. */
  long documentOffset() {
    return documentAt;
  }

  /** Length of the record. */
  int recordBytes() {
    return recordBytes;
  }

  /** The array that holds the record. */
  byte[] array() {
    return window.array();
  }

  /** Where in {@link #array} the record begins. */
  int recordOffset() {
    return window.arrayOffset(documentAt + WORD_BYTES);
  }

  /** Whether the record was reached over sound header words, its own among them. */
  boolean reachedSoundly() {
    return headerFits && !behindDamage;
  }

  /** Where the walk goes on: behind the last record. */
  long resumeOffset() {
    return resume;
  }

  /** Size of the file in bytes at this moment. */
  long fileBytes() throws IOException {
    return window.fileBytes();
  }

  /** What lies behind the last record. */
  Tail tail() throws IOException {
    long at = resume;
    int word = wordAt(at);
    while (isMetaData(word) && isIndex(at + WORD_BYTES)) {
      at = behind(at, word & LENGTH_MASK);
      word = wordAt(at);
    }
    boolean ended = word == END_OF_FILE && wordAt(at + WORD_BYTES) == END_OF_FILE_TEXT;
    long from = ended ? at + 2 * WORD_BYTES : at;
    return new Tail(at, lastNonZeroFrom(from) + 1 - from, ended ? 0 : word);
  }

  /** What the first document says, or nothing if it is not readable. */
  Optional<Claim> claim() throws IOException {
    window.refresh(); // the library changes it with every entry
    if (window.require(0, CLAIM_AT + 16) < CLAIM_AT + 16) {
      return Optional.empty();
    }
    int name = window.arrayOffset(CLAIM_NAME_AT);
    if (!Arrays.equals(array(), name, name + CLAIM_NAME.length, CLAIM_NAME, 0, CLAIM_NAME.length)) {
      return Optional.empty();
    }
    long position = EntryRecord.longWord(array(), window.arrayOffset(CLAIM_AT));
    long sequence = EntryRecord.longWord(array(), window.arrayOffset(CLAIM_AT + 8));
    boolean agree = sequence >>> 32 == (position & 0xffff_ffffL) && position != 0;
    return Optional.of(
        new Claim(
            position,
            agree ? OptionalLong.of((sequence & 0xffff_ffffL) + 1) : OptionalLong.empty()));
  }

  private boolean walk(long expectedIndex) throws IOException {
    long at = resume;
    behindDamage = false;
    while (window.require(at, WORD_BYTES) >= WORD_BYTES) {
      int word = EntryRecord.word(window.array(), window.arrayOffset(at));
      int length = intactRecordAt(at + WORD_BYTES);
      if (length > 0) {
        return indexAt(at + WORD_BYTES) == expectedIndex && accept(at, length, word == length);
      }
      if (!isMetaData(word)) {
        return false;
      }
      at = behind(at, word & LENGTH_MASK);
    }
    return false;
  }

  private boolean search(long expectedIndex) throws IOException {
    long from = resume;
    long at = nextMagic(from + WORD_BYTES);
    while (at >= 0) {
      int length = intactRecordAt(at);
      // An index that the bytes in between can't account for is text that looks like a record.
      long most = expectedIndex + (at - from) / EntryRecord.MIN_RECORD_BYTES + 1;
      if (length > 0 && indexAt(at) <= most) {
        behindDamage = true;
        long document = at - WORD_BYTES;
        window.require(document, length + WORD_BYTES);
        return accept(document, length, wordAt(document) == length);
      }
      at = nextMagic(at + WORD_BYTES);
    }
    return false;
  }

  /** The first aligned position from {@code from} on where a record may begin, or -1. */
  private long nextMagic(long from) throws IOException {
    long at = from;
    int available = window.require(at, EntryRecord.MIN_RECORD_BYTES);
    while (available >= EntryRecord.MIN_RECORD_BYTES) {
      int offset = window.arrayOffset(at);
      int positions = (available - EntryRecord.MIN_RECORD_BYTES) / WORD_BYTES + 1;
      for (int i = 0; i < positions; i++) {
        if (EntryRecord.isMagic(EntryRecord.word(array(), offset + i * WORD_BYTES))) {
          return at + (long) i * WORD_BYTES;
        }
      }
      at += (long) positions * WORD_BYTES;
      available = window.require(at, EntryRecord.MIN_RECORD_BYTES);
    }
    return -1;
  }

  private boolean accept(long at, int length, boolean fits) {
    documentAt = at;
    recordBytes = length;
    headerFits = fits;
    resume = behind(at, length);
    return true;
  }

  private int intactRecordAt(long at) throws IOException {
    if (window.require(at, EntryRecord.MIN_RECORD_BYTES) < EntryRecord.MIN_RECORD_BYTES) {
      return 0;
    }
    int length = EntryRecord.statedLength(window.array(), window.arrayOffset(at));
    if (length == 0 || window.require(at, length) < length) {
      return 0;
    }
    boolean fits = EntryRecord.checksumFits(window.array(), window.arrayOffset(at), length, crc);
    return fits ? length : 0;
  }

  private int wordAt(long at) throws IOException {
    return window.require(at, WORD_BYTES) < WORD_BYTES
        ? 0
        : EntryRecord.word(window.array(), window.arrayOffset(at));
  }

  /** Whether the content of a metadata document is a part of the library's index. */
  private boolean isIndex(long at) throws IOException {
    int wanted = 2 + INDEX_NAME.length;
    if (window.require(at, wanted) < wanted) {
      return false;
    }
    int name = window.arrayOffset(at) + 2;
    return at == WORD_BYTES
        || Arrays.equals(array(), name, name + INDEX_NAME.length, INDEX_NAME, 0, INDEX_NAME.length);
  }

  private long lastNonZeroFrom(long from) throws IOException {
    long last = from - 1;
    int available = window.require(from, 1);
    for (long at = from; available > 0; available = window.require(at, 1)) {
      int offset = window.arrayOffset(at);
      int nonZero = lastNonZero(array(), offset, available);
      last = nonZero < 0 ? last : at + nonZero;
      at += available;
    }
    return last;
  }

  /** Distance of the last byte that is not zero from {@code offset}, or -1. */
  private static int lastNonZero(byte[] bytes, int offset, int length) {
    int i = length;
    while (i >= Long.BYTES && EntryRecord.longWord(bytes, offset + i - Long.BYTES) == 0) {
      i -= Long.BYTES;
    }
    while (i > 0 && bytes[offset + i - 1] == 0) {
      i--;
    }
    return i - 1;
  }

  private long indexAt(long at) {
    return EntryRecord.index(window.array(), window.arrayOffset(at));
  }

  private static boolean isMetaData(int word) {
    return (word & END_OF_FILE) == META_DATA;
  }

  private static long behind(long at, int length) {
    return (at + WORD_BYTES + length + 3) & ~3L;
  }

  @Override
  public void close() throws IOException {
    window.close();
  }
}
