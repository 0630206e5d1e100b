package io.tidemark.wire.schema;

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
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * How a type announces itself at the head of a message (coro-rpc wire, sections 5.1 and 5.6).
 *
 * <p>Immutable. The literal is shared, not copied: readers must not change it.
 */
public final class TypeForm {

  private static final int VECTOR = 0x84;
  private static final int MAP = 0x82;
  private static final int OPTIONAL = 0x85;
  private static final int VARIANT = 0x86;
  private static final int EXPECTED = 0x87;
  private static final int STRUCT = 0xfd;
  private static final int VOID = 0xfa;
  private static final int END = 0xff;
  private static final int STRING = 0x80;
  private static final int CHAR = 0x0c;
  private static final int ALIGNMENT_BASE = 0x81;

  private final WireType type;
  private final byte[] literal;
  private final int hash;
  private final boolean compatible;

  private TypeForm(WireType type) {
    this.type = type;
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    append(type, out);
    this.literal = out.toByteArray();
    this.hash = ByteBuffer.wrap(Md5.of(literal)).getInt() & ~1;
    this.compatible = hasCompatible(type);
  }

  /** The form of {@code type}. */
  public static TypeForm of(WireType type) {
    return new TypeForm(type);
  }

  public WireType type() {
    return type;
  }

  /** The literal without its terminating zero; do not change it. */
  public byte[] literal() {
    return literal;
  }

  /** First four bytes of the literal's MD5 with the lowest bit cleared. */
  public int hash() {
    return hash;
  }

  /** Whether messages of this type carry a total length and members after the payload. */
  public boolean hasCompatibleMembers() {
    return compatible;
  }

  private static void append(WireType type, ByteArrayOutputStream out) {
    if (type instanceof Scalar scalar) {
      out.write(scalar.code());
    } else if (type instanceof Text) {
      out.write(STRING);
      out.write(CHAR);
    } else if (type instanceof Vec vec) {
      out.write(VECTOR);
      append(vec.element(), out);
    } else if (type instanceof MapOf map) {
      out.write(MAP);
      append(map.key(), out);
      append(map.value(), out);
    } else if (type instanceof Opt opt) {
      out.write(OPTIONAL);
      append(opt.value(), out);
    } else if (type instanceof Expected expected) {
      out.write(EXPECTED);
      expected.value().ifPresentOrElse(value -> append(value, out), () -> out.write(VOID));
      append(Scalar.I32, out);
    } else {
      appendComposite(type, out);
    }
  }

  private static void appendComposite(WireType type, ByteArrayOutputStream out) {
    if (type instanceof Variant variant) {
      out.write(VARIANT);
      appendAll(variant.alternatives(), out);
    } else if (type instanceof Struct struct) {
      out.write(STRUCT);
      appendAll(struct.fields(), out);
    } else {
      Image image = (Image) type;
      out.write(STRUCT);
      appendAll(image.fields(), out);
      out.write(ALIGNMENT_BASE + image.alignment());
      out.write(ALIGNMENT_BASE + image.alignment());
    }
    out.write(END);
  }

  private static void appendAll(List<Field> fields, ByteArrayOutputStream out) {
    fields.forEach(field -> append(field.type(), out));
  }

  private static boolean hasCompatible(WireType type) {
    if (type instanceof Vec vec) {
      return hasCompatible(vec.element());
    } else if (type instanceof MapOf map) {
      return hasCompatible(map.key()) || hasCompatible(map.value());
    } else if (type instanceof Opt opt) {
      return hasCompatible(opt.value());
    } else if (type instanceof Expected expected) {
      return expected.value().filter(TypeForm::hasCompatible).isPresent();
    } else if (type instanceof Variant variant) {
      return variant.alternatives().stream().anyMatch(a -> hasCompatible(a.type()));
    } else if (type instanceof Struct struct) {
      return !struct.compatible().isEmpty()
          || struct.fields().stream().anyMatch(f -> hasCompatible(f.type()));
    }
    return false;
  }
}
