package io.tidemark.server.config;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads a settings file into flat names: nested maps become dotted names. */
final class ConfigFile {

  /** How a value was written, as far as its type matters. */
  enum Form {
    BOOL,
    NUMBER,
    /** A JSON string: never a number or boolean. */
    JSON_TEXT,
    /** Other YAML scalars: whatever the setting wants them to be. */
    YAML_TEXT
  }

  /** One value of the file. */
  record Value(String text, Form form) {}

  private final Path path;
  private final Map<String, Value> values = new LinkedHashMap<>();

  private ConfigFile(Path path) {
    this.path = path;
  }

  /**
   * Values of a file.
   *
   * @throws ConfigException if it can't be read, is neither YAML nor JSON by its name, or does not
   *     hold one map of simple values
   */
  static Map<String, Value> read(Path path) {
    ConfigFile file = new ConfigFile(path);
    String name = path.toString().toLowerCase(Locale.ROOT);
    if (name.endsWith(".yaml") || name.endsWith(".yml")) {
      file.readYaml(file.content());
    } else if (name.endsWith(".json")) {
      file.readJson(file.content());
    } else {
      throw file.bad("its name must end in .yaml, .yml or .json");
    }
    return file.values;
  }

  private String content() {
    try {
      return Files.readString(path);
    } catch (IOException e) {
      throw bad("it can't be read (" + e + ")");
    }
  }

  private void readYaml(String content) {
    try {
      Node root = new Yaml(new LoaderOptions()).compose(new StringReader(content));
      if (!(root instanceof MappingNode map)) {
        throw bad("it must hold a map of settings, and at least one");
      }
      flattenYaml("", map);
    } catch (YAMLException e) {
      throw bad("it is not valid YAML: " + oneLine(e.getMessage()));
    }
  }

  private void flattenYaml(String prefix, MappingNode map) {
    for (NodeTuple entry : map.getValue()) {
      if (!(entry.getKeyNode() instanceof ScalarNode key)) {
        throw bad("a setting's name must be plain text");
      }
      String name = prefix + key.getValue();
      if (entry.getValueNode() instanceof MappingNode nested) {
        flattenYaml(name + ".", nested);
      } else if (entry.getValueNode() instanceof ScalarNode scalar) {
        putUnlessNull(name, scalar);
      } else {
        throw bad("'" + name + "' is a list; a setting has one value");
      }
    }
  }

  private void putUnlessNull(String name, ScalarNode scalar) {
    if (!scalar.getTag().getValue().equals("tag:yaml.org,2002:null")) {
      values.put(name, new Value(scalar.getValue(), yamlForm(scalar)));
    }
  }

  private static Form yamlForm(ScalarNode scalar) {
    return switch (scalar.getTag().getValue()) {
      case "tag:yaml.org,2002:bool" -> Form.BOOL;
      case "tag:yaml.org,2002:int", "tag:yaml.org,2002:float" -> Form.NUMBER;
      default -> Form.YAML_TEXT;
    };
  }

  private void readJson(String content) {
    JsonMapper mapper =
        JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    JsonNode root;
    try {
      root = mapper.readTree(content);
    } catch (JsonProcessingException e) {
      throw bad("it is not valid JSON: " + oneLine(e.getOriginalMessage()));
    }
    if (root == null || !root.isObject()) {
      throw bad("it must hold a JSON object of settings");
    }
    flattenJson("", root);
  }

  private void flattenJson(String prefix, JsonNode object) {
    object
        .fields()
        .forEachRemaining(
            field -> {
              String name = prefix + field.getKey();
              JsonNode value = field.getValue();
              if (value.isObject()) {
                flattenJson(name + ".", value);
              } else {
                values.put(name, jsonValue(name, value));
              }
            });
  }

  private Value jsonValue(String name, JsonNode value) {
    if (value.isBoolean()) {
      return new Value(value.asText(), Form.BOOL);
    }
    if (value.isNumber()) {
      return new Value(value.asText(), Form.NUMBER);
    }
    if (value.isTextual()) {
      return new Value(value.asText(), Form.JSON_TEXT);
    }
    throw bad("'" + name + "' must be one text, number or boolean");
  }

  private ConfigException bad(String why) {
    return new ConfigException("settings file " + path + " can't be used: " + why);
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
