package io.tidemark.tools;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a command in this process. */
final class Cli {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What a command said. */
  record Result(int status, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }

    /** Output of {@code --json}: every line an object. */
    List<JsonNode> json() {
      List<JsonNode> nodes = new ArrayList<>();
      for (String line : lines()) {
        try {
          nodes.add(JSON.readTree(line));
        } catch (JsonProcessingException e) {
          throw new AssertionError("not JSON: " + line, e);
        }
      }
      return nodes;
    }
  }

  private Cli() {}

  static Result run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int status = Main.run(new PrintWriter(out, true), new PrintWriter(err, true), arguments);
    return new Result(status, out.toString(), err.toString());
  }

  /** {@code log COMMAND … --data_dir DIR}. */
  static Result log(Path directory, String command, String... more) {
    List<String> arguments = new ArrayList<>(List.of("log", command));
    arguments.addAll(List.of(more));
    arguments.addAll(List.of("--data_dir", directory.toString()));
    return run(arguments.toArray(new String[0]));
  }
}
