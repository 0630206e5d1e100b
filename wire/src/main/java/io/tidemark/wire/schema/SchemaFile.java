package io.tidemark.wire.schema;

import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.WireType.Compatible;
import io.tidemark.wire.schema.WireType.Field;
import io.tidemark.wire.schema.WireType.Image;
import io.tidemark.wire.schema.WireType.Struct;
import io.tidemark.wire.schema.WireType.Variant;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Reads {@code mooncake.schema} for one release. A mistake in the file stops the program with the
 * line in the message: the file is part of the program.
 */
final class SchemaFile {

  private static final String RESOURCE = "mooncake.schema";
  private static final Map<String, Rpc> BY_METHOD =
      Arrays.stream(Rpc.values()).collect(Collectors.toMap(Rpc::methodName, Function.identity()));

  private final int release;
  private final Map<String, WireType> types = new HashMap<>();
  private final Map<Rpc, Signature> signatures = new EnumMap<>(Rpc.class);

  private String kind = "";
  private String name = "";
  private boolean known;
  private List<Field> members = new ArrayList<>();
  private List<Compatible> compatible = new ArrayList<>();
  private Optional<WireType> result = Optional.empty();

  private SchemaFile(int release) {
    this.release = release;
  }

  static Map<Rpc, Signature> signaturesOf(WireProfile profile) {
    SchemaFile file = new SchemaFile(profile.minor());
    for (String line : text().split("\n", -1)) {
      try {
        file.line(line);
      } catch (RuntimeException mistake) {
        throw new IllegalStateException(RESOURCE + ": cannot read line: " + line, mistake);
      }
    }
    file.finish();
    return Map.copyOf(file.signatures);
  }

  private static String text() {
    try (InputStream in = SchemaFile.class.getResourceAsStream(RESOURCE)) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read the resource " + RESOURCE, unreadable);
    }
  }

  private void line(String line) {
    if (line.isBlank() || line.startsWith("#")) {
      return;
    }
    String[] words = line.strip().split(" ");
    String last = words[words.length - 1];
    boolean ranged = last.startsWith("[");
    boolean here = !ranged || inRange(last.substring(1, last.length() - 1));
    if (!line.startsWith(" ")) {
      finish();
      kind = words[0];
      name = words[1];
      known = here;
    } else if (here) {
      member(words);
    }
  }

  private void member(String[] words) {
    switch (words[0]) {
      case "returns" -> result = Optional.of(type(words[1]));
      case "compatible" ->
          compatible.add(
              new Compatible(
                  words[2],
                  words[1].equals("unknown") ? Optional.empty() : Optional.of(type(words[1]))));
      default -> members.add(new Field(words[1], type(words[0])));
    }
  }

  /** Ends the entry that was being read. */
  private void finish() {
    List<Field> fields = List.copyOf(members);
    switch (kind) {
      case "" -> {}
      case "struct" -> types.put(name, new Struct(name, fields, List.copyOf(compatible)));
      case "image" -> types.put(name, new Image(name, fields));
      case "variant" -> types.put(name, new Variant(name, fields));
      case "call" -> {
        if (known) {
          signatures.put(rpc(), new Signature(fields, result.orElseThrow()));
        }
      }
      default -> throw new IllegalStateException(RESOURCE + ": unknown entry " + kind);
    }
    kind = "";
    members = new ArrayList<>();
    compatible = new ArrayList<>();
    result = Optional.empty();
  }

  private Rpc rpc() {
    return Optional.ofNullable(BY_METHOD.get(name)).orElseThrow();
  }

  private boolean inRange(String range) {
    if (range.endsWith("+")) {
      return release >= Integer.parseInt(range.substring(0, range.length() - 1));
    }
    String[] ends = range.split("-", -1);
    int first = Integer.parseInt(ends[0]);
    return release >= first && release <= Integer.parseInt(ends[ends.length - 1]);
  }

  private WireType type(String expression) {
    return new TypeExpression(expression, types).parse();
  }
}
