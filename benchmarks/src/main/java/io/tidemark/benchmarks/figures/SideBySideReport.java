package io.tidemark.benchmarks.figures;

import io.tidemark.benchmarks.figures.SideBySide.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Tables and targets of the comparison with Mooncake's masters. */
final class SideBySideReport {
  private final List<Sample> samples;
  private final Lineup lineup;

  SideBySideReport(List<Sample> samples, Lineup lineup) {
    this.samples = samples;
    this.lineup = lineup;
  }

  Report report(List<String> conditions) {
    List<String> all = new ArrayList<>(conditions);
    all.add(noise());
    return new Report(
        lineup.part(), lineup.title(), all, targets(), List.of(rates(), costs()), data());
  }

  private List<Target> targets() {
    List<Target> targets = new ArrayList<>();
    for (LoadCase load : LoadCase.values()) {
      for (String release : lineup.releases()) {
        Spread ratio = ratio(load, MasterProcess.TIDEMARK, release);
        targets.add(Target.atLeast(figure(load), release, lineup.limit(load, release), ratio));
      }
    }
    return targets;
  }

  private String figure(LoadCase load) {
    return lineup instanceof WithStandby ? load.title() + ", one standby" : load.title();
  }

  private Report.Table rates() {
    List<String> columns = new ArrayList<>(List.of("load", MasterProcess.TIDEMARK));
    columns.addAll(lineup.releases());
    lineup.releases().forEach(release -> columns.add("tidemark / " + release));
    columns.add("tidemark / itself");
    List<List<String>> rows = new ArrayList<>();
    for (LoadCase load : LoadCase.values()) {
      List<String> row = new ArrayList<>(List.of(load.title()));
      row.add(Text.rates(rate(load, MasterProcess.TIDEMARK)));
      lineup.releases().forEach(release -> row.add(Text.rates(rate(load, release))));
      for (String release : lineup.releases()) {
        row.add(Text.numbers(ratio(load, MasterProcess.TIDEMARK, release)));
      }
      row.add(Text.numbers(ratio(load, SideBySide.AGAIN, MasterProcess.TIDEMARK)));
      rows.add(row);
    }
    return new Report.Table(
        "Operations or keys a second: median (lowest–highest round); ratios of the same round",
        columns,
        rows);
  }

  private Report.Table costs() {
    List<String> slots = new ArrayList<>(List.of(MasterProcess.TIDEMARK));
    slots.addAll(lineup.releases());
    List<String> columns = new ArrayList<>(List.of("load"));
    columns.addAll(slots);
    List<List<String>> rows = new ArrayList<>();
    for (LoadCase load : LoadCase.values()) {
      List<String> row = new ArrayList<>(List.of(load.title()));
      for (String slot : slots) {
        row.add(
            String.format(
                Locale.ROOT,
                "%s; %.0f / %.0f",
                Text.number(of(load, slot, m -> m.measured().cpuSecondsPerMillion()).median()),
                of(load, slot, m -> m.measured().p50Micros()).median(),
                of(load, slot, m -> m.measured().p99Micros()).median()));
      }
      rows.add(row);
    }
    return new Report.Table(
        "Processor seconds of the master for a million operations or keys; p50 / p99 of a put pair,"
            + " get or batch in µs (medians)",
        columns,
        rows);
  }

  /** How much the machine alone moves a ratio, and whether idle masters are idle. */
  private String noise() {
    Spread idle = Spread.of(samples.stream().map(Sample::idle).toList());
    return String.format(
        Locale.ROOT,
        "Noise: tidemark / itself is the same master measured twice in a round; a difference inside"
            + " its range says nothing. The idle masters together used %.1f %% of a core"
            + " while another was measured (median; at most %.1f %%).",
        idle.median() * 100,
        idle.high() * 100);
  }

  private Spread rate(LoadCase load, String slot) {
    return of(load, slot, sample -> sample.measured().rate());
  }

  private Spread of(LoadCase load, String slot, ToDoubleFunction<Sample> value) {
    return Spread.of(values(load, slot, value));
  }

  private Spread ratio(LoadCase load, String above, String below) {
    ToDoubleFunction<Sample> rate = sample -> sample.measured().rate();
    return Spread.ofRatios(values(load, above, rate), values(load, below, rate));
  }

  /** In the order of the rounds. */
  private List<Double> values(LoadCase load, String slot, ToDoubleFunction<Sample> value) {
    return samples.stream()
        .filter(sample -> sample.load() == load && sample.slot().equals(slot))
        .map(value::applyAsDouble)
        .toList();
  }

  private List<Map<String, Object>> data() {
    return samples.stream()
        .map(
            sample ->
                Json.object(
                    "load", sample.load().title(),
                    "master", sample.slot(),
                    "round", sample.round() + 1,
                    "rate", Math.rint(sample.measured().rate()),
                    "p50_us", sample.measured().p50Micros(),
                    "p99_us", sample.measured().p99Micros(),
                    "cpu_s_per_million", sample.measured().cpuSecondsPerMillion(),
                    "idle_masters_cpu", sample.idle()))
        .toList();
  }
}
