package io.tidemark.server.config;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** All flags of the master, in the order in which people should read them. Immutable. */
public final class FlagTable {

  private static final String RESOURCE = "flags.tsv";
  private static final int COLUMNS = 7;

  private final Map<String, FlagSpec> byName;

  private FlagTable(Map<String, FlagSpec> byName) {
    this.byName = Collections.unmodifiableMap(byName);
  }

  /** Reads the table that is part of this program. */
  public static FlagTable load() {
    Map<String, FlagSpec> flags = new LinkedHashMap<>();
    try (InputStream in = FlagTable.class.getResourceAsStream(RESOURCE);
        BufferedReader lines =
            new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("#")) {
          FlagSpec flag = parse(line);
          flags.put(flag.name(), flag);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the flag table of this program can't be read", e);
    }
    return new FlagTable(flags);
  }

  private static FlagSpec parse(String line) {
    String[] cells = line.split("\t", -1);
    if (cells.length != COLUMNS) {
      throw new IllegalStateException("flags.tsv: " + COLUMNS + " columns expected: " + line);
    }
    FlagType type = FlagType.valueOf(cells[1].toUpperCase(Locale.ROOT));
    FlagStatus status = FlagStatus.valueOf(cells[4].toUpperCase(Locale.ROOT));
    return new FlagSpec(cells[0], type, cells[2], cells[3], status, cells[5], cells[6]);
  }

  /** All flags in the order of the table; flags of one group stand together. */
  public List<FlagSpec> all() {
    return List.copyOf(byName.values());
  }

  /** The flag of a name. */
  public Optional<FlagSpec> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /** Groups in order, each with its flags. */
  public Map<String, List<FlagSpec>> groups() {
    Map<String, List<FlagSpec>> groups = new LinkedHashMap<>();
    byName
        .values()
        .forEach(flag -> groups.computeIfAbsent(flag.group(), g -> new ArrayList<>()).add(flag));
    return groups;
  }

  /** The known name that a mistyped one most likely meant; empty if none is near. */
  public Optional<String> nearest(String name) {
    String wanted = name.toLowerCase(Locale.ROOT).replace('-', '_');
    String best = null;
    int bestDistance = Math.max(2, wanted.length() / 3) + 1;
    for (String known : byName.keySet()) {
      int distance = distance(wanted, known);
      if (distance < bestDistance) {
        best = known;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Number of single-character edits between two names. */
  private static int distance(String a, String b) {
    int[] previous = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      previous[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int[] row = new int[b.length() + 1];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replace = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        row[j] = Math.min(replace, Math.min(row[j - 1], previous[j]) + 1);
      }
      previous = row;
    }
    return previous[b.length()];
  }
}
