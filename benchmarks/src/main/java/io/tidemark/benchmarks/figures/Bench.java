package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** What the parts share: where to work, what was asked for, how to start masters. */
record Bench(Options options, Path root, Path work) {

  /** Tidemark with its defaults and what the command line adds. */
  MasterProcess tidemark(String label, String javaOptions, String... flags)
      throws IOException, InterruptedException {
    return MasterProcess.start(tidemarkPlan(label, javaOptions, flags));
  }

  MasterProcess.Plan tidemarkPlan(String label, String javaOptions, String... flags) {
    List<String> all = new ArrayList<>(List.of(flags));
    all.addAll(options.flags());
    return new MasterProcess.Plan(MasterProcess.TIDEMARK, all, javaOptions, root, work, label);
  }

  /** Mooncake's master of a release, with its defaults: memory only. */
  MasterProcess mooncake(String release) throws IOException, InterruptedException {
    return MasterProcess.start(mooncakePlan(release, release, List.of()));
  }

  MasterProcess.Plan mooncakePlan(String release, String label, List<String> flags) {
    return new MasterProcess.Plan(release, flags, "", root, work, label);
  }

  /** Rounds to measure: what was asked for, or the part's own number. */
  int rounds(int normal) {
    return options.rounds().orElse(options.quick() ? 1 : normal);
  }

  /** A time, shortened for a quick run. */
  Duration time(int millis) {
    return Duration.ofMillis(options.quick() ? Math.max(300, millis / 3) : millis);
  }

  /** A number of objects, a tenth of it in a quick run. */
  long objects(long normal) {
    return options.quick() ? normal / 10 : normal;
  }

  void say(String message) {
    System.err.printf("%tT %s%n", System.currentTimeMillis(), message);
  }

  /** Removes a master's data. */
  void dropData(String label) throws IOException {
    drop(work.resolve("data-" + label));
  }

  /** Removes the logs of the masters too. */
  void dropAll() throws IOException {
    drop(work);
  }

  private static void drop(Path folder) throws IOException {
    if (Files.exists(folder)) {
      try (Stream<Path> files = Files.walk(folder)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  /** How this run differs from a full one; empty if it does not. */
  List<String> caveats() {
    return options.quick()
        ? List.of("Quick run, to see that it works: a tenth of the objects, short measurements.")
        : List.of();
  }
}
