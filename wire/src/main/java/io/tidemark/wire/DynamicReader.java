package io.tidemark.wire;

import io.tidemark.wire.DynamicCodec.Alternative;
import io.tidemark.wire.DynamicCodec.Outcome;
import io.tidemark.wire.schema.TypeForm;
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

/** Reads the payload of one message into a tree, see {@link DynamicCodec}. */
final class DynamicReader {

  private final BodyReader in;

  /** Whether everything that follows is known; false from the first unknown member on. */
  private boolean understood = true;

  DynamicReader(BodyReader in) {
    this.in = in;
  }

  Object message(TypeForm form) {
    Object tree = value(form.type());
    if (form.hasCompatibleMembers() && in.hasTotalLength()) {
      compatible(form.type(), tree);
    }
    return tree;
  }

  Object value(WireType type) {
    if (type instanceof Scalar scalar) {
      return scalar(scalar);
    } else if (type instanceof Text) {
      return in.text();
    } else if (type instanceof Vec vec) {
      return vector(vec);
    } else if (type instanceof Struct struct) {
      return struct(struct);
    } else if (type instanceof Opt opt) {
      return in.bool() ? value(opt.value()) : null;
    } else if (type instanceof Image image) {
      return image(image);
    } else if (type instanceof Variant variant) {
      return variant(variant);
    } else if (type instanceof MapOf map) {
      return map(map);
    }
    return outcome((Expected) type);
  }

  private Object scalar(Scalar scalar) {
    return switch (scalar) {
      case BOOL -> in.bool();
      case U8 -> (long) in.u8();
      case U16 -> (long) in.u16();
      case I32 -> (long) in.i32();
      case U32 -> Integer.toUnsignedLong(in.i32());
      case I64, U64 -> in.i64();
    };
  }

  private List<Object> vector(Vec vec) {
    int count = in.count(TypeWalker.smallestBytes(vec.element(), in.sizeBytes()));
    List<Object> elements = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      elements.add(value(vec.element()));
    }
    return elements;
  }

  private List<Object> map(MapOf map) {
    int smallest =
        TypeWalker.smallestBytes(map.key(), in.sizeBytes())
            + TypeWalker.smallestBytes(map.value(), in.sizeBytes());
    int count = in.count(smallest);
    List<Object> entries = BodyReader.newList(count);
    for (int i = 0; i < count; i++) {
      Object key = value(map.key());
      entries.add(List.of(key, value(map.value())));
    }
    return entries;
  }

  private Map<String, Object> struct(Struct struct) {
    Map<String, Object> members = new LinkedHashMap<>();
    for (Field field : struct.fields()) {
      members.put(field.name(), value(field.type()));
    }
    return members;
  }

  private Map<String, Object> image(Image image) {
    Map<String, Object> members = new LinkedHashMap<>();
    int offset = 0;
    for (Field field : image.fields()) {
      Scalar scalar = (Scalar) field.type();
      int aligned = Image.alignUp(offset, scalar.widthBytes());
      in.skip(aligned - offset);
      members.put(field.name(), scalar(scalar));
      offset = aligned + scalar.widthBytes();
    }
    in.skip(image.sizeBytes() - offset);
    return members;
  }

  private Alternative variant(Variant variant) {
    int index = in.u8();
    if (index >= variant.alternatives().size()) {
      throw new MalformedMessageException(RefusalReason.BAD_VARIANT);
    }
    return new Alternative(index, value(variant.alternatives().get(index).type()));
  }

  private Outcome outcome(Expected expected) {
    if (!in.bool()) {
      return Outcome.error(in.i32());
    }
    return Outcome.ok(expected.value().isPresent() ? value(expected.value().get()) : null);
  }

  /**
   * Reads the members behind the payload: those of every structure in the order in which the
   * structures end (coro-rpc wire, sections 5.8 and 8.3).
   */
  private void compatible(WireType type, Object tree) {
    if (tree == null || !understood) {
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
      compatibleOfStruct(struct, tree);
    }
  }

  @SuppressWarnings("unchecked") // The tree was built by this reader.
  private void compatibleOfStruct(Struct struct, Object tree) {
    Map<String, Object> members = (Map<String, Object>) tree;
    for (Field field : struct.fields()) {
      compatible(field.type(), members.get(field.name()));
    }
    for (Compatible member : struct.compatible()) {
      if (understood && in.bool()) {
        understood = member.type().isPresent();
        member.type().ifPresent(type -> members.put(member.name(), value(type)));
      }
    }
  }
}
