package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;

/**
 * Throughput of Tidemark beside Mooncake's masters. All run from beginning to end; only the one
 * being measured has a load. A round measures each of them, Tidemark twice: the ratio of those two
 * shows what the machine alone does to a ratio.
 */
final class SideBySide implements Part {
  static final String NEWEST = "0.3.14";
  static final String OLDER = "0.3.13.post1";
  static final List<String> RELEASES = List.of(NEWEST, OLDER);

  /** Tidemark's second measurement in a round. */
  static final String AGAIN = "tidemark again";

  /** Objects that gets read, the same for all masters. */
  private static final long READ_OBJECTS = 65_536;

  private static final int ROUNDS = 7;
  private static final int MEASURE_MS = 1_500;
  private static final Duration WARMUP = Duration.ofMillis(300);
  private static final int MOST_SLICES = 30;

  /** One measurement. */
  record Sample(LoadCase load, String slot, int round, ClosedLoop.Measured measured, double idle) {}

  private record Slot(String name, Subject subject) {}

  private final Supplier<Lineup> lineups;
  private final String name;

  /**
   * @param lineups a new one for each run
   */
  SideBySide(String name, Supplier<Lineup> lineups) {
    this.name = name;
    this.lineups = lineups;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Report run(Bench bench) throws IOException, InterruptedException {
    List<Subject> subjects = new ArrayList<>();
    bench.dropData(name());
    bench.dropData(name() + "-2");
    try (Lineup lineup = lineups.get()) {
      subjects.addAll(lineup.open(bench));
      List<String> warmth = new ArrayList<>();
      for (Subject subject : subjects) {
        warmth.add(warmUp(bench, subject));
      }
      Admin admin = subjects.get(0).master().admin();
      double snapshotsBefore = admin.metric("master_snapshot_success");
      List<Sample> samples = rounds(bench, subjects);
      double snapshots = admin.metric("master_snapshot_success") - snapshotsBefore;
      List<String> conditions = conditions(bench, warmth, snapshots);
      conditions.addAll(lineup.conditions(bench));
      return new SideBySideReport(samples, lineup).report(conditions);
    } finally {
      for (Subject subject : subjects) {
        subject.close();
      }
      bench.dropData(name());
      bench.dropData(name() + "-2");
    }
  }

  /** A started master with the connections of the largest load. */
  static Subject subject(MasterProcess master) throws IOException {
    return new Subject(master, LoadCase.PUT_64.connections(), Subject.SEGMENT_BYTES);
  }

  /** Each load until it gets no faster; says how long that took. */
  private static String warmUp(Bench bench, Subject subject)
      throws IOException, InterruptedException {
    long begin = System.nanoTime();
    int most = bench.options().quick() ? 2 : MOST_SLICES;
    for (LoadCase load : LoadCase.values()) {
      List<KeyRange> ranges = prepare(subject, load);
      List<Double> rates =
          SteadyState.reach(
              slice ->
                  load.loop(subject, ranges)
                      .run(Duration.ZERO, slice, subject.master()::cpuSeconds)
                      .rate(),
              most);
      bench.say(
          String.format(
              Locale.ROOT,
              "%s, %s: warm after %d half seconds, %.0f/s first, %.0f/s last",
              subject.master().label(),
              load.title(),
              rates.size(),
              rates.get(0),
              rates.get(rates.size() - 1)));
      clear(subject);
    }
    return String.format(
        Locale.ROOT,
        "%s %.0f s",
        subject.master().plan().name(),
        (System.nanoTime() - begin) / 1e9);
  }

  private static List<KeyRange> prepare(Subject subject, LoadCase load) throws IOException {
    List<KeyRange> ranges = subject.newRanges(load.connections());
    if (!load.writes()) {
      subject.fill(subject.requests(), ranges, READ_OBJECTS);
    }
    return ranges;
  }

  private static void clear(Subject subject) throws IOException, InterruptedException {
    subject.owner().removeAll();
    subject.settle();
  }

  private static List<Sample> rounds(Bench bench, List<Subject> subjects)
      throws IOException, InterruptedException {
    List<Slot> order = new ArrayList<>();
    for (Subject subject : subjects) {
      order.add(new Slot(subject.master().plan().name(), subject));
    }
    order.add(new Slot(AGAIN, subjects.get(0)));
    List<Sample> samples = new ArrayList<>();
    int rounds = bench.rounds(ROUNDS);
    for (int round = 0; round < rounds; round++) {
      bench.say("round " + (round + 1) + " of " + rounds);
      for (LoadCase load : LoadCase.values()) {
        for (Slot slot : order) {
          samples.add(measure(bench, load, slot, round, subjects));
        }
        Collections.rotate(order, 1);
      }
    }
    return samples;
  }

  private static Sample measure(
      Bench bench, LoadCase load, Slot slot, int round, List<Subject> subjects)
      throws IOException, InterruptedException {
    Subject subject = slot.subject();
    List<KeyRange> ranges = prepare(subject, load);
    subject.settle();
    double idleBefore = cpuOfOthers(subjects, subject);
    long begin = System.nanoTime();
    ClosedLoop.Measured measured =
        load.loop(subject, ranges)
            .run(WARMUP, bench.time(MEASURE_MS), subject.master()::cpuSeconds);
    double seconds = (System.nanoTime() - begin) / 1e9;
    double idle = (cpuOfOthers(subjects, subject) - idleBefore) / seconds;
    if (measured.failed() > 0) {
      throw new IOException(
          measured.failed()
              + " of the calls of "
              + load.title()
              + " on "
              + slot.name()
              + " failed");
    }
    clear(subject);
    return new Sample(load, slot.name(), round, measured, idle);
  }

  private static double cpuOfOthers(List<Subject> subjects, Subject measured) throws IOException {
    double seconds = 0;
    for (Subject subject : subjects) {
      seconds += subject == measured ? 0 : subject.master().cpuSeconds();
    }
    return seconds;
  }

  private static List<String> conditions(Bench bench, List<String> warmth, double snapshots) {
    List<String> conditions = new ArrayList<>();
    conditions.add(
        String.format(
            Locale.ROOT,
            "%d rounds, %d ms a measurement after 300 ms of the same load; closed loop, one"
                + " outstanding request a connection; 34-byte keys, 4 KiB objects, one replica, 16"
                + " segments, nothing evicted. A put is PutStart and PutEnd; batches count by key;"
                + " gets read %d objects at random. Every measurement starts with an empty table.",
            bench.rounds(ROUNDS),
            bench.time(MEASURE_MS).toMillis(),
            READ_OBJECTS));
    conditions.add(
        "All masters run throughout, the order rotates. Warmed up until half seconds got no faster: "
            + String.join(", ", warmth)
            + ".");
    conditions.add(
        String.format(
            Locale.ROOT,
            "%.0f snapshots of the measured Tidemark fell into the rounds.",
            snapshots));
    return conditions;
  }
}
