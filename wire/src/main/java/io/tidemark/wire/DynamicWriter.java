package io.tidemark.wire;

import io.tidemark.wire.DynamicCodec.Alternative;
import io.tidemark.wire.DynamicCodec.Outcome;
import io.tidemark.wire.schema.WireType;
import io.tidemark.wire.schema.WireType.Compatible;
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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes a tree as the payload of one message, see {@link DynamicCodec}. */
final class DynamicWriter {

  private final WireBuffer out;

  DynamicWriter(WireBuffer out) {
    this.out = out;
  }

  /** Values under the names of their fields. */
  static Map<String, Object> named(List<Field> fields, List<?> values) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (int i = 0; i < fields.size(); i++) {
      members.put(fields.get(i).name(), values.get(i));
    }
    return members;
  }

  void value(WireType type, Object tree) {
    if (type instanceof Scalar scalar) {
      scalar(scalar, tree);
    } else if (type instanceof Text) {
      out.putText((String) tree);
    } else if (type instanceof Vec vec) {
      List<?> elements = (List<?>) tree;
      out.putSize(elements.size());
      elements.forEach(element -> value(vec.element(), element));
    } else if (type instanceof Struct struct) {
      Map<?, ?> members = (Map<?, ?>) tree;
      struct.fields().forEach(field -> value(field.type(), members.get(field.name())));
    } else if (type instanceof Opt opt) {
      out.putBool(tree != null);
      if (tree != null) {
        value(opt.value(), tree);
      }
    } else if (type instanceof Image image) {
      image(image, (Map<?, ?>) tree);
    } else if (type instanceof Variant variant) {
      Alternative chosen = (Alternative) tree;
      out.putByte(chosen.index());
      value(variant.alternatives().get(chosen.index()).type(), chosen.value());
    } else if (type instanceof MapOf map) {
      map(map, (List<?>) tree);
    } else {
      outcome((Expected) type, (Outcome) tree);
    }
  }

  private void scalar(Scalar scalar, Object tree) {
    if (scalar == Scalar.BOOL) {
      out.putBool((Boolean) tree);
      return;
    }
    long value = (Long) tree;
    switch (scalar.widthBytes()) {
      case 1 -> out.putByte((int) value);
      case 2 -> out.putShort((int) value);
      case 4 -> out.putInt((int) value);
      default -> out.putLong(value);
    }
  }

  private void image(Image image, Map<?, ?> members) {
    int offset = 0;
    for (Field field : image.fields()) {
      Scalar scalar = (Scalar) field.type();
      int aligned = Image.alignUp(offset, scalar.widthBytes());
      pad(aligned - offset);
      scalar(scalar, members.get(field.name()));
      offset = aligned + scalar.widthBytes();
    }
    pad(image.sizeBytes() - offset);
  }

  private void pad(int count) {
    for (int i = 0; i < count; i++) {
      out.putByte(0);
    }
  }

  private void map(MapOf map, List<?> entries) {
    out.putSize(entries.size());
    for (Object entry : entries) {
      value(map.key(), ((List<?>) entry).get(0));
      value(map.value(), ((List<?>) entry).get(1));
    }
  }

  private void outcome(Expected expected, Outcome outcome) {
    out.putBool(outcome.hasValue());
    if (!outcome.hasValue()) {
      out.putInt(outcome.errorCode());
    } else if (expected.value().isPresent()) {
      value(expected.value().get(), outcome.value());
    }
  }

  /** Writes the members behind the payload in the order in which the structures end. */
  void compatible(WireType type, Object tree) {
    if (tree == null) {
      return;
    }
    if (type instanceof Vec vec) {
      ((List<?>) tree).forEach(element -> compatible(vec.element(), element));
    } else if (type instanceof MapOf map) {
      for (Object entry : (List<?>) tree) {
        compatible(map.key(), ((List<?>) entry).get(0));
        compatible(map.value(), ((List<?>) entry).get(1));
      }
    } else if (type instanceof Opt opt) {
      compatible(opt.value(), tree);
    } else if (type instanceof Expected expected) {
      Outcome outcome = (Outcome) tree;
      expected.value().ifPresent(value -> compatible(value, outcome.value()));
    } else if (type instanceof Variant variant) {
      Alternative chosen = (Alternative) tree;
      compatible(variant.alternatives().get(chosen.index()).type(), chosen.value());
    } else if (type instanceof Struct struct) {
      Map<?, ?> members = (Map<?, ?>) tree;
      struct.fields().forEach(field -> compatible(field.type(), members.get(field.name())));
      struct.compatible().forEach(member -> compatibleMember(member, members));
    }
  }

  private void compatibleMember(Compatible member, Map<?, ?> members) {
    Object tree = members.get(member.name());
    out.putBool(tree != null);
    if (tree != null) {
      value(member.type().orElseThrow(), tree);
    }
  }
}
