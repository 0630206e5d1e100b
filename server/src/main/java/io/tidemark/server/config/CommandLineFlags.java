package io.tidemark.server.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Reads a command line as Google's flags library does: {@code --flag=value}, {@code --flag value},
 * {@code -flag=value}, {@code --flag} and {@code --noflag} for booleans; of a repeated flag the
 * last one counts.
 */
final class CommandLineFlags {

  private final FlagTable table;

  CommandLineFlags(FlagTable table) {
    this.table = table;
  }

  /**
   * Raw values of the flags that were given.
   *
   * @throws ConfigException for an unknown flag, a missing value, or an argument that is no flag
   */
  Map<String, String> parse(List<String> arguments) {
    CommandLine commandLine = new CommandLine(spec());
    commandLine.setOverwrittenOptionsAllowed(true);
    commandLine.setExpandAtFiles(false);
    ParseResult result;
    try {
      result =
          commandLine.parseArgs(arguments.stream().map(this::withTwoDashes).toArray(String[]::new));
    } catch (UnmatchedArgumentException e) {
      throw new ConfigException(unknown(e.getUnmatched().get(0)));
    } catch (ParameterException e) {
      throw new ConfigException(firstLine(e.getMessage()) + "; see --help");
    }
    Map<String, String> given = new LinkedHashMap<>();
    for (OptionSpec option : result.matchedOptions()) {
      given.put(option.longestName().substring(2), option.getValue());
    }
    return given;
  }

  private CommandSpec spec() {
    CommandSpec spec = CommandSpec.create().name("tidemark master");
    for (FlagSpec flag : table.all()) {
      OptionSpec.Builder option = OptionSpec.builder("--" + flag.name()).type(String.class);
      if (flag.type() == FlagType.BOOL) {
        option.arity("0..1").fallbackValue("true");
      } else {
        option.arity("1");
      }
      spec.addOption(option.build());
    }
    return spec;
  }

  private String withTwoDashes(String argument) {
    String body = argument.replaceFirst("^--?(?=[A-Za-z])", "");
    if (body.length() == argument.length()) {
      return argument;
    }
    if (body.startsWith("no") && table.find(body).isEmpty()) {
      String positive = body.substring(2);
      if (table.find(positive).filter(flag -> flag.type() == FlagType.BOOL).isPresent()) {
        return "--" + positive + "=false";
      }
    }
    return "--" + body;
  }

  private String unknown(String argument) {
    if (!argument.startsWith("-")) {
      return "unexpected argument '"
          + argument
          + "': settings are given as --flag=value; see --help";
    }
    String name = argument.replaceFirst("^-+", "").replaceFirst("=.*$", "");
    List<String> words = new ArrayList<>();
    words.add("unknown flag --" + name);
    table.nearest(name).ifPresent(near -> words.add("did you mean --" + near + "?"));
    words.add("--help lists all flags");
    return String.join("; ", words);
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse(text);
  }
}
