package io.tidemark.wire;

import io.tidemark.wire.schema.WireType;
import io.tidemark.wire.schema.WireType.Expected;
import io.tidemark.wire.schema.WireType.Image;
import io.tidemark.wire.schema.WireType.MapOf;
import io.tidemark.wire.schema.WireType.Opt;
import io.tidemark.wire.schema.WireType.Scalar;
import io.tidemark.wire.schema.WireType.Struct;
import io.tidemark.wire.schema.WireType.Text;
import io.tidemark.wire.schema.WireType.Variant;
import io.tidemark.wire.schema.WireType.Vec;

/** Walks over values without keeping them: checks the arguments of calls that are not served. */
final class TypeWalker {

  private TypeWalker() {}

  /** Fewest bytes that a value of the type takes in a message with that width of sizes. */
  static int smallestBytes(WireType type, int sizeBytes) {
    if (type instanceof Scalar scalar) {
      return scalar.widthBytes();
    } else if (type instanceof Image image) {
      return image.sizeBytes();
    } else if (type instanceof Struct struct) {
      return struct.fields().stream().mapToInt(f -> smallestBytes(f.type(), sizeBytes)).sum();
    } else if (type instanceof Opt || type instanceof Variant || type instanceof Expected) {
      return 1;
    }
    return sizeBytes;
  }

  /** Reads past a value; throws {@link MalformedMessageException} if there is none. */
  static void skip(WireType type, BodyReader in) {
    if (type instanceof Scalar scalar) {
      in.skip(scalar.widthBytes());
    } else if (type instanceof Text) {
      in.skipText();
    } else if (type instanceof Image image) {
      in.skip(image.sizeBytes());
    } else if (type instanceof Vec vec) {
      skipVector(vec, in);
    } else if (type instanceof Struct struct) {
      struct.fields().forEach(field -> skip(field.type(), in));
    } else if (type instanceof Opt opt) {
      if (in.bool()) {
        skip(opt.value(), in);
      }
    } else {
      skipAlternative(type, in);
    }
  }

  /** Reads past a vector and returns its element count. */
  static int skipVector(Vec vec, BodyReader in) {
    int count = in.count(smallestBytes(vec.element(), in.sizeBytes()));
    for (int i = 0; i < count; i++) {
      skip(vec.element(), in);
    }
    return count;
  }

  private static void skipAlternative(WireType type, BodyReader in) {
    if (type instanceof MapOf map) {
      int sizeBytes = in.sizeBytes();
      int smallest = smallestBytes(map.key(), sizeBytes) + smallestBytes(map.value(), sizeBytes);
      int count = in.count(smallest);
      for (int i = 0; i < count; i++) {
        skip(map.key(), in);
        skip(map.value(), in);
      }
    } else if (type instanceof Variant variant) {
      int index = in.u8();
      if (index >= variant.alternatives().size()) {
        throw new MalformedMessageException(RefusalReason.BAD_VARIANT);
      }
      skip(variant.alternatives().get(index).type(), in);
    } else if (in.bool()) {
      ((Expected) type).value().ifPresent(value -> skip(value, in));
    } else {
      in.skip(Integer.BYTES);
    }
  }
}
