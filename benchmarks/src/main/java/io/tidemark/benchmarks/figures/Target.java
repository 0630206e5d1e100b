package io.tidemark.benchmarks.figures;

import java.util.Locale;
import java.util.Map;

/**
 * A figure, its target and what was measured.
 *
 * @param against what it is a ratio to, or what it is measured on
 * @param atLeast whether the target is a lower bound; else it is an upper one
 * @param unit empty for a ratio
 */
record Target(
    String figure, String against, boolean atLeast, double limit, String unit, Spread measured) {

  static Target atLeast(String figure, String against, double limit, Spread measured) {
    return new Target(figure, against, true, limit, "", measured);
  }

  static Target atMost(String figure, String against, double limit, String unit, Spread measured) {
    return new Target(figure, against, false, limit, unit, measured);
  }

  boolean isMet() {
    return atLeast ? measured.median() >= limit : measured.median() <= limit;
  }

  /** "met", or by how much of the target it is missed. */
  String judgement() {
    if (isMet()) {
      return "met";
    }
    double share = Math.abs(measured.median() - limit) / limit;
    return String.format(Locale.ROOT, "**missed by %.0f %%**", Math.max(1, share * 100));
  }

  String bound() {
    return (atLeast ? "≥ " : "≤ ") + Text.number(limit) + suffix();
  }

  String value() {
    return Text.number(measured.median()) + suffix();
  }

  String range() {
    return Text.number(measured.low()) + "–" + Text.number(measured.high());
  }

  private String suffix() {
    return unit.isEmpty() ? "" : " " + unit;
  }

  Map<String, Object> toJson() {
    return Json.object(
        "figure", figure,
        "against", against,
        "at_least", atLeast,
        "limit", limit,
        "unit", unit,
        "median", measured.median(),
        "low", measured.low(),
        "high", measured.high(),
        "met", isMet());
  }

  static Target fromJson(Map<String, Object> json) {
    return new Target(
        (String) json.get("figure"),
        (String) json.get("against"),
        (Boolean) json.get("at_least"),
        (Double) json.get("limit"),
        (String) json.get("unit"),
        new Spread(
            (Double) json.get("median"), (Double) json.get("low"), (Double) json.get("high")));
  }
}
