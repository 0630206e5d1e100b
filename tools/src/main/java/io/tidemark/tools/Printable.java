package io.tidemark.tools;

import io.tidemark.api.ObjectKey;
import io.tidemark.api.WireText;

/** Wire strings as they may go to a terminal: one line, no control characters, in quotes. */
final class Printable {
  private Printable() {}

  /** A wire string in double quotes. */
  static String quoted(String wire) {
    return '"' + escaped(WireText.display(wire)) + '"';
  }

  /** A key, with its tenant if that is not the default one. */
  static String of(ObjectKey key) {
    return key.tenant().equals(ObjectKey.DEFAULT_TENANT)
        ? quoted(key.key())
        : quoted(key.key()) + " of tenant " + quoted(key.tenant());
  }

  private static String escaped(String text) {
    if (text.chars().noneMatch(c -> Character.isISOControl(c) || c == '"')) {
      return text;
    }
    StringBuilder out = new StringBuilder(text.length() + 16);
    text.chars()
        .forEach(
            c -> {
              if (Character.isISOControl(c)) {
                out.append(String.format("\\x%02x", c));
              } else {
                out.append(c == '"' ? "\\" : "").append((char) c);
              }
            });
    return out.toString();
  }
}
