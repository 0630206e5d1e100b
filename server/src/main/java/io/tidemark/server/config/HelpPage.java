package io.tidemark.server.config;

import java.util.List;
import java.util.Map;

/**
 * The text of {@code --help}: flags that work, by group; then the names of those that are accepted
 * only.
 */
public final class HelpPage {

  private static final int WIDTH = 100;
  private static final String INDENT = "      ";

  private HelpPage() {}

  /** The whole text. */
  public static String text(FlagTable table) {
    StringBuilder page = new StringBuilder();
    page.append("Usage: tidemark master [--flag=value …]\n\n");
    wrap(
        page,
        "",
        "Runs a metadata master that Mooncake clients connect to. Flags have Mooncake's names where one of the same"
            + " meaning exists. --flag=value, --flag value and -flag=value are the same; booleans also take --flag and"
            + " --noflag. A flag wins over the file that --config_path names.");
    for (Map.Entry<String, List<FlagSpec>> group : table.groups().entrySet()) {
      List<FlagSpec> working =
          group.getValue().stream().filter(flag -> !flag.hasNoEffect()).toList();
      if (!working.isEmpty()) {
        page.append('\n').append(group.getKey()).append('\n');
        working.forEach(flag -> describe(page, flag));
      }
    }
    page.append(
        "\nAccepted without effect in this version (a warning says why; docs/reference/flags.md has all)\n");
    List<String> idle =
        table.all().stream().filter(FlagSpec::hasNoEffect).map(FlagSpec::name).toList();
    wrap(page, INDENT, String.join(" ", idle));
    return page.toString();
  }

  private static void describe(StringBuilder page, FlagSpec flag) {
    page.append("  --").append(flag.name());
    if (flag.type() != FlagType.BOOL || flag.defaultValue().equals("true")) {
      page.append('=').append(flag.defaultValue());
    }
    page.append('\n');
    wrap(page, INDENT, flag.meaning());
  }

  private static void wrap(StringBuilder page, String indent, String text) {
    int column = 0;
    for (String word : text.split(" ")) {
      if (column > 0 && column + 1 + word.length() > WIDTH) {
        page.append('\n');
        column = 0;
      }
      page.append(column == 0 ? indent : " ").append(word);
      column += (column == 0 ? indent.length() : 1) + word.length();
    }
    page.append('\n');
  }
}
