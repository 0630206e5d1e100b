package io.tidemark.benchmarks.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/** One JSON object a line, for programs: one for each phase, then the end. */
final class JsonReport implements Report {
  private static final double[] PERCENTILES = {50, 90, 99, 99.9};
  private static final String[] PERCENTILE_NAMES = {"p50", "p90", "p99", "p99_9"};

  private final ObjectMapper json = new ObjectMapper();
  private final BenchPlan plan;
  private final PrintWriter out;
  private final PrintWriter err;

  JsonReport(BenchPlan plan, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.out = out;
    this.err = err;
  }

  @Override
  public void begin() {
    // Every phase's line says under what it was measured.
  }

  @Override
  public void phase(Measurement m) {
    Tally tally = m.tally();
    ObjectNode line = json.createObjectNode();
    line.put("type", "phase");
    line.put("phase", m.phase().toString());
    conditions(line, m);
    line.put("seconds", rounded(m.seconds()));
    line.put("ended", m.ended().toString());
    line.put("broken_by", m.brokenBy().orElse(null));
    line.put("ops", tally.operations());
    line.put("ops_per_s", rounded(m.operationsPerSecond()));
    line.put("keys_done", tally.keysDone());
    line.put("keys_per_s", rounded(m.keysPerSecond()));
    line.put("keys_failed", tally.keysFailed());
    ObjectNode errors = line.putObject("errors");
    tally.failures().forEach(errors::put);
    latencies(line.putObject("latency_us"), m);
    if (plan.rate().isPresent()) {
      line.put("late", tally.late());
      line.put("behind", m.behind());
      line.put("behind_ms", rounded(m.behindNanos() / 1e6));
    } else {
      line.put("generator_share", rounded(m.generatorShare().orElse(0)));
    }
    print(line);
  }

  private void conditions(ObjectNode line, Measurement m) {
    line.put("master", plan.target());
    line.put("release", plan.release().toString());
    line.put("connections", plan.connections());
    line.put("loop", plan.rate().isPresent() ? "open" : "closed");
    if (plan.rate().isPresent()) {
      line.put("rate", plan.rate().getAsInt());
    }
    line.put("batch", m.phase().isBatch() ? plan.batch() : 1);
    line.put("key_bytes", plan.keyBytes());
    line.put("value_bytes", plan.valueBytes());
  }

  private static void latencies(ObjectNode to, Measurement m) {
    to.put("mean", rounded(m.tally().latencies().getMean() / 1e3));
    for (int i = 0; i < PERCENTILES.length; i++) {
      to.put(PERCENTILE_NAMES[i], rounded(m.micros(PERCENTILES[i])));
    }
    to.put("max", rounded(m.maxMicros()));
  }

  private static double rounded(double value) {
    return Math.round(value * 1e3) / 1e3;
  }

  @Override
  public void end(End end) {
    ObjectNode line = json.createObjectNode();
    line.put("type", "end");
    line.put("status", end.status());
    line.put("interrupted", end.interrupted());
    line.put("kept", end.kept());
    line.put("keys_removed", end.keysRemoved());
    line.put("keys_left", end.keysLeft());
    line.put("segments_unmounted", end.segmentsUnmounted());
    end.troubles().forEach(line.putArray("troubles")::add);
    print(line);
    end.troubles().forEach(trouble -> err.println("tidemark bench: " + trouble));
    err.flush();
  }

  private void print(ObjectNode line) {
    out.println(line);
    out.flush();
  }
}
