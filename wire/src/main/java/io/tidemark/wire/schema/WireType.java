package io.tidemark.wire.schema;

import java.util.List;
import java.util.Optional;

/** A struct_pack type as an expression (coro-rpc wire, sections 5.5 to 5.8). */
public sealed interface WireType {

  /** A string: bytes with a length. */
  WireType TEXT = new Text();

  /** A number or truth value of fixed width. Enumerations are their underlying integer. */
  enum Scalar implements WireType {
    I32(0x01, 4),
    U32(0x02, 4),
    I64(0x03, 8),
    U64(0x04, 8),
    U8(0x06, 1),
    U16(0x08, 2),
    BOOL(0x0b, 1);

    private final byte code;
    private final int widthBytes;

    Scalar(int code, int widthBytes) {
      this.code = (byte) code;
      this.widthBytes = widthBytes;
    }

    byte code() {
      return code;
    }

    public int widthBytes() {
      return widthBytes;
    }
  }

  record Text() implements WireType {}

  record Vec(WireType element) implements WireType {}

  record MapOf(WireType key, WireType value) implements WireType {}

  record Opt(WireType value) implements WireType {}

  /** One of several alternatives, told apart by a one-byte index. */
  record Variant(String name, List<Field> alternatives) implements WireType {}

  /** {@code expected<T, ErrorCode>}; empty for {@code expected<void, ErrorCode>}. */
  record Expected(Optional<WireType> value) implements WireType {}

  /**
   * Members in order, nothing between them.
   *
   * @param compatible members that follow the payload of the whole message, see {@link Compatible}
   */
  record Struct(String name, List<Field> fields, List<Compatible> compatible) implements WireType {}

  /** A trivially serialisable structure: its memory image, padding included (section 5.7). */
  record Image(String name, List<Field> fields) implements WireType {

    /** Alignment in bytes: the widest member's. */
    public int alignment() {
      return fields.stream().mapToInt(f -> ((Scalar) f.type()).widthBytes()).max().orElse(1);
    }

    /** Size in bytes, a multiple of the alignment. */
    public int sizeBytes() {
      int end = 0;
      for (Field field : fields) {
        int width = ((Scalar) field.type()).widthBytes();
        end = alignUp(end, width) + width;
      }
      return alignUp(end, alignment());
    }

    /** The first multiple of {@code alignment} that is not below {@code offset}. */
    public static int alignUp(int offset, int alignment) {
      return (offset + alignment - 1) / alignment * alignment;
    }
  }

  /** A named member, argument or alternative. */
  record Field(String name, WireType type) {}

  /**
   * A {@code compatible<>} member (section 5.8): a presence byte after the payload, then the value.
   *
   * @param type empty if the type is not known; then only its absence can be read and written
   */
  record Compatible(String name, Optional<WireType> type) {}
}
