package io.tidemark.benchmarks.figures;

import java.util.ArrayList;
import java.util.List;

/** The figures as Markdown, and the place in a page that is theirs. */
final class Page {
  static final String BEGIN =
      "<!-- figures begin: made by scripts/figures; what is written here by hand is lost -->";
  static final String END = "<!-- figures end -->";

  private Page() {}

  /** The figures: what is aimed at first, then each part. */
  static String markdown(List<Report> reports) {
    List<String> blocks = new ArrayList<>();
    blocks.add(targets(reports));
    for (Report report : reports) {
      blocks.add("### " + report.title());
      for (Report.Table table : report.tables()) {
        if (!table.title().isEmpty()) {
          blocks.add(table.title() + ":");
        }
        blocks.add(table(table.columns(), table.rows()));
      }
      blocks.add("- " + String.join("\n- ", report.conditions()));
    }
    return String.join("\n\n", blocks) + "\n";
  }

  private static String targets(List<Report> reports) {
    List<List<String>> rows =
        reports.stream()
            .flatMap(report -> report.targets().stream())
            .map(
                t ->
                    List.of(
                        t.figure(), t.against(), t.bound(), t.value(), t.range(), t.judgement()))
            .toList();
    return table(
        List.of("figure", "against", "target", "median", "lowest–highest", "target is"), rows);
  }

  private static String table(List<String> columns, List<List<String>> rows) {
    StringBuilder out = new StringBuilder(line(columns));
    out.append("|---".repeat(columns.size())).append("|\n");
    rows.forEach(row -> out.append(line(row)));
    return out.substring(0, out.length() - 1);
  }

  private static String line(List<String> cells) {
    return "| " + String.join(" | ", cells) + " |\n";
  }

  /**
   * A page with other figures between its markers.
   *
   * @throws IllegalArgumentException if the page does not have both markers once, in their order
   */
  static String replace(String page, String figures) {
    int begin = page.indexOf(BEGIN);
    int end = page.indexOf(END);
    if (begin < 0
        || end < begin
        || page.lastIndexOf(BEGIN) != begin
        || page.lastIndexOf(END) != end) {
      throw new IllegalArgumentException("the page does not have each of its two markers once");
    }
    return page.substring(0, begin + BEGIN.length())
        + "\n\n"
        + figures.strip()
        + "\n\n"
        + page.substring(end);
  }
}
