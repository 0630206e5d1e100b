package io.tidemark.server.metrics;

import io.tidemark.server.metrics.MetricSpec.Type;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** All metric families of the page in its order. Immutable. */
public final class MetricTable {

  private static final String RESOURCE = "metrics.tsv";

  private final List<MetricSpec> families;

  private MetricTable(List<MetricSpec> families) {
    this.families = List.copyOf(families);
  }

  /** Reads the table that is part of this program. */
  public static MetricTable load() {
    List<MetricSpec> families = new ArrayList<>();
    try (InputStream in = MetricTable.class.getResourceAsStream(RESOURCE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("#")) {
          families.add(parse(line));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the metric table of this program can't be read", e);
    }
    return new MetricTable(families);
  }

  private static MetricSpec parse(String line) {
    String[] cells = line.split("\t", -1);
    Type type = Type.valueOf(cells[1].toUpperCase(Locale.ROOT));
    String extra = cells[2];
    if (type == Type.HISTOGRAM) {
      List<Long> bounds = Stream.of(extra.split(",")).map(Long::valueOf).toList();
      return new MetricSpec(cells[0], type, List.of(), List.of(), bounds, cells[3]);
    }
    int equals = extra.indexOf('=');
    String names = equals < 0 ? extra : extra.substring(0, equals);
    List<String> labels = names.isEmpty() ? List.of() : List.of(names.split(","));
    List<String> fixed = equals < 0 ? List.of() : List.of(extra.substring(equals + 1).split("\\|"));
    return new MetricSpec(cells[0], type, labels, fixed, List.of(), cells[3]);
  }

  /** The families in the order of the page. */
  public List<MetricSpec> families() {
    return families;
  }
}
