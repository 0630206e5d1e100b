package io.tidemark.chaos.endurance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Columns of figures that were taken together again and again, and whether they stay flat. */
final class Series {
  private final Map<String, List<Double>> columns = new LinkedHashMap<>();

  /** Adds a row; every row has the same columns in the same order. */
  void add(Map<String, Double> row) {
    row.forEach((name, value) -> columns.computeIfAbsent(name, n -> new ArrayList<>()).add(value));
  }

  /** The last value of a column. */
  double last(String column) {
    List<Double> values = values(column);
    return values.get(values.size() - 1);
  }

  double max(String column) {
    return values(column).stream().mapToDouble(v -> v).max().orElseThrow();
  }

  /** Median of the first (0), the middle (1) or the last third (2) of a column. */
  double median(String column, int third) {
    List<Double> values = values(column);
    int from = values.size() * third / 3;
    int to = values.size() * (third + 1) / 3;
    List<Double> sorted = values.subList(from, to).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  /**
   * Empty if the last third of a column is not above the middle third by more than a share and an
   * amount; else a sentence.
   */
  List<String> grows(String column, double share, double amount) {
    double middle = median(column, 1);
    double last = median(column, 2);
    if (last <= middle * (1 + share) + amount) {
      return List.of();
    }
    return List.of(
        String.format(
            Locale.ROOT,
            "%s grows: median %.1f in the middle third, %.1f in the last",
            column,
            middle,
            last));
  }

  int rows() {
    return columns.values().iterator().next().size();
  }

  private List<Double> values(String column) {
    return columns.get(column);
  }

  /** A Markdown table of all rows, and of the medians of the thirds. */
  String table() {
    StringBuilder text = new StringBuilder();
    text.append("| ").append(String.join(" | ", columns.keySet())).append(" |\n");
    text.append("|---:".repeat(columns.size())).append("|\n");
    for (int row = 0; row < rows(); row++) {
      for (List<Double> values : columns.values()) {
        text.append("| ").append(number(values.get(row))).append(' ');
      }
      text.append("|\n");
    }
    text.append("\n| median of | first third | middle third | last third | largest |\n");
    text.append("|---|---:|---:|---:|---:|\n");
    for (String name : columns.keySet()) {
      text.append("| ").append(name);
      for (int third = 0; third < 3; third++) {
        text.append(" | ").append(number(median(name, third)));
      }
      text.append(" | ").append(number(max(name))).append(" |\n");
    }
    return text.toString();
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : String.format(Locale.ROOT, "%.1f", value);
  }
}
