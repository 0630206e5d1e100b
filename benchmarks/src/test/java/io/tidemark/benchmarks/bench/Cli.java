package io.tidemark.benchmarks.bench;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;

/** Runs the command in this process. */
final class Cli {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What the command said. */
  record Result(int status, String out, String err) {
    /** Output of {@code --json}: every line an object. */
    List<JsonNode> json() {
      List<JsonNode> nodes = new ArrayList<>();
      for (String line : out.lines().toList()) {
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
    int status =
        Main.run(new PrintWriter(out, true), new PrintWriter(err, true), () -> false, arguments);
    return new Result(status, out.toString(), err.toString());
  }

  /** The command on an address, with short phases. */
  static Result bench(String target, String... more) {
    List<String> arguments =
        new ArrayList<>(List.of("--master", target, "--seconds", "0.2", "--warmup-seconds", "0"));
    arguments.addAll(List.of(more));
    return run(arguments.toArray(new String[0]));
  }
}
