package io.tidemark.core.table;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Slots of bytes in 16 KiB pages. A slot is named by an int: page number in the high bits, offset
 * in units of 8 bytes in the low 11. Freed slots are kept in one list per size; a slot larger than
 * a page gets a page of its own.
 *
 * <p>Not thread-safe: the stripe's lock guards it.
 */
final class SlabArena {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int PAGE_BYTES = 1 << 14;
  private static final int OFFSET_BITS = 11;
  private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;
  private static final int SIZE_STEP = 16;
  private static final int NONE = -1;

  private final int[] freeHeads = new int[PAGE_BYTES / SIZE_STEP + 1];
  private byte[][] pages = new byte[4][];
  private int pageCount;
  private int[] freePageNumbers = new int[0];
  private int freePageCount;
  private int bumpPage = NONE;
  private int bumpOffset = PAGE_BYTES;
  private long usedBytes;

  SlabArena() {
    Arrays.fill(freeHeads, NONE);
  }

  /** Bytes that a slot for {@code bytes} really takes. */
  static int slotBytes(int bytes) {
    return bytes + SIZE_STEP - 1 & -SIZE_STEP;
  }

  /** A slot of at least {@code bytes}; its content is arbitrary. */
  int allocate(int bytes) {
    int slot = slotBytes(bytes);
    usedBytes += slot;
    if (slot > PAGE_BYTES) {
      return addPage(new byte[slot]) << OFFSET_BITS;
    }
    int head = freeHeads[slot / SIZE_STEP];
    if (head != NONE) {
      freeHeads[slot / SIZE_STEP] = (int) INT.get(page(head), offset(head));
      return head;
    }
    if (bumpOffset + slot > PAGE_BYTES) {
      keepRest();
      bumpPage = addPage(new byte[PAGE_BYTES]);
      bumpOffset = 0;
    }
    int ref = bumpPage << OFFSET_BITS | bumpOffset >>> 3;
    bumpOffset += slot;
    return ref;
  }

  /** Gives a slot back. */
  void free(int ref, int bytes) {
    int slot = slotBytes(bytes);
    usedBytes -= slot;
    if (slot > PAGE_BYTES) {
      releasePage(ref >>> OFFSET_BITS);
      return;
    }
    INT.set(page(ref), offset(ref), freeHeads[slot / SIZE_STEP]);
    freeHeads[slot / SIZE_STEP] = ref;
  }

  byte[] page(int ref) {
    return pages[ref >>> OFFSET_BITS];
  }

  int offset(int ref) {
    return (ref & OFFSET_MASK) << 3;
  }

  /** Bytes in slots handed out. */
  long usedBytes() {
    return usedBytes;
  }

  /** What is left at the end of the page in use becomes a free slot of its size. */
  private void keepRest() {
    int rest = PAGE_BYTES - bumpOffset;
    if (bumpPage != NONE && rest >= SIZE_STEP) {
      int ref = bumpPage << OFFSET_BITS | bumpOffset >>> 3;
      INT.set(page(ref), offset(ref), freeHeads[rest / SIZE_STEP]);
      freeHeads[rest / SIZE_STEP] = ref;
    }
  }

  private int addPage(byte[] page) {
    int number = freePageCount > 0 ? freePageNumbers[--freePageCount] : pageCount++;
    if (number == pages.length) {
      pages = Arrays.copyOf(pages, pages.length * 2);
    }
    pages[number] = page;
    return number;
  }

  private void releasePage(int number) {
    pages[number] = null;
    if (freePageCount == freePageNumbers.length) {
      freePageNumbers = Arrays.copyOf(freePageNumbers, Math.max(4, freePageCount * 2));
    }
    freePageNumbers[freePageCount++] = number;
  }
}
