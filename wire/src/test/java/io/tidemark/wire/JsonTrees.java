package io.tidemark.wire;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.WireText;
import io.tidemark.wire.DynamicCodec.Alternative;
import io.tidemark.wire.DynamicCodec.Outcome;
import io.tidemark.wire.schema.WireType;
import io.tidemark.wire.schema.WireType.Expected;
import io.tidemark.wire.schema.WireType.Field;
import io.tidemark.wire.schema.WireType.Image;
import io.tidemark.wire.schema.WireType.MapOf;
import io.tidemark.wire.schema.WireType.Opt;
import io.tidemark.wire.schema.WireType.Scalar;
import io.tidemark.wire.schema.WireType.Struct;
import io.tidemark.wire.schema.WireType.Text;
import io.tidemark.wire.schema.WireType.Variant;
import io.tidemark.wire.schema.WireType.Vec;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns the "value" member of a vector into the tree that the dynamic codec must yield. */
final class JsonTrees {

  private JsonTrees() {}

  static Object tree(WireType type, JsonNode json) {
    if (type instanceof Scalar scalar) {
      return scalar == Scalar.BOOL ? (Object) json.asBoolean() : json.bigIntegerValue().longValue();
    } else if (type instanceof Text) {
      return text(json);
    } else if (type instanceof Vec vec) {
      List<Object> elements = new ArrayList<>();
      json.forEach(element -> elements.add(tree(vec.element(), element)));
      return elements;
    } else if (type instanceof MapOf map) {
      List<Object> entries = new ArrayList<>();
      json.forEach(
          e -> entries.add(List.of(tree(map.key(), e.get(0)), tree(map.value(), e.get(1)))));
      return entries;
    } else if (type instanceof Opt opt) {
      return json.isNull() ? null : tree(opt.value(), json);
    } else if (type instanceof Variant variant) {
      int index = json.path("$index").asInt();
      Field alternative = variant.alternatives().get(index);
      if (!alternative.name().equals(json.path("$type").asText())) {
        throw new AssertionError("alternative " + index + " is " + alternative.name());
      }
      return new Alternative(index, tree(alternative.type(), json.path("value")));
    } else if (type instanceof Expected expected) {
      return outcome(expected, json);
    } else if (type instanceof Image image) {
      return members(image.fields(), json);
    }
    return members(((Struct) type).fields(), json);
  }

  private static Outcome outcome(Expected expected, JsonNode json) {
    if (json.has("err")) {
      return Outcome.error(json.path("err").asInt());
    }
    JsonNode value = json.get("ok");
    return Outcome.ok(expected.value().isEmpty() ? null : tree(expected.value().get(), value));
  }

  private static Map<String, Object> members(List<Field> fields, JsonNode json) {
    if (json.size() != fields.size()) {
      throw new AssertionError("members " + fields + " against " + json);
    }
    Map<String, Object> members = new LinkedHashMap<>();
    for (Field field : fields) {
      JsonNode member = json.get(field.name());
      if (member == null) {
        throw new AssertionError("no member " + field.name() + " in " + json);
      }
      members.put(field.name(), tree(field.type(), member));
    }
    return members;
  }

  private static String text(JsonNode json) {
    if (json.has("$repeat")) {
      return json.path("$repeat").asText().repeat(json.path("$count").asInt());
    }
    return WireText.encode(json.asText());
  }
}
