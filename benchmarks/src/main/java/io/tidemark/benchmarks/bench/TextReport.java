package io.tidemark.benchmarks.bench;

import io.tidemark.benchmarks.bench.Measurement.Ended;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.stream.Collectors;

/** A table for people, a row a phase, with remarks under it. */
final class TextReport implements Report {
  /** Above this share of a core the generator may be what limits a closed loop. */
  private static final double BUSY = 0.9;

  private static final String HEAD = "%-11s %10s %10s %9s %9s %9s %9s %9s %10s %8s";
  private static final String ROW = "%-11s %10.0f %10.0f %9.0f %9.0f %9.0f %9.0f %9.0f %10d %8d";

  private final BenchPlan plan;
  private final PrintWriter out;
  private final PrintWriter err;

  TextReport(BenchPlan plan, PrintWriter out, PrintWriter err) {
    this.plan = plan;
    this.out = out;
    this.err = err;
  }

  @Override
  public void begin() {
    say(
        "%s as a Mooncake %s client, %d connection%s, %s; %s s a phase after %s s of warm-up",
        plan.target(),
        plan.release(),
        plan.connections(),
        plan.connections() == 1 ? "" : "s",
        plan.rate().isPresent()
            ? "open loop of " + plan.rate().getAsInt() + " operations a second"
            : "closed loop",
        seconds(plan.measured().toMillis()),
        seconds(plan.warmup().toMillis()));
    say(
        "keys of %d bytes, objects of %d bytes, %d keys a batch, at most %d keys",
        plan.keyBytes(), plan.valueBytes(), plan.batch(), plan.keys());
    String head =
        String.format(
            HEAD,
            "phase",
            "ops/s",
            "keys/s",
            "p50 us",
            "p90 us",
            "p99 us",
            "p99.9 us",
            "max us",
            "ops",
            "failed");
    out.println();
    out.println(
        plan.rate().isPresent() ? head + String.format(" %9s %9s", "late", "behind") : head);
    out.flush();
  }

  private static String seconds(long millis) {
    return millis % 1_000 == 0
        ? Long.toString(millis / 1_000)
        : String.format(Locale.ROOT, "%.1f", millis / 1e3);
  }

  @Override
  public void phase(Measurement m) {
    Tally tally = m.tally();
    String row =
        String.format(
            Locale.ROOT,
            ROW,
            m.phase(),
            m.operationsPerSecond(),
            m.keysPerSecond(),
            m.micros(50),
            m.micros(90),
            m.micros(99),
            m.micros(99.9),
            m.maxMicros(),
            tally.operations(),
            tally.keysFailed());
    boolean open = plan.rate().isPresent();
    say("%s", open ? row + String.format(" %9d %9d", tally.late(), m.behind()) : row);
    remarks(m);
  }

  private void remarks(Measurement m) {
    if (m.tally().keysFailed() > 0) {
      say(
          "  failed: %s",
          m.tally().failures().entrySet().stream()
              .map(failure -> failure.getValue() + " " + failure.getKey())
              .collect(Collectors.joining(", ")));
    }
    if (m.behind() > 0) {
      say(
          "  behind: %d operations were due and not begun at the end, the oldest for %.0f ms: the"
              + " master, or this machine, does not keep up",
          m.behind(), m.behindNanos() / 1e6);
    }
    if (m.ended() == Ended.KEYS) {
      say("  ended after %.1f s, when all keys were written; more with --keys", m.seconds());
    } else if (m.ended() != Ended.TIME) {
      say(
          "  %s after %.1f s%s",
          m.ended(), m.seconds(), m.brokenBy().map(why -> ": " + why).orElse(""));
    }
    if (m.generatorShare().orElse(0) > BUSY) {
      say("  this program was busy all the time: the master may be faster than measured");
    }
  }

  @Override
  public void end(End end) {
    out.println();
    if (end.kept()) {
      say("kept: the master drops keys and segments by itself once it misses this client's pings");
    } else if (end.keysLeft() == 0) {
      say(
          "cleaned up: %d keys removed, %d segment%s unmounted",
          end.keysRemoved(), end.segmentsUnmounted(), end.segmentsUnmounted() == 1 ? "" : "s");
    }
    end.troubles().forEach(trouble -> err.println("tidemark bench: " + trouble));
    err.flush();
  }

  private void say(String format, Object... values) {
    out.println(String.format(Locale.ROOT, format, values));
    out.flush();
  }
}
