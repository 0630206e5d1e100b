package io.tidemark.benchmarks.figures;

import io.tidemark.benchmarks.figures.Disturbance.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * An empty standby joins a leader that has a million objects and whose log does not reach back to
 * the beginning: how long that takes, what it does to the leader's clients, and how much memory a
 * standby needs.
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
  private static final double MOST_MEMORY = 1.2;
  private static final String LEADER = "join";
  private static final String STANDBY = "join-2";

  /** How the standby is started. */
  private enum Priority {
    SAME("as the leader's"),
    LOWEST("lowest", "nice", "-n", "19");

    final String words;
    final String[] command;

    Priority(String words, String... command) {
      this.words = words;
      this.command = command;
    }
  }

  private record Sample(
      Priority priority,
      double joinMs,
      double megabytes,
      double p99,
      double calmP99,
      double most,
      double leaderMib,
      double standbyMib) {}

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
                bench.tidemarkPlan(
                    LEADER, JavaMemory.FLAG, HaFlags.tidemark(etcd, "--new_cluster")))) {
      HaFlags.awaitInSync(leader, 1);
      try (Subject subject = new Subject(leader, CONNECTIONS, Subject.SEGMENT_BYTES)) {
        List<KeyRange> objects = subject.newRanges(CONNECTIONS);
        subject.fill(subject.requests(), objects, bench.objects(OBJECTS));
        leader.admin().takeSnapshot();
        warmUp(bench, subject, objects);
        leader.admin().takeSnapshot();
        for (int round = 0; round < bench.rounds(ROUNDS); round++) {
          for (Priority priority : Priority.values()) {
            samples.add(join(bench, etcd, subject, objects, priority));
          }
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

  private static Sample join(
      Bench bench, EtcdServer etcd, Subject subject, List<KeyRange> objects, Priority priority)
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
          MasterProcess.launch(
              bench.tidemarkPlan(STANDBY, JavaMemory.FLAG, HaFlags.tidemark(etcd)),
              priority.command);
      Span span;
      double leaderMib;
      double standbyMib;
      try {
        HaFlags.awaitInSync(subject.master(), 2);
        span = new Span(from, System.nanoTime());
        leaderMib = memory(subject.master());
        standbyMib = memory(standby);
      } finally {
        standby.kill();
      }
      load.check();
      double[] meanwhile = load.latencies(span.fromNanos(), span.toNanos());
      sample =
          new Sample(
              priority,
              span.nanos() / 1e6,
              (sent(subject) - sentBefore) / (1 << 20),
              OpenLoop.percentile(meanwhile, P99),
              OpenLoop.percentile(load.latencies(calmFrom, from), P99),
              OpenLoop.percentile(meanwhile, 1),
              leaderMib,
              standbyMib);
    }
    HaFlags.awaitInSync(subject.master(), 1);
    subject.shrink(fresh, 0);
    bench.say(
        String.format(
            Locale.ROOT,
            "priority %s: joined after %.0f ms, p99 %.0f us, undisturbed %.0f us",
            priority.words,
            sample.joinMs(),
            sample.p99(),
            sample.calmP99()));
    return sample;
  }

  private static double sent(Subject subject) throws IOException, InterruptedException {
    return subject.master().admin().metric("tidemark_replication_snapshot_bytes_sent_total");
  }

  /** What lives, and what is outside the heap, in MiB. */
  private static double memory(MasterProcess master) throws IOException, InterruptedException {
    JavaMemory memory = JavaMemory.afterCollection(master.pid());
    return (memory.heapBytes() + memory.otherBytes()) / (1 << 20);
  }

  private Report report(Bench bench, List<Sample> samples) {
    Report.Table table =
        new Report.Table(
            "Median (lowest–highest round)",
            List.of(
                "priority of the standby's process",
                "in sync after, ms",
                "MiB of snapshot",
                "p99 undisturbed, µs",
                "p99 meanwhile, µs",
                "ratio",
                "slowest meanwhile, µs",
                "leader, MiB",
                "standby, MiB"),
            Stream.of(Priority.values()).map(priority -> row(priority, samples)).toList());
    Spread memory =
        Spread.ofRatios(of(samples, Sample::standbyMib), of(samples, Sample::leaderMib));
    return new Report(
        name(),
        "While an empty standby joins",
        conditions(bench),
        List.of(
            Target.atMost(
                "memory of a standby with 1 M objects", "its leader", MOST_MEMORY, "", memory)),
        List.of(table),
        samples.stream().map(JoinPart::data).toList());
  }

  private static List<Double> of(List<Sample> samples, Function<Sample, Double> value) {
    return samples.stream().map(value).toList();
  }

  private static List<String> row(Priority priority, List<Sample> all) {
    List<Sample> samples = all.stream().filter(s -> s.priority() == priority).toList();
    Spread ratio = Spread.ofRatios(of(samples, Sample::p99), of(samples, Sample::calmP99));
    return List.of(
        priority.words,
        Text.numbers(Spread.of(of(samples, Sample::joinMs))),
        Text.numbers(Spread.of(of(samples, Sample::megabytes))),
        Text.numbers(Spread.of(of(samples, Sample::calmP99))),
        Text.numbers(Spread.of(of(samples, Sample::p99))),
        Text.numbers(ratio),
        Text.numbers(Spread.of(of(samples, Sample::most))),
        Text.numbers(Spread.of(of(samples, Sample::leaderMib))),
        Text.numbers(Spread.of(of(samples, Sample::standbyMib))));
  }

  private static List<String> conditions(Bench bench) {
    return List.of(
        String.format(
            Locale.ROOT,
            "%,d objects, of which the leader's log begins behind most; %,d operations a second,"
                + " gets and put pairs in turn, on %d connections; %d rounds, each with a standby of"
                + " each kind that has nothing. From the start of its process until it is in the"
                + " recorded set: the start of a JVM on the same cores is in it.",
            bench.objects(OBJECTS),
            RATE,
            CONNECTIONS,
            bench.rounds(ROUNDS)),
        "The lowest priority shows what of it is the competition for the two cores, which a standby on"
            + " a machine of its own would not be.",
        "Memory: heap after a collection and all outside of it but the compiler's, once the standby is"
            + " in sync.");
  }

  private static Map<String, Object> data(Sample s) {
    return Json.object(
        "priority", s.priority().words,
        "join_ms", s.joinMs(),
        "snapshot_mib", s.megabytes(),
        "p99_us", s.p99(),
        "p99_undisturbed_us", s.calmP99(),
        "slowest_us", s.most(),
        "leader_mib", s.leaderMib(),
        "standby_mib", s.standbyMib());
  }
}
