package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.server.config.FlagSpec;
import io.tidemark.server.config.FlagTable;
import io.tidemark.server.metrics.MetricSpec;
import io.tidemark.server.metrics.MetricTable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The reference pages are made from the tables of the program. A stale page fails here; {@code mvn
 * -pl server test -Dtest=ReferencePagesTest -Dtidemark.regenerate=true} writes them anew.
 */
class ReferencePagesTest {

  private static final Path REFERENCE =
      Path.of(System.getProperty("tidemark.root", ".."), "docs", "reference").normalize();

  private static final String MADE_FROM =
      "<!-- Made by ReferencePagesTest (server) from %s: change that and regenerate, see the test. -->\n\n";

  @Test
  void flagsPage() throws IOException {
    check("flags.md", flags(FlagTable.load()));
  }

  @Test
  void metricsPage() throws IOException {
    check("metrics.md", metrics(MetricTable.load()));
  }

  private static void check(String name, String expected) throws IOException {
    Path page = REFERENCE.resolve(name);
    if (Boolean.getBoolean("tidemark.regenerate")) {
      Files.createDirectories(REFERENCE);
      Files.writeString(page, expected);
    }
    assertThat(page)
        .as("stale: run this test with -Dtidemark.regenerate=true")
        .hasContent(expected);
  }

  private static String flags(FlagTable table) {
    StringBuilder page = new StringBuilder(MADE_FROM.formatted("flags.tsv"));
    page.append("# Flags of `tidemark master`\n\n");
    page.append(
        """
        For whoever sets up or moves a master. Every flag of `mooncake_master` v0.3.10.post2 to v0.3.14 is accepted, so
        that a deployment changes the image and little else; the column "in this version" says what it does here.

        - `--flag=value`, `--flag value` and `-flag=value` are the same; booleans also take `--flag` and `--noflag`.
          Of a repeated flag the last one counts. An unknown flag ends the start with status 1.
        - `--config_path` names a `.yaml`, `.yml` or `.json` file with the same names; a flag on the command line wins
          over it, also with its default value. Unknown names in the file warn. `client_live_ttl_sec` in a file means
          `client_ttl`.
        - Durations are whole numbers with `ms`, `s`, `m` or `h`, in either case; a bare number is milliseconds.
        - 0 for a port or a number of threads means the default.

        """);
    for (Map.Entry<String, List<FlagSpec>> group : table.groups().entrySet()) {
      page.append("## ").append(group.getKey()).append("\n\n");
      page.append(
          "| flag | type | default | from | in this version | meaning |\n|---|---|---|---|---|---|\n");
      for (FlagSpec flag : group.getValue()) {
        String shown = flag.defaultValue().isEmpty() ? "" : "`" + flag.defaultValue() + "`";
        page.append(
            "| `%s` | %s | %s | %s | %s | %s |%n"
                .formatted(
                    flag.name(),
                    flag.type().name().toLowerCase(Locale.ROOT),
                    shown,
                    flag.origin(),
                    flag.status().words(),
                    flag.meaning()));
      }
      page.append('\n');
    }
    return page.toString();
  }

  private static String metrics(MetricTable table) {
    StringBuilder page = new StringBuilder(MADE_FROM.formatted("metrics.tsv"));
    page.append("# Metrics\n\n");
    page.append(
        """
        For whoever builds dashboards and alerts. `GET /metrics` on the admin port, Prometheus text 0.0.4. Names without
        the prefix `tidemark_` are Mooncake's, so its dashboard works unchanged; every name is there from the first
        scrape. A name of a part that this version does not serve stays 0, or has no series if it is labelled.

        | metric | type | labels | meaning |
        |---|---|---|---|
        """);
    for (MetricSpec family : table.families()) {
      page.append(
          "| `%s` | %s | %s | %s |%n"
              .formatted(
                  family.name(),
                  family.type().name().toLowerCase(Locale.ROOT),
                  String.join(", ", family.labels()),
                  family.meaning()));
    }
    return page.toString();
  }
}
