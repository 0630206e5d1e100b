package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Measures what {@code docs/performance.md} says. See {@link Options#USAGE}. */
public final class Figures {
  private static final List<Part> PARTS =
      List.of(
          new SideBySide("side-by-side", SingleMasters::new),
          new SideBySide("standby", WithStandby::new),
          new JoinPart(),
          new MemoryPart(),
          new ScalePart(),
          new DisturbancePart(),
          new RestartPart());

  private Figures() {}

  /**
   * Measures, prints and writes. Ends with 0 whether targets are met or not, with 1 if something
   * could not be measured.
   *
   * @param arguments the checkout's root, a folder to work in, then options
   */
  public static void main(String[] arguments) throws IOException, InterruptedException {
    Path root = Path.of(arguments[0]).toAbsolutePath();
    Path work = Path.of(arguments[1]).toAbsolutePath();
    Options options;
    try {
      List<String> names = PARTS.stream().map(Part::name).toList();
      List<String> rest = List.of(arguments).subList(2, arguments.length);
      options = Options.of(rest, names, root);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(Options.USAGE);
      System.exit(2);
      return;
    }
    try {
      Bench bench = new Bench(options, root, work);
      run(bench);
      bench.dropAll();
    } catch (IOException e) {
      System.err.println("error: " + e.getMessage() + "; logs of the masters are in " + work);
      System.exit(1);
    }
    // The HTTP client and the owners have threads of their own.
    System.exit(0);
  }

  private static void run(Bench bench) throws IOException, InterruptedException {
    Options options = bench.options();
    if (options.page().isPresent()) {
      // Before an hour is spent: a page without markers cannot take the figures.
      Page.replace(Files.readString(options.page().get()), "");
    }
    Map<String, Object> all = stored(options);
    List<Report> measured = new ArrayList<>();
    for (Part part : PARTS) {
      if (options.parts().contains(part.name())) {
        Report report = measure(part, bench);
        measured.add(report);
        all.put(report.name(), report.toJson());
        write(options, all);
      }
    }
    String text = Page.markdown(measured);
    System.out.write(text.getBytes(StandardCharsets.UTF_8));
    System.out.flush();
  }

  private static Report measure(Part part, Bench bench) throws IOException, InterruptedException {
    String loadBefore = Machine.load();
    long begin = System.nanoTime();
    bench.say("measuring " + part.name());
    Report report = part.run(bench);
    List<String> conditions = new ArrayList<>(bench.caveats());
    conditions.addAll(report.conditions());
    conditions.add(Machine.describe(bench.root(), loadBefore));
    bench.say(part.name() + " took " + (System.nanoTime() - begin) / 1_000_000_000 + " s");
    return new Report(
        report.name(),
        report.title(),
        conditions,
        report.targets(),
        report.tables(),
        report.data());
  }

  @SuppressWarnings("unchecked") // Json.read makes no other maps.
  private static Map<String, Object> stored(Options options) throws IOException {
    if (options.json().isEmpty() || !Files.exists(options.json().get())) {
      return new LinkedHashMap<>();
    }
    return (Map<String, Object>) Json.read(Files.readString(options.json().get()));
  }

  @SuppressWarnings("unchecked") // Json.read makes no other maps.
  private static void write(Options options, Map<String, Object> all) throws IOException {
    Map<String, Object> inOrder = new LinkedHashMap<>();
    List<Report> reports = new ArrayList<>();
    for (Part part : PARTS) {
      Map<String, Object> json = (Map<String, Object>) all.get(part.name());
      if (json != null) {
        inOrder.put(part.name(), json);
        // As it will be read, so that numbers have the form of the file.
        Object read = Json.read(Json.write(json));
        reports.add(Report.fromJson(part.name(), (Map<String, Object>) read));
      }
    }
    if (options.json().isPresent()) {
      Files.writeString(options.json().get(), Json.write(inOrder));
    }
    if (options.page().isPresent()) {
      Path page = options.page().get();
      Files.writeString(page, Page.replace(Files.readString(page), Page.markdown(reports)));
    }
  }
}
