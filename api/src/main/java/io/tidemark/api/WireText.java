package io.tidemark.api;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/** Converts between wire strings (one character per byte) and text for people. */
public final class WireText {

  private WireText() {}

  /** The bytes of a wire string. */
  public static byte[] bytes(String wire) {
    return wire.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** A wire string holding exactly {@code bytes}. */
  public static String of(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** The wire string of a readable text (UTF-8). */
  public static String encode(String text) {
    return of(text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Readable form of a wire string: the text if its bytes are valid UTF-8, else the bytes with
   * everything outside printable ASCII written as {@code \xNN}.
   */
  public static String display(String wire) {
    byte[] raw = bytes(wire);
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(raw)).toString();
    } catch (CharacterCodingException notUtf8) {
      StringBuilder out = new StringBuilder(raw.length + 16);
      for (byte b : raw) {
        int c = b & 0xff;
        if (c >= 0x20 && c < 0x7f && c != '\\') {
          out.append((char) c);
        } else {
          out.append(String.format("\\x%02x", c));
        }
      }
      return out.toString();
    }
  }
}
