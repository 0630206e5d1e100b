package io.tidemark.benchmarks.figures;

import io.tidemark.benchmarks.figures.Disturbance.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The slowest hundredth of calls while the master has something else to do, beside that without.
 */
final class DisturbancePart implements Part {
  private static final long OBJECTS = 1_000_000;
  private static final int ROUNDS = 5;
  private static final int CONNECTIONS = 16;
  private static final int RATE = 4_000;
  private static final int MOST_SECONDS = 180;
  private static final int WARM_MS = 8_000;
  private static final int SETTLE_MS = 1_000;
  private static final int CALM_MS = 2_000;
  private static final double P99 = 0.99;

  /** Shorter spans are looked at for this long, so that a hundredth is a number of calls. */
  private static final long SHORTEST_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

  /** A master on which one kind of thing happens. */
  private record Place(Disturbance disturbance, Subject subject, List<KeyRange> objects) {}

  /** One time that it happened. */
  private record Sample(
      String title,
      double spanMs,
      double disturbedP99,
      double calmP99,
      int calls,
      double most,
      long errors) {}

  @Override
  public String name() {
    return "disturbance";
  }

  @Override
  public Report run(Bench bench) throws IOException, InterruptedException {
    List<Place> places = new ArrayList<>();
    List<Sample> samples = new ArrayList<>();
    try {
      for (Disturbance disturbance :
          List.of(
              new Disturbances.Eviction(),
              new Disturbances.Snapshot(),
              new Disturbances.Expiry())) {
        places.add(open(bench, disturbance, places.size()));
      }
      int rounds = bench.rounds(ROUNDS);
      for (int round = 0; round < rounds; round++) {
        bench.say("round " + (round + 1) + " of " + rounds);
        for (Place place : places) {
          samples.add(measure(bench, place));
        }
      }
      return report(bench, samples);
    } finally {
      for (int i = 0; i < places.size(); i++) {
        places.get(i).subject().close();
        bench.dropData(label(i));
      }
    }
  }

  private static String label(int number) {
    return "disturbed-" + number;
  }

  private static Place open(Bench bench, Disturbance disturbance, int number)
      throws IOException, InterruptedException {
    long total = bench.objects(OBJECTS);
    bench.dropData(label(number));
    MasterProcess master =
        bench.tidemark(label(number), "", disturbance.flags().toArray(new String[0]));
    // One connection more than the load has, for what makes it happen.
    Subject subject = new Subject(master, CONNECTIONS + 1, disturbance.segmentBytes(total));
    List<KeyRange> ranges = subject.newRanges(CONNECTIONS);
    subject.fill(subject.requests(), ranges, total - disturbance.own(total));
    master.admin().takeSnapshot();
    Place place = new Place(disturbance, subject, ranges);
    List<KeyRange> fresh = subject.newRanges(CONNECTIONS);
    try (OpenLoop load = load(place, fresh)) {
      load.start();
      disturbance.calm(subject, bench.time(WARM_MS).toMillis());
    }
    subject.shrink(fresh, 0);
    return place;
  }

  /** Gets of the objects and puts of new ones in turn. */
  private static OpenLoop load(Place place, List<KeyRange> fresh) throws IOException {
    Subject subject = place.subject();
    return new OpenLoop(
        subject.links(CONNECTIONS),
        i ->
            new Scripts.Alternating(
                new Scripts.Get(place.objects().get(i), 1),
                new Scripts.Put(subject.requests(), fresh.get(i), 1, Long.MAX_VALUE)),
        RATE,
        MOST_SECONDS);
  }

  private static Sample measure(Bench bench, Place place) throws IOException, InterruptedException {
    Subject subject = place.subject();
    Disturbance disturbance = place.disturbance();
    disturbance.prepare(subject, place.objects(), bench.objects(OBJECTS));
    subject.settle();
    List<KeyRange> fresh = subject.newRanges(CONNECTIONS);
    Sample sample;
    try (OpenLoop load = load(place, fresh)) {
      load.start();
      disturbance.calm(subject, SETTLE_MS);
      Span before = calm(place, CALM_MS);
      Span span = atLeast(disturbance.happen(subject), SHORTEST_NANOS);
      disturbance.calm(subject, SETTLE_MS);
      long spanMs = TimeUnit.NANOSECONDS.toMillis(span.nanos()) + 1;
      Span after = calm(place, Math.max(CALM_MS, spanMs));
      load.check();
      sample = sample(disturbance, load, span, List.of(before, after));
    }
    bench.say(
        String.format(
            Locale.ROOT,
            "%s: %.0f ms, p99 %.0f us, undisturbed %.0f us",
            sample.title(),
            sample.spanMs(),
            sample.disturbedP99(),
            sample.calmP99()));
    subject.shrink(fresh, 0);
    return sample;
  }

