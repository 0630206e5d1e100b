package io.tidemark.benchmarks.figures;

import java.util.Locale;

/** How numbers are written on the page. */
final class Text {
  private Text() {}

  /** Three digits that matter. */
  static String number(double value) {
    double size = Math.abs(value);
    String form = size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.2f";
    return String.format(Locale.ROOT, form, value);
  }

  /** A rate: 940, 9.4 k, 94 k. */
  static String rate(double value) {
    return value < 1_000
        ? String.format(Locale.ROOT, "%.0f", value)
        : value < 10_000
            ? String.format(Locale.ROOT, "%.1f k", value / 1_000)
            : String.format(Locale.ROOT, "%.0f k", value / 1_000);
  }

  /** Median and, in brackets, how far the rounds are apart. */
  static String rates(Spread spread) {
    return rate(spread.median()) + " (" + rate(spread.low()) + "–" + rate(spread.high()) + ")";
  }

  /** The same for anything that is not a rate. */
  static String numbers(Spread spread) {
    return number(spread.median())
        + " ("
        + number(spread.low())
        + "–"
        + number(spread.high())
        + ")";
  }
}
