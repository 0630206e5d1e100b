package io.tidemark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Makes a table of the results of several rounds on several masters: medians, how far the rounds
 * are apart, and the ratio to another master of the same round. Used by {@code
 * scripts/side-by-side}.
 */
public final class SideBySide {

  /** Results of one phase with one number of connections, by master, one for each round. */
  private record Row(Phase phase, int connections, Map<String, List<LoadResult>> byLabel) {}

  private final List<String> labels;
  private final List<Row> rows;

  private SideBySide(List<LoadResult> results) {
    labels = results.stream().map(LoadResult::label).distinct().toList();
    Map<Integer, Row> sorted = new TreeMap<>();
    for (LoadResult result : results) {
      int order = result.phase().ordinal() * 100_000 + result.connections();
      sorted
          .computeIfAbsent(
              order, o -> new Row(result.phase(), result.connections(), new TreeMap<>()))
          .byLabel()
          .computeIfAbsent(result.label(), label -> new ArrayList<>())
          .add(result);
    }
    rows = List.copyOf(sorted.values());
  }

  /**
   * Prints the table as Markdown, or writes it as JSON.
   *
   * @param arguments the file of results, the label to compare with others, the JSON file to write
   */
  public static void main(String[] arguments) throws IOException {
    List<LoadResult> results =
        Files.readAllLines(Path.of(arguments[0])).stream()
            .filter(line -> !line.isBlank())
            .map(LoadResult::parse)
            .toList();
    SideBySide table = new SideBySide(results);
    System.out.print(table.markdown(arguments[1]));
    Files.writeString(Path.of(arguments[2]), table.json());
  }

  private String markdown(String ours) {
    StringBuilder out = new StringBuilder("| load | connections |");
    labels.forEach(label -> out.append(' ').append(label).append(" |"));
    List<String> others = labels.stream().filter(label -> !label.equals(ours)).toList();
    others.forEach(label -> out.append(' ').append(ours).append(" / ").append(label).append(" |"));
    out.append('\n').append("|---|---|").append("---|".repeat(labels.size() + others.size()));
    out.append('\n');
    for (Row row : rows) {
      out.append("| ").append(row.phase()).append(" | ").append(row.connections()).append(" |");
      labels.forEach(label -> out.append(' ').append(cell(row, label)).append(" |"));
      others.forEach(label -> out.append(' ').append(ratio(row, ours, label)).append(" |"));
      out.append('\n');
    }
    out.append("\nA cell: median rate a second (lowest–highest of the rounds); p50/p99 in µs;");
    out.append(" CPU µs of the master for each operation, or key of a batch.\n");
    return out.toString();
  }

  private static String cell(Row row, String label) {
    List<LoadResult> results = row.byLabel().getOrDefault(label, List.of());
    if (results.isEmpty()) {
      return "–";
    }
    double[] rates = sorted(results, LoadResult::rate);
    return String.format(
        Locale.ROOT,
        "%s (%s–%s); %.0f/%.0f; %.1f",
        thousands(median(rates)),
        thousands(rates[0]),
        thousands(rates[rates.length - 1]),
        median(sorted(results, LoadResult::p50Micros)),
        median(sorted(results, LoadResult::p99Micros)),
        median(sorted(results, LoadResult::serverMicrosEach)));
  }

  /** Ratios are taken within a round, so that what disturbed both is divided out. */
  private static String ratio(Row row, String ours, String other) {
    double[] ratios = ratios(row, ours, other);
    return ratios.length == 0
        ? "–"
        : String.format(
            Locale.ROOT, "%.2f (%.2f–%.2f)", median(ratios), ratios[0], ratios[ratios.length - 1]);
  }

  private static double[] ratios(Row row, String ours, String other) {
    List<LoadResult> a = row.byLabel().getOrDefault(ours, List.of());
    List<LoadResult> b = row.byLabel().getOrDefault(other, List.of());
    double[] ratios = new double[Math.min(a.size(), b.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = a.get(i).rate() / b.get(i).rate();
    }
    Arrays.sort(ratios);
    return ratios;
  }

  private static double[] sorted(List<LoadResult> results, ToDoubleFunction<LoadResult> value) {
    return results.stream().mapToDouble(value).sorted().toArray();
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  private static String thousands(double rate) {
    return rate < 10_000
        ? String.format(Locale.ROOT, "%.1f k", rate / 1_000)
        : String.format(Locale.ROOT, "%.0f k", rate / 1_000);
  }

  private String json() {
    return rows.stream()
        .flatMap(row -> row.byLabel().values().stream().map(SideBySide::jsonOf))
        .collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
  }

  private static String jsonOf(List<LoadResult> results) {
    LoadResult first = results.get(0);
    double[] rates = sorted(results, LoadResult::rate);
    return String.format(
        Locale.ROOT,
        "{\"master\":\"%s\",\"load\":\"%s\",\"connections\":%d,\"rounds\":%d,\"rate_median\":%.1f,"
            + "\"rate_min\":%.1f,\"rate_max\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
            + "\"server_cpu_us_each\":%.3f,\"server_cpu_seconds\":%.2f,"
            + "\"generator_cpu_seconds\":%.2f,\"failed\":%d}",
        first.label(),
        first.phase(),
        first.connections(),
        results.size(),
        median(rates),
        rates[0],
        rates[rates.length - 1],
        median(sorted(results, LoadResult::p50Micros)),
        median(sorted(results, LoadResult::p99Micros)),
        median(sorted(results, LoadResult::serverMicrosEach)),
        median(sorted(results, LoadResult::serverCpuSeconds)),
        median(sorted(results, LoadResult::loadCpuSeconds)),
        results.stream().mapToLong(LoadResult::failed).sum());
  }
}
