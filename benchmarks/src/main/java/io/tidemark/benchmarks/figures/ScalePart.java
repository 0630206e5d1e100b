package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Throughput with many objects in the table beside that with few: two Tidemark processes, measured
 * in turn.
 */
final class ScalePart implements Part {
  private static final long FEW = 10_240;
  private static final long MANY = 10_000_000;
  private static final String HEAP = "-Xms1g -Xmx6g";
  private static final int ROUNDS = 7;
  private static final int MEASURE_MS = 2_000;
  private static final int CONNECTIONS = 4;
  private static final Duration WARMUP = Duration.ofMillis(300);
  private static final int MOST_SLICES = 30;

  /** A process with its objects. */
  private record Table(String name, Subject subject, List<KeyRange> objects) {}

  private record Sample(String table, boolean writes, ClosedLoop.Measured measured) {}

  @Override
  public String name() {
    return "scale";
  }

  @Override
  public Report run(Bench bench) throws IOException, InterruptedException {
    List<Table> tables = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    try {
      tables.add(open(bench, "few", FEW));
      tables.add(open(bench, "many", bench.objects(MANY)));
      for (Table table : tables) {
        warmUp(bench, table);
      }
      int rounds = bench.rounds(ROUNDS);
      for (int round = 0; round < rounds; round++) {
        bench.say("round " + (round + 1) + " of " + rounds);
        for (boolean writes : new boolean[] {true, false}) {
          for (int i = 0; i < tables.size(); i++) {
            Table table = tables.get((i + round) % tables.size());
            samples.add(new Sample(table.name(), writes, measure(bench, table, writes)));
          }
        }
      }
      return report(bench, samples);
    } finally {
      for (Table table : tables) {
        table.subject().close();
        bench.dropData(table.name());
      }
    }
  }

  private static Table open(Bench bench, String name, long objects)
      throws IOException, InterruptedException {
    bench.dropData(name);
    Subject subject = new Subject(bench.tidemark(name, HEAP), CONNECTIONS, Subject.SEGMENT_BYTES);
    List<KeyRange> ranges = subject.newRanges(CONNECTIONS);
    bench.say("putting " + objects + " objects");
    subject.fill(subject.requests(), ranges, objects);
    subject.master().admin().takeSnapshot();
    return new Table(name, subject, ranges);
  }

  private static void warmUp(Bench bench, Table table) throws IOException, InterruptedException {
    int most = bench.options().quick() ? 3 : MOST_SLICES;
    for (boolean writes : new boolean[] {true, false}) {
      List<Double> rates =
          SteadyState.reach(slice -> load(table, writes, Duration.ZERO, slice).rate(), most);
      bench.say(
          table.name() + (writes ? ", put" : ", get") + ": half seconds to warm " + rates.size());
    }
    table.subject().settle();
  }

  private static ClosedLoop.Measured measure(Bench bench, Table table, boolean writes)
      throws IOException, InterruptedException {
    ClosedLoop.Measured measured = load(table, writes, WARMUP, bench.time(MEASURE_MS));
    table.subject().settle();
    return measured;
  }

  /** Keys that were put are removed again: the table keeps its size. */
  private static ClosedLoop.Measured load(
      Table table, boolean writes, Duration warmup, Duration time) throws IOException {
    Subject subject = table.subject();
    Requests requests = subject.requests();
    List<KeyRange> fresh = subject.newRanges(CONNECTIONS);
    ClosedLoop loop =
        new ClosedLoop(
            subject.links(CONNECTIONS),
            i ->
                writes
                    ? new Scripts.Put(requests, fresh.get(i), 1, Long.MAX_VALUE)
                    : new Scripts.Get(table.objects().get(i), 1));
    ClosedLoop.Measured measured = loop.run(warmup, time, subject.master()::cpuSeconds);
    if (measured.failed() > 0) {
      throw new IOException(measured.failed() + " calls failed with " + table.name() + " objects");
    }
    subject.shrink(fresh, 0);
    return measured;
  }

  private Report report(Bench bench, List<Sample> samples) {
    List<Target> targets = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    for (boolean writes : new boolean[] {true, false}) {
      String load = writes ? "put pairs, 4 connections" : "get, 4 connections";
      Spread ratio = Spread.ofRatios(rates(samples, "many", writes), rates(samples, "few", writes));
      targets.add(Target.atLeast(load + ", at 10 M objects", "10 k objects", 0.9, ratio));
      rows.add(
          List.of(
              load,
              Text.rates(Spread.of(rates(samples, "few", writes))),
              Text.rates(Spread.of(rates(samples, "many", writes))),
              Text.numbers(ratio)));
    }
    Report.Table table =
        new Report.Table(
            "Operations a second, median (lowest–highest round)",
            List.of("load", "10 k objects", "10 M objects", "ratio"),
            rows);
    return new Report(
        name(), "Many objects", conditions(bench), targets, List.of(table), data(samples));
  }

  private static List<Double> rates(List<Sample> samples, String table, boolean writes) {
    return samples.stream()
        .filter(sample -> sample.table().equals(table) && sample.writes() == writes)
        .map(sample -> sample.measured().rate())
        .toList();
  }

  private static List<String> conditions(Bench bench) {
    return List.of(
        String.format(
            "Two Tidemark processes with %s, G1, snapshots on, with %,d and %,d objects put in"
                + " batches and one snapshot taken; %d rounds that measure both in turn, %d ms"
                + " each; what is put is removed after each measurement.",
            HEAP,
            FEW,
            bench.objects(MANY),
            bench.rounds(ROUNDS),
            bench.time(MEASURE_MS).toMillis()));
  }

  private static List<Map<String, Object>> data(List<Sample> samples) {
    return samples.stream()
        .map(
            sample ->
                Json.object(
                    "table", sample.table(),
                    "load", sample.writes() ? "put" : "get",
                    "rate", Math.rint(sample.measured().rate()),
                    "p99_us", sample.measured().p99Micros(),
                    "cpu_s_per_million", sample.measured().cpuSecondsPerMillion()))
        .toList();
  }
}
