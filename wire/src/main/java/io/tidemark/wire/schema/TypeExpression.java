package io.tidemark.wire.schema;

import io.tidemark.wire.schema.WireType.Expected;
import io.tidemark.wire.schema.WireType.MapOf;
import io.tidemark.wire.schema.WireType.Opt;
import io.tidemark.wire.schema.WireType.Scalar;
import io.tidemark.wire.schema.WireType.Vec;
import java.util.Map;
import java.util.Optional;

/** Parses a type of {@code mooncake.schema}, such as {@code E<map<UUID,vec<string>>>}. */
final class TypeExpression {

  private final String text;
  private final Map<String, WireType> named;
  private int at;

  TypeExpression(String text, Map<String, WireType> named) {
    this.text = text;
    this.named = named;
  }

  /** The type; throws IllegalArgumentException if the text is no type. */
  WireType parse() {
    WireType type = type();
    if (at != text.length()) {
      throw new IllegalArgumentException("unexpected text behind a type: " + text);
    }
    return type;
  }

  private WireType type() {
    String word = word();
    return switch (word) {
      case "string" -> WireType.TEXT;
      case "i32" -> Scalar.I32;
      case "u32" -> Scalar.U32;
      case "i64" -> Scalar.I64;
      case "u64" -> Scalar.U64;
      case "u8" -> Scalar.U8;
      case "u16" -> Scalar.U16;
      case "bool" -> Scalar.BOOL;
      case "vec" -> {
        expect('<');
        yield closed(new Vec(type()));
      }
      case "opt" -> {
        expect('<');
        yield closed(new Opt(type()));
      }
      case "map" -> {
        expect('<');
        WireType key = type();
        expect(',');
        yield closed(new MapOf(key, type()));
      }
      case "E" -> {
        expect('<');
        yield closed(expected());
      }
      default -> named(word);
    };
  }

  private WireType expected() {
    if (text.startsWith("void", at)) {
      at += "void".length();
      return new Expected(Optional.empty());
    }
    return new Expected(Optional.of(type()));
  }

  private WireType named(String word) {
    return Optional.ofNullable(named.get(word))
        .orElseThrow(() -> new IllegalArgumentException("unknown type " + word));
  }

  private WireType closed(WireType type) {
    expect('>');
    return type;
  }

  private void expect(char wanted) {
    if (at >= text.length() || text.charAt(at) != wanted) {
      throw new IllegalArgumentException("'" + wanted + "' expected at " + at + " in " + text);
    }
    at++;
  }

  private String word() {
    int start = at;
    while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }
}
