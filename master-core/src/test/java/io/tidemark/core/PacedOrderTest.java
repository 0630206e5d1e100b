package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sorting and selecting in steps come to what doing it at once comes to, and rest on the way. */
class PacedOrderTest {

  private static long[] values(Random random, int size) {
    long[] values = new long[size];
    int kind = random.nextInt(4);
    for (int i = 0; i < size; i++) {
      values[i] =
          switch (kind) {
            case 0 -> random.nextLong();
            case 1 -> 1_700_000_000_000L + random.nextInt(300_000);
            case 2 -> random.nextInt(3);
            default -> random.nextBoolean() ? Long.MIN_VALUE + random.nextInt(9) : Long.MAX_VALUE;
          };
    }
    return values;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @DisplayName("the value of any rank is the one that a sorted list has there")
  void selection(long seed) {
    Random random = new Random(seed);
    for (int size : new int[] {1, 2, 3, 100, 5000, 50_000}) {
      long[] sorted = values(random, size);
      LongList values = new LongList();
      Arrays.stream(sorted).forEach(values::add);
      Arrays.sort(sorted);
      AtomicInteger rests = new AtomicInteger();
      PacedSelection selection = new PacedSelection(rests::incrementAndGet);
      for (int i = 0; i < 20; i++) {
        int rank = 1 + random.nextInt(size);
        assertThat(selection.ofRank(values, rank))
            .as("seed %d, size %d, rank %d", seed, size, rank)
            .isEqualTo(sorted[rank - 1]);
      }
      assertThat(rests.get()).isGreaterThanOrEqualTo(20 * (1 + size / 5000));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  @DisplayName("a list sorted in steps is the list sorted at once, equal elements in their order")
  void sort(long seed) {
    Random random = new Random(seed);
    for (int size : new int[] {0, 1, 2, 255, 256, 257, 1000, 20_000}) {
      List<int[]> unsorted = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        unsorted.add(new int[] {random.nextInt(Math.max(1, size / 3)), i});
      }
      Comparator<int[]> byFirst = Comparator.comparingInt(pair -> pair[0]);
      List<int[]> expected = new ArrayList<>(unsorted);
      expected.sort(byFirst);
      AtomicInteger rests = new AtomicInteger();
      assertThat(PacedSort.sorted(unsorted, byFirst, rests::incrementAndGet))
          .as("seed %d, size %d", seed, size)
          .containsExactlyElementsOf(expected);
      assertThat(rests.get()).isGreaterThanOrEqualTo(size / 256);
    }
  }
}
