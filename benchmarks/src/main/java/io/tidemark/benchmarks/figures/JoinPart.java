package io.tidemark.benchmarks.figures;

import io.tidemark.benchmarks.figures.Disturbance.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * An empty standby joins a leader that has a million objects and whose log does not reach back to
 * the beginning: how long that takes, and what it does to the leader's clients.
 */
final class JoinPart implements Part {
  private static final long OBJECTS = 1_000_000;
  private static final int ROUNDS = 3;
  private static final int CONNECTIONS = 16;
  private static final int RATE = 2_000;
  private static final int MOST_SECONDS = 180;
  private static final int WARM_MS = 8_000;
  private static final int CALM_MS = 4_000;
  private static final double P99 = 0.99;
  private static final String LEADER = "join";
  private static final String STANDBY = "join-2";

  private record Sample(double joinMs, double megabytes, double p99, double calmP99, double most) {}

  @Override
  public String name() {
    return LEADER;
  }

  @Override
  public Report run(Bench bench) throws IOException, InterruptedException {
    List<Sample> samples = new ArrayList<>();
    bench.dropData(LEADER);
    try (EtcdServer etcd = EtcdServer.start(bench.work(), "etcd-join");
        MasterProcess leader =
            MasterProcess.start(
                bench.tidemarkPlan(LEADER, "", HaFlags.tidemark(etcd, "--new_cluster")))) {
      HaFlags.awaitInSync(leader, 1);
      try (Subject subject = new Subject(leader, CONNECTIONS, Subject.SEGMENT_BYTES)) {
        List<KeyRange> objects = subject.newRanges(CONNECTIONS);
        subject.fill(subject.requests(), objects, bench.objects(OBJECTS));
        leader.admin().takeSnapshot();
        warmUp(bench, subject, objects);
        leader.admin().takeSnapshot();
        for (int round = 0; round < bench.rounds(ROUNDS); round++) {
          samples.add(join(bench, etcd, subject, objects));
        }
      }
    } finally {
      bench.dropData(LEADER);
      bench.dropData(STANDBY);
    }
    return report(bench, samples);
  }

  private static void warmUp(Bench bench, Subject subject, List<KeyRange> objects)
      throws IOException, InterruptedException {
    List<KeyRange> fresh = subject.newRanges(CONNECTIONS);
    try (OpenLoop load = load(subject, objects, fresh)) {
      load.start();
      TimeUnit.MILLISECONDS.sleep(bench.time(WARM_MS).toMillis());
    }
    subject.shrink(fresh, 0);
  }

  /** Gets of the objects and puts of new ones in turn. */
  private static OpenLoop load(Subject subject, List<KeyRange> objects, List<KeyRange> fresh)
      throws IOException {
    return new OpenLoop(
        subject.links(CONNECTIONS),
        i ->
            new Scripts.Alternating(
                new Scripts.Get(objects.get(i), 1),
                new Scripts.Put(subject.requests(), fresh.get(i), 1, Long.MAX_VALUE)),
        RATE,
        MOST_SECONDS);
  }

  private static Sample join(Bench bench, EtcdServer etcd, Subject subject, List<KeyRange> objects)
      throws IOException, InterruptedException {
    bench.dropData(STANDBY);
    List<KeyRange> fresh = subject.newRanges(CONNECTIONS);
    double sentBefore = sent(subject);
    Sample sample;
    try (OpenLoop load = load(subject, objects, fresh)) {
      load.start();
      TimeUnit.MILLISECONDS.sleep(bench.time(CALM_MS).toMillis());
      long calmFrom = System.nanoTime() - bench.time(CALM_MS).toNanos() / 2;
      long from = System.nanoTime();
      MasterProcess standby =
          MasterProcess.launch(bench.tidemarkPlan(STANDBY, "", HaFlags.tidemark(etcd)));
      Span span;
      try {
        HaFlags.awaitInSync(subject.master(), 2);
        span = new Span(from, System.nanoTime());
      } finally {
        standby.kill();
      }
      load.check();
      double[] meanwhile = load.latencies(span.fromNanos(), span.toNanos());
      sample =
          new Sample(
              span.nanos() / 1e6,
              (sent(subject) - sentBefore) / (1 << 20),
              OpenLoop.percentile(meanwhile, P99),
              OpenLoop.percentile(load.latencies(calmFrom, from), P99),
              OpenLoop.percentile(meanwhile, 1));
    }
    HaFlags.awaitInSync(subject.master(), 1);
    subject.shrink(fresh, 0);
    bench.say(
        String.format(
            Locale.ROOT,
            "joined after %.0f ms, p99 %.0f us, undisturbed %.0f us",
            sample.joinMs(),
            sample.p99(),
            sample.calmP99()));
    return sample;
  }

  private static double sent(Subject subject) throws IOException, InterruptedException {
    return subject.master().admin().metric("tidemark_replication_snapshot_bytes_sent_total");
  }

  private Report report(Bench bench, List<Sample> samples) {
    List<Double> p99 = samples.stream().map(Sample::p99).toList();
    List<Double> calm = samples.stream().map(Sample::calmP99).toList();
    Report.Table table =
        new Report.Table(
            "Median (lowest–highest round)",
            List.of(
                "in sync after, ms",
                "MiB of snapshot",
                "p99 undisturbed, µs",
                "p99 meanwhile, µs",
                "ratio",
                "slowest meanwhile, µs"),
            List.of(
                List.of(
                    Text.numbers(Spread.of(samples.stream().map(Sample::joinMs).toList())),
                    Text.numbers(Spread.of(samples.stream().map(Sample::megabytes).toList())),
                    Text.numbers(Spread.of(calm)),
                    Text.numbers(Spread.of(p99)),
                    Text.numbers(Spread.ofRatios(p99, calm)),
                    Text.numbers(Spread.of(samples.stream().map(Sample::most).toList())))));
    return new Report(
        name(),
        "While an empty standby joins",
        List.of(
            String.format(
                Locale.ROOT,
                "%,d objects, of which the leader's log begins behind most; %,d operations a second,"
                    + " gets and put pairs in turn, on %d connections; %d rounds, each with a standby"
                    + " that has nothing. From the start of its process until it is in the recorded"
                    + " set: the start of a JVM on the same cores is in it.",
                bench.objects(OBJECTS),
                RATE,
                CONNECTIONS,
                bench.rounds(ROUNDS))),
        List.of(),
        List.of(table),
        samples.stream()
            .map(
                s ->
                    Json.object(
                        "join_ms", s.joinMs(),
                        "snapshot_mib", s.megabytes(),
                        "p99_us", s.p99(),
                        "p99_undisturbed_us", s.calmP99(),
                        "slowest_us", s.most()))
            .toList());
  }
}
