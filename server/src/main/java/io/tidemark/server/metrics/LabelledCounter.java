package io.tidemark.server.metrics;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters told apart by labels. Any thread. The number of label combinations is bounded: whoever
 * counts takes labels from fixed sets, never from a client's text.
 */
public final class LabelledCounter {

  private final List<String> labelNames;
  private final Map<String, LongAdder> byLabels = new ConcurrentSkipListMap<>();

  LabelledCounter(String... labelNames) {
    this.labelNames = List.of(labelNames);
  }

  /** Adds one under the given label values, in the order of the names. */
  public void increment(String... labelValues) {
    byLabels.computeIfAbsent(labels(labelValues), labels -> new LongAdder()).increment();
  }

  /** Present value under label values, 0 if never counted. */
  public long get(String... labelValues) {
    LongAdder adder = byLabels.get(labels(labelValues));
    return adder == null ? 0 : adder.sum();
  }

  void write(StringBuilder page, String metricName) {
    byLabels.forEach(
        (labels, adder) ->
            page.append(metricName).append(labels).append(' ').append(adder.sum()).append('\n'));
  }

  private String labels(String[] values) {
    StringBuilder text = new StringBuilder("{");
    for (int i = 0; i < values.length; i++) {
      text.append(i == 0 ? "" : ",").append(labelNames.get(i)).append("=\"");
      appendEscaped(text, values[i]);
      text.append('"');
    }
    return text.append('}').toString();
  }

  /** A label value as the text format wants it. */
  static void appendEscaped(StringBuilder text, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '\\' -> text.append("\\\\");
        case '"' -> text.append("\\\"");
        case '\n' -> text.append("\\n");
        default -> text.append(c);
      }
    }
  }
}
