package io.tidemark.benchmarks.figures;

import java.util.Arrays;
import java.util.List;

/** Median, lowest and highest of the rounds. */
record Spread(double median, double low, double high) {

  /**
   * Of values in any order.
   *
   * @throws IllegalArgumentException if there are none
   */
  static Spread of(double... values) {
    if (values.length == 0) {
      throw new IllegalArgumentException("no values");
    }
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    double median =
        sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return new Spread(median, sorted[0], sorted[sorted.length - 1]);
  }

  static Spread of(List<Double> values) {
    return of(values.stream().mapToDouble(Double::doubleValue).toArray());
  }

  /**
   * Of the ratios of values of the same round: what disturbed both is divided out.
   *
   * @throws IllegalArgumentException if the lists differ in length or are empty
   */
  static Spread ofRatios(List<Double> above, List<Double> below) {
    if (above.size() != below.size()) {
      throw new IllegalArgumentException(above.size() + " values beside " + below.size());
    }
    double[] ratios = new double[above.size()];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = above.get(i) / below.get(i);
    }
    return of(ratios);
  }
}
