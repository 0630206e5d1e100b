package io.tidemark.server.config;

import io.tidemark.server.config.ConfigFile.Form;
import io.tidemark.server.config.FlagValues.Source;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Combines command line, settings file and defaults. */
public final class ConfigLoader {

  /** Mooncake's name of {@code client_ttl} in files. */
  private static final String FILE_CLIENT_TTL = "client_live_ttl_sec";

  private static final String CLIENT_TTL = "client_ttl";
  private static final String ACTIVE_TTL = "client_active_ttl_sec";

  private final FlagTable table = FlagTable.load();
  private final List<String> warnings = new ArrayList<>();

  /**
   * Reads and checks everything.
   *
   * @throws ConfigException if the settings are unknown, malformed or contradict each other
   */
  public LoadedConfig load(List<String> arguments) {
    Map<String, String> given = new CommandLineFlags(table).parse(arguments);
    FlagValues values = new FlagValues(table);
    String configPath = given.getOrDefault("config_path", "");
    if (!configPath.isEmpty()) {
      applyFile(Path.of(configPath), values);
    }
    given.forEach(
        (name, raw) -> values.set(table.find(name).orElseThrow(), raw, Source.COMMAND_LINE));
    resolveClientTtl(values);
    warnAboutFlagsWithoutEffect(values);
    ServerConfig config = new ConfigBuilder(values, warnings).build();
    return new LoadedConfig(config, values, List.copyOf(warnings));
  }

  private void applyFile(Path path, FlagValues values) {
    Map<String, ConfigFile.Value> file = ConfigFile.read(path);
    ConfigFile.Value clientTtl = file.get(CLIENT_TTL);
    ConfigFile.Value fileClientTtl = file.get(FILE_CLIENT_TTL);
    if (clientTtl != null
        && fileClientTtl != null
        && !clientTtl.text().equals(fileClientTtl.text())) {
      throw new ConfigException(
          path
              + " sets both client_ttl and client_live_ttl_sec, to different values; keep one of them");
    }
    file.forEach((name, value) -> applyFileValue(path, name, value, values));
  }

  private void applyFileValue(Path path, String name, ConfigFile.Value value, FlagValues values) {
    Optional<FlagSpec> known = table.find(name.equals(FILE_CLIENT_TTL) ? CLIENT_TTL : name);
    if (known.isEmpty()) {
      String hint = table.nearest(name).map(near -> "; did you mean " + near + "?").orElse("");
      warnings.add("setting '" + name + "' of " + path + " is unknown and was ignored" + hint);
      return;
    }
    FlagSpec flag = known.get();
    if (!fits(flag.type(), value.form())) {
      throw new ConfigException(
          "setting '"
              + name
              + "' of "
              + path
              + " can't be '"
              + value.text()
              + "' ("
              + (value.form() == Form.NUMBER ? "a number" : "a text")
              + "): it takes "
              + flag.type().legal());
    }
    values.set(flag, value.text(), Source.FILE);
  }

  private static boolean fits(FlagType type, Form form) {
    if (type == FlagType.BOOL) {
      return form == Form.BOOL || form == Form.YAML_TEXT;
    }
    return !type.isNumeric() || form != Form.JSON_TEXT;
  }

  /**
   * Lets the older name stand for the newer one, the stronger source first, and gives an omitted
   * suspicion TTL the value of an explicitly given active TTL, as v0.3.14 does.
   */
  private void resolveClientTtl(FlagValues values) {
    FlagSpec active = table.find(ACTIVE_TTL).orElseThrow();
    Source newer = values.source(ACTIVE_TTL);
    Source older = values.source(CLIENT_TTL);
    boolean differ = !values.text(ACTIVE_TTL).equals(values.text(CLIENT_TTL));
    if (newer == older && newer != Source.DEFAULT && differ) {
      throw new ConfigException(
          "client_ttl is the older name of client_active_ttl_sec; they are set to different values ("
              + values.text(CLIENT_TTL)
              + " and "
              + values.text(ACTIVE_TTL)
              + "); keep one of them");
    }
    if (older.compareTo(newer) > 0) {
      values.set(active, values.text(CLIENT_TTL), older);
    }
    if (values.isGiven(ACTIVE_TTL) && !values.isGiven("client_suspicion_ttl_sec")) {
      FlagSpec suspicion = table.find("client_suspicion_ttl_sec").orElseThrow();
      values.set(suspicion, values.text(ACTIVE_TTL), Source.DEFAULT);
    }
  }

  /**
   * A flag on the command line always deserves the warning; a file that lists defaults does not.
   */
  private void warnAboutFlagsWithoutEffect(FlagValues values) {
    for (FlagSpec flag : table.all()) {
      boolean worthSaying =
          values.source(flag.name()) == Source.COMMAND_LINE
              || (values.source(flag.name()) == Source.FILE && values.differsFromDefault(flag));
      if (flag.hasNoEffect() && worthSaying) {
        warnings.add(flag.name() + " has no effect in this version: " + flag.meaning());
      }
    }
  }
}
