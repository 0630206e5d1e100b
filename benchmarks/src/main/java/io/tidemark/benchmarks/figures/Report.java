package io.tidemark.benchmarks.figures;

import java.util.List;
import java.util.Map;

/**
 * What a part found.
 *
 * @param name of the part, as on the command line
 * @param conditions sentences: what was measured, and on what
 * @param data single values, for programs
 */
record Report(
    String name,
    String title,
    List<String> conditions,
    List<Target> targets,
    List<Table> tables,
    List<?> data) {

  /** A table of the page. */
  record Table(String title, List<String> columns, List<List<String>> rows) {

    Map<String, Object> toJson() {
      return Json.object("title", title, "columns", columns, "rows", rows);
    }

    @SuppressWarnings("unchecked") // Json.read makes no other maps and lists.
    static Table fromJson(Map<String, Object> json) {
      return new Table(
          (String) json.get("title"),
          (List<String>) json.get("columns"),
          (List<List<String>>) json.get("rows"));
    }
  }

  Map<String, Object> toJson() {
    return Json.object(
        "title", title,
        "conditions", conditions,
        "targets", targets.stream().map(Target::toJson).toList(),
        "tables", tables.stream().map(Table::toJson).toList(),
        "data", data);
  }

  @SuppressWarnings("unchecked") // Json.read makes no other maps and lists.
  static Report fromJson(String name, Map<String, Object> json) {
    List<Map<String, Object>> targets = (List<Map<String, Object>>) json.get("targets");
    List<Map<String, Object>> tables = (List<Map<String, Object>>) json.get("tables");
    return new Report(
        name,
        (String) json.get("title"),
        (List<String>) json.get("conditions"),
        targets.stream().map(Target::fromJson).toList(),
        tables.stream().map(Table::fromJson).toList(),
        (List<Object>) json.get("data"));
  }
}
