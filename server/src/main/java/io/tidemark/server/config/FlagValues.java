package io.tidemark.server.config;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The value of every flag and where it came from. Built once at start, read-only afterwards. */
public final class FlagValues {

  /** Where a value came from. */
  public enum Source {
    DEFAULT,
    FILE,
    COMMAND_LINE
  }

  private record Setting(String value, Source source) {}

  private final Map<String, Setting> settings = new LinkedHashMap<>();
  private final FlagTable table;

  FlagValues(FlagTable table) {
    this.table = table;
    for (FlagSpec flag : table.all()) {
      set(flag, flag.defaultValue(), Source.DEFAULT);
    }
  }

  /** Takes a value, checked against the flag's type. */
  void set(FlagSpec flag, String raw, Source source) {
    String value =
        flag.type()
            .canonical(raw)
            .orElseThrow(
                () ->
                    new ConfigException(
                        flag.name() + " can't be '" + raw + "': it takes " + flag.type().legal()));
    settings.put(flag.name(), new Setting(value, source));
  }

  /** Where the value of a flag came from. */
  public Source source(String name) {
    return setting(name).source();
  }

  /** Whether somebody set the flag. */
  boolean isGiven(String name) {
    return source(name) != Source.DEFAULT;
  }

  /** Whether the value differs from the table's default. */
  boolean differsFromDefault(FlagSpec flag) {
    return !flag.type().canonical(flag.defaultValue()).orElseThrow().equals(text(flag.name()));
  }

  /** Value as text; durations in milliseconds. */
  public String text(String name) {
    return setting(name).value();
  }

  boolean bool(String name) {
    return Boolean.parseBoolean(text(name));
  }

  /** A whole number; u64 values keep their bit pattern. */
  long number(String name) {
    String value = text(name);
    return value.startsWith("-") ? Long.parseLong(value) : Long.parseUnsignedLong(value);
  }

  double decimal(String name) {
    return Double.parseDouble(text(name));
  }

  /**
   * A whole number within bounds.
   *
   * @throws ConfigException naming the flag and the bounds
   */
  long numberWithin(String name, long least, long greatest) {
    long value = number(name);
    if (value < least || value > greatest) {
      throw new ConfigException(
          name + " must be between " + least + " and " + greatest + ", got " + text(name));
    }
    return value;
  }

  /** Seconds as milliseconds; a century at most. */
  long secondsAsMs(String name, long leastSec) {
    return numberWithin(name, leastSec, 3_153_600_000L) * 1_000;
  }

  /** All flags of the table. */
  public List<FlagSpec> flags() {
    return table.all();
  }

  private Setting setting(String name) {
    Setting setting = settings.get(name);
    if (setting == null) {
      throw new IllegalArgumentException("no such flag: " + name);
    }
    return setting;
  }
}
