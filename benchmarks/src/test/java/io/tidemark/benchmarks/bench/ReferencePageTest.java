package io.tidemark.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The reference page of the command is made from its options, and prose of this test. A stale page
 * fails here; {@code mvn -o -pl benchmarks -am test -Dtest=ReferencePageTest
 * -Dtidemark.regenerate=true -Dsurefire.failIfNoSpecifiedTests=false} writes it anew.
 */
class ReferencePageTest {
  private static final Path PAGE =
      Path.of(System.getProperty("tidemark.root", ".."), "docs", "reference", "bench-command.md")
          .normalize();

  @Test
  void thePageHasTheOptionsAndExitCodesOfTheCommand() throws IOException {
    String expected = page(Main.commandLine(() -> false).getCommandSpec());
    if (Boolean.getBoolean("tidemark.regenerate")) {
      Files.writeString(PAGE, expected);
    }
    assertThat(PAGE)
        .as("stale: run this test with -Dtidemark.regenerate=true")
        .hasContent(expected);
  }

  private static String page(CommandSpec command) throws IOException {
    StringBuilder options = new StringBuilder("| option | meaning |\n|---|---|");
    for (OptionSpec option : command.options()) {
      String names = String.join("`, `", option.names());
      String value = option.arity().max() == 0 ? "" : " " + option.paramLabel();
      String meaning = String.join(" ", option.description());
      options.append("\n| `%s%s` | %s |".formatted(names, value, meaning));
    }
    StringBuilder codes = new StringBuilder("| code | meaning |\n|---|---|");
    for (Map.Entry<String, String> code : command.usageMessage().exitCodeList().entrySet()) {
      codes.append("\n| %s | %s |".formatted(code.getKey().strip(), code.getValue()));
    }
    return prose().replace("@OPTIONS@", options).replace("@EXIT_CODES@", codes);
  }

  private static String prose() throws IOException {
    try (InputStream in = ReferencePageTest.class.getResourceAsStream("bench-command.md")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
