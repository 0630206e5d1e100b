package io.tidemark.benchmarks;

import java.util.List;
import java.util.Locale;

/**
 * One measurement.
 *
 * @param rate operations a second; keys a second for batches
 * @param p50Micros latency of an operation: of the pair for put, of both calls for a batch put
 * @param serverCpuSeconds CPU time of the master during the measurement; 0 if not known
 * @param loadCpuSeconds CPU time of the generator
 */
record LoadResult(
    String label,
    Phase phase,
    int connections,
    double rate,
    double p50Micros,
    double p99Micros,
    double seconds,
    long failed,
    double serverCpuSeconds,
    double loadCpuSeconds) {

  /** A line for {@link #parse}. */
  String toLine() {
    return String.join(
        "\t",
        List.of(
            label,
            phase.toString(),
            Integer.toString(connections),
            number(rate),
            number(p50Micros),
            number(p99Micros),
            number(seconds),
            Long.toString(failed),
            number(serverCpuSeconds),
            number(loadCpuSeconds)));
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.3f", value);
  }

  static LoadResult parse(String line) {
    String[] f = line.split("\t", -1);
    return new LoadResult(
        f[0],
        Phase.of(f[1]),
        Integer.parseInt(f[2]),
        Double.parseDouble(f[3]),
        Double.parseDouble(f[4]),
        Double.parseDouble(f[5]),
        Double.parseDouble(f[6]),
        Long.parseLong(f[7]),
        Double.parseDouble(f[8]),
        Double.parseDouble(f[9]));
  }

  /** CPU microseconds of the master for one operation or key. */
  double serverMicrosEach() {
    return rate == 0 ? 0 : serverCpuSeconds * 1e6 / (rate * seconds);
  }

  /** For people. */
  String toText() {
    return String.format(
        Locale.ROOT,
        "%-14s %-8s %3d connections %10.0f/s  p50 %7.0f us  p99 %7.0f us  master %5.2f us CPU each,"
            + " generator %4.2f s CPU%s",
        label,
        phase,
        connections,
        rate,
        p50Micros,
        p99Micros,
        serverMicrosEach(),
        loadCpuSeconds,
        failed == 0 ? "" : "  " + failed + " FAILED");
  }
}
