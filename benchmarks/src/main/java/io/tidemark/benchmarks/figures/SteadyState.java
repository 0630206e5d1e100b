package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Warms up until the rate no longer rises. */
final class SteadyState {
  private static final Duration SLICE = Duration.ofMillis(500);
  private static final int COMPARED = 5;
  private static final double RISE = 1.04;

  private SteadyState() {}

  /** One slice of the load. */
  @FunctionalInterface
  interface Slice {
    double rate(Duration duration) throws IOException;
  }

  /**
   * Runs slices of half a second until they no longer get faster.
   *
   * @param most slices to run at most
   * @return the rates of all slices
   */
  static List<Double> reach(Slice slice, int most) throws IOException {
    List<Double> rates = new ArrayList<>();
    while (rates.size() < most && !isSteady(rates)) {
      rates.add(slice.rate(SLICE));
    }
    return rates;
  }

  /** Whether the best of the last five rates is no better than the best of the five before. */
  static boolean isSteady(List<Double> rates) {
    int count = rates.size();
    if (count < 2 * COMPARED) {
      return false;
    }
    double last = Collections.max(rates.subList(count - COMPARED, count));
    double before = Collections.max(rates.subList(count - 2 * COMPARED, count - COMPARED));
    return last <= before * RISE;
  }
}
