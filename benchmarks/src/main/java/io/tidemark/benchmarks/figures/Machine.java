package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Where and when something was measured. */
final class Machine {
  private static final Path LOAD = Path.of("/proc/loadavg");
  private static final Path MEMORY = Path.of("/proc/meminfo");

  private Machine() {}

  /** Load averages of 1, 5 and 15 minutes. */
  static String load() throws IOException {
    String[] fields = Files.readString(LOAD).split(" ", -1);
    return fields[0] + " " + fields[1] + " " + fields[2];
  }

  /**
   * One sentence for the conditions of a part.
   *
   * @param loadBefore what {@link #load} was before the part began
   */
  static String describe(Path root, String loadBefore) throws IOException {
    String kib = Files.readString(MEMORY).split("\\s+", 3)[1];
    String version = Files.readString(root.resolve("dist/VERSION")).strip();
    return String.format(
        Locale.ROOT,
        "%s; %d CPUs shared with the generator, %.0f GiB of memory, Linux %s, JDK %s; %s; load"
            + " average before %s, after %s.",
        Instant.now().truncatedTo(ChronoUnit.MINUTES),
        Runtime.getRuntime().availableProcessors(),
        Double.parseDouble(kib) / (1 << 20),
        System.getProperty("os.version"),
        System.getProperty("java.version"),
        version,
        loadBefore,
        load());
  }
}
