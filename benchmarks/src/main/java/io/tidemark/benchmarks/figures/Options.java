package io.tidemark.benchmarks.figures;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to measure.
 *
 * @param rounds instead of each part's own number
 * @param quick as short as it can be: does it work at all
 * @param flags further ones for Tidemark
 * @param page whose block of figures is replaced
 * @param json the file of figures; a part that is not measured keeps what is there
 */
record Options(
    List<String> parts,
    Optional<Integer> rounds,
    boolean quick,
    List<String> flags,
    Optional<Path> page,
    Optional<Path> json) {

  static final String USAGE =
      """
      Usage: scripts/figures [OPTIONS]
        --parts=P,P,...    side-by-side, standby, join, memory, scale,
                           disturbance, restart (all)
        --rounds=N         rounds of each part instead of its own number
        --quick            one short round with fewer objects: does it work at all;
                           writes no file unless told to
        --flags="F F ..."  further flags for Tidemark
        --page=FILE        page whose figures are replaced (docs/performance.md), or none
        --json=FILE        file of figures; other parts in it stay (docs/performance.json), or none
      """;

  /**
   * Reads a command line.
   *
   * @param known names of the parts
   * @throws IllegalArgumentException naming what is wrong
   */
  static Options of(List<String> arguments, List<String> known, Path root) {
    List<String> parts = known;
    Optional<Integer> rounds = Optional.empty();
    boolean quick = arguments.contains("--quick");
    List<String> flags = List.of();
    Optional<Path> page = quick ? Optional.empty() : file("docs/performance.md", root);
    Optional<Path> json = quick ? Optional.empty() : file("docs/performance.json", root);
    for (String argument : arguments) {
      String value = argument.substring(argument.indexOf('=') + 1);
      switch (argument.split("=", 2)[0]) {
        case "--parts" -> parts = parts(value, known);
        case "--rounds" -> rounds = Optional.of(positive(value));
        case "--flags" -> flags = List.of(value.strip().split(" +"));
        case "--page" -> page = file(value, root);
        case "--json" -> json = file(value, root);
        case "--quick" -> quick = true;
        default -> throw new IllegalArgumentException("unknown option " + argument);
      }
    }
    return new Options(parts, rounds, quick, flags, page, json);
  }

  private static List<String> parts(String value, List<String> known) {
    List<String> asked = List.of(value.split(",", -1));
    for (String part : asked) {
      if (!known.contains(part)) {
        throw new IllegalArgumentException("unknown part " + part);
      }
    }
    List<String> inOrder = new ArrayList<>(known);
    inOrder.retainAll(asked);
    return inOrder;
  }

  private static int positive(String value) {
    if (!value.matches("[1-9][0-9]{0,2}")) {
      throw new IllegalArgumentException("not a number of rounds from 1 to 999: " + value);
    }
    return Integer.parseInt(value);
  }

  private static Optional<Path> file(String value, Path root) {
    return value.equals("none") ? Optional.empty() : Optional.of(root.resolve(value));
  }
}
