package io.tidemark.core;

import java.util.ArrayList;
import java.util.List;

/**
 * Many numbers, in pieces so small that the collector does not treat them apart: arrays of
 * megabytes would have it begin a marking of the whole heap. One thread.
 */
final class LongList {
  private static final int PIECE_LOG2 = 12;
  private static final int PIECE = 1 << PIECE_LOG2;

  private final List<long[]> pieces = new ArrayList<>();
  private int size;

  void add(long value) {
    if (size == pieces.size() * PIECE) {
      pieces.add(new long[PIECE]);
    }
    pieces.get(size >>> PIECE_LOG2)[size & PIECE - 1] = value;
    size++;
  }

  long get(int i) {
    return pieces.get(i >>> PIECE_LOG2)[i & PIECE - 1];
  }

  int size() {
    return size;
  }
}
