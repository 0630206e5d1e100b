package io.tidemark.testkit.sim;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/** The last lines of what happened in a run. */
public final class RunTrace {
  private final int capacity;
  private final LongSupplier nanos;
  private final Deque<String> lines = new ArrayDeque<>();

  public RunTrace(int capacity, LongSupplier nanos) {
    this.capacity = capacity;
    this.nanos = nanos;
  }

  /** Notes a line, with the time. */
  public void add(String who, String what) {
    if (lines.size() == capacity) {
      lines.poll();
    }
    long micros = nanos.getAsLong() / 1000;
    lines.add(String.format("%7d.%03d ms  %-6s %s", micros / 1000, micros % 1000, who, what));
  }

  @Override
  public String toString() {
    return String.join("\n", lines);
  }
}