  private static Span calm(Place place, long millis) throws IOException, InterruptedException {
    long from = System.nanoTime();
    place.disturbance().calm(place.subject(), millis);
    return new Span(from, System.nanoTime());
  }

  private static Span atLeast(Span span, long nanos) {
    return new Span(span.fromNanos(), Math.max(span.toNanos(), span.fromNanos() + nanos));
  }

  private static Sample sample(Disturbance disturbance, OpenLoop load, Span span, List<Span> calm) {
    double[] disturbed = load.latencies(span.fromNanos(), span.toNanos());
    List<Double> undisturbed = new ArrayList<>();
    for (Span quiet : calm) {
      long length = span.nanos();
      for (long from = quiet.fromNanos(); from + length <= quiet.toNanos(); from += length) {
        undisturbed.add(OpenLoop.percentile(load.latencies(from, from + length), P99));
      }
    }
    return new Sample(
        disturbance.title(),
        span.nanos() / 1e6,
        OpenLoop.percentile(disturbed, P99),
        Spread.of(undisturbed).median(),
        disturbed.length,
        OpenLoop.percentile(disturbed, 1),
        load.failed());
  }

  private Report report(Bench bench, List<Sample> samples) {
    Map<String, List<Sample>> byTitle = new LinkedHashMap<>();
    for (Sample sample : samples) {
      byTitle.computeIfAbsent(sample.title(), title -> new ArrayList<>()).add(sample);
    }
    List<Target> targets = new ArrayList<>();
    List<List<String>> rows = new ArrayList<>();
    byTitle.forEach(
        (title, all) -> {
          List<Double> disturbed = all.stream().map(Sample::disturbedP99).toList();
          List<Double> calm = all.stream().map(Sample::calmP99).toList();
          Spread ratio = Spread.ofRatios(disturbed, calm);
          targets.add(Target.atMost("p99 while " + title, "undisturbed", 1.5, "", ratio));
          rows.add(
              List.of(
                  title,
                  Text.numbers(Spread.of(all.stream().map(Sample::spanMs).toList())),
                  Text.numbers(Spread.of(calm)),
                  Text.numbers(Spread.of(disturbed)),
                  Text.numbers(ratio),
                  Text.numbers(Spread.of(all.stream().map(Sample::most).toList()))));
        });
    Report.Table table =
        new Report.Table(
            "Latencies in µs, median (lowest–highest round)",
            List.of(
                "while",
                "lasts, ms",
                "p99 undisturbed",
                "p99 meanwhile",
                "ratio",
                "slowest meanwhile"),
            rows);
    return new Report(
        name(),
        "While something else happens",
        conditions(bench),
        targets,
        List.of(table),
        samples.stream().map(DisturbancePart::data).toList());
  }

  private static Map<String, Object> data(Sample sample) {
    return Json.object(
        "while", sample.title(),
        "span_ms", sample.spanMs(),
        "calls", sample.calls(),
        "p99_us", sample.disturbedP99(),
        "p99_undisturbed_us", sample.calmP99(),
        "slowest_us", sample.most(),
        "errors_all_in_all", sample.errors());
  }

  private static List<String> conditions(Bench bench) {
    return List.of(
        String.format(
            Locale.ROOT,
            "Fixed rate: %,d operations a second, gets and put pairs in turn, on %d connections;"
                + " measured from the moment an operation is due, so a standstill counts for all"
                + " operations of its time. %,d objects with 34-byte keys. A Tidemark process of its"
                + " own for each kind, warmed up with this load for %.0f s; %d rounds that go through"
                + " all three.",
            RATE,
            CONNECTIONS,
            bench.objects(OBJECTS),
            bench.time(WARM_MS).toMillis() / 1e3,
            bench.rounds(ROUNDS)),
        "Undisturbed is the median of the p99 of windows as long as the disturbance, just before and"
            + " after it under the same load. A disturbance of less than 250 ms is given 250 ms.",
        "Evicting: from the put that goes over the high watermark until the run is over, its search"
            + " for victims included, a twentieth of the objects. Snapshot: from the request until it"
            + " is read back. Expiry: from the last look at the metrics before the client is given up"
            + " to the first at which its objects are gone; a look each 20 ms, in all windows.");
  }
}
