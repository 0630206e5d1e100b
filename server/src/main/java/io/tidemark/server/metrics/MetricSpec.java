package io.tidemark.server.metrics;

import java.util.List;

/**
 * One metric family of the page.
 *
 * @param labels names of its labels; empty for a single value
 * @param fixedValues values of its one label that are always shown
 * @param bounds upper bounds of a histogram's buckets, ascending, without infinity
 */
public record MetricSpec(
    String name,
    Type type,
    List<String> labels,
    List<String> fixedValues,
    List<Long> bounds,
    String meaning) {

  /** Kind of a family in the text format. */
  public enum Type {
    COUNTER,
    GAUGE,
    HISTOGRAM
  }
}
