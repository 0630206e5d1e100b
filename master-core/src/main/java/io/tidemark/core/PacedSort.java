package io.tidemark.core;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Sorts in small steps with rests between: short runs first, which are merged then. */
final class PacedSort {
  private static final int RUN = 256;

  private PacedSort() {}

  /**
   * A sorted copy; equal elements keep their order.
   *
   * @param rest called often
   */
  static <T> List<T> sorted(List<T> unsorted, Comparator<? super T> order, Runnable rest) {
    List<T> from = new ArrayList<>(unsorted);
    int size = from.size();
    for (int at = 0; at < size; at += RUN) {
      from.subList(at, Math.min(size, at + RUN)).sort(order);
      rest.run();
    }
    List<T> to = new ArrayList<>(Collections.nCopies(size, null));
    for (int width = RUN; width < size; width *= 2) {
      for (int at = 0; at < size; at += 2 * width) {
        merge(
            from,
            to,
            new Runs(at, Math.min(size, at + width), Math.min(size, at + 2 * width)),
            order,
            rest);
      }
      List<T> merged = to;
      to = from;
      from = merged;
    }
    return from;
  }

  /** Two runs, one behind the other. */
  private record Runs(int begin, int middle, int end) {}

  private static <T> void merge(
      List<T> from, List<T> to, Runs runs, Comparator<? super T> order, Runnable rest) {
    int left = runs.begin();
    int right = runs.middle();
    for (int at = runs.begin(); at < runs.end(); at++) {
      boolean takeLeft =
          right == runs.end()
              || left < runs.middle() && order.compare(from.get(left), from.get(right)) <= 0;
      to.set(at, from.get(takeLeft ? left++ : right++));
      if (at % RUN == 0) {
        rest.run();
      }
    }
  }
}
