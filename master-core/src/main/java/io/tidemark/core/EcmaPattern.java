package io.tidemark.core;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.util.Optional;

/**
 * A key pattern as Mooncake takes it: ECMAScript, searched byte-wise. Runs on RE2/J, whose time is
 * linear in the key, so that neither a long key nor a pattern that explodes stalls the master (both
 * end or stall Mooncake's).
 *
 * <p>Refused, with the same code as a malformed pattern: what a linear engine can't do (back
 * references, look-ahead) and what Mooncake refuses although RE2/J would take it (inline flags,
 * named groups, {@code \p}, a bare brace).
 */
final class EcmaPattern {
  private static final int MAX_REPEAT = 1000;
  private static final String NEVER = "[^\\x{0}-\\x{10FFFF}]";
  private static final String ANY = "[\\x{0}-\\x{10FFFF}]";

  private final String source;
  private final StringBuilder out = new StringBuilder();
  private int position;
  private int atomStart = -1;
  private boolean quantified;

  private EcmaPattern(String source) {
    this.source = source;
  }

  /** A compiled pattern; empty if it is malformed or not supported. */
  static Optional<Pattern> compile(String source) {
    EcmaPattern translation = new EcmaPattern(source);
    if (!translation.translate()) {
      return Optional.empty();
    }
    try {
      return Optional.of(Pattern.compile(translation.out.toString()));
    } catch (PatternSyntaxException malformed) {
      return Optional.empty();
    }
  }

  private boolean translate() {
    int[] groupStarts = new int[source.length() + 1];
    int depth = 0;
    while (position < source.length()) {
      char c = source.charAt(position);
      boolean ok;
      switch (c) {
        case '(' -> {
          groupStarts[depth++] = out.length();
          ok = openGroup();
        }
        case ')' -> {
          ok = depth > 0;
          if (ok) {
            out.append(')');
            position++;
            atom(groupStarts[--depth]);
          }
        }
        case '[' -> ok = bracket();
        case '\\' -> ok = escape();
        case '*', '+', '?' -> ok = quantifier(String.valueOf(c), 1);
        case '{' -> ok = braces();
        case '|' -> ok = plain(c, false);
        case '^', '$' -> ok = plain(c, false);
        case ']', '}' -> ok = literal(c);
        case '.' -> ok = anyButLineEnd();
        default -> ok = plain(c, true);
      }
      if (!ok) {
        return false;
      }
    }
    return depth == 0;
  }

  private void atom(int start) {
    atomStart = start;
    quantified = false;
  }

  private boolean plain(char c, boolean isAtom) {
    atom(isAtom ? out.length() : -1);
    out.append(c);
    position++;
    return true;
  }

  /** ECMAScript's dot takes neither end of a line; RE2's takes the carriage return. */
  private boolean anyButLineEnd() {
    atom(out.length());
    out.append("[^\\n\\r]");
    position++;
    return true;
  }

  private boolean literal(char c) {
    atom(out.length());
    out.append('\\').append(c);
    position++;
    return true;
  }

  private boolean openGroup() {
    atomStart = -1;
    if (source.startsWith("(?:", position)) {
      position += 3;
    } else if (source.startsWith("(?", position)) {
      return false;
    } else {
      position++;
    }
    out.append("(?:");
    return true;
  }

  /**
   * A second quantifier applies to the quantified atom; a question mark after one only asks for
   * laziness.
   */
  private boolean quantifier(String text, int length) {
    if (atomStart < 0) {
      return false;
    }
    if (quantified) {
      if (text.equals("?") && source.charAt(position - 1) != '?') {
        position += length;
        return true;
      }
      out.insert(atomStart, "(?:").append(')');
    }
    out.append(text);
    position += length;
    quantified = true;
    return true;
  }

  private boolean braces() {
    int close = source.indexOf('}', position);
    if (close < 0) {
      return false;
    }
    String body = source.substring(position + 1, close);
    int comma = body.indexOf(',');
    String from = comma < 0 ? body : body.substring(0, comma);
    String to = comma < 0 ? "" : body.substring(comma + 1);
    if (!isCount(from) || !to.isEmpty() && !isCount(to)) {
      return false;
    }
    return quantifier("{" + body + "}", body.length() + 2);
  }

  private static boolean isCount(String text) {
    boolean digits =
        !text.isEmpty() && text.length() <= 4 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return digits && Integer.parseInt(text) <= MAX_REPEAT;
  }

  private boolean escape() {
    if (position + 1 >= source.length()) {
      return false;
    }
    char c = source.charAt(position + 1);
    if (c == 'p' || c == 'P' || c >= '1' && c <= '9') {
      return false;
    }
    boolean assertion = c == 'b' || c == 'B';
    atom(assertion ? -1 : out.length());
    if (c == 'x' || c == 'u') {
      return hex(c == 'x' ? 2 : 4);
    }
    out.append(escaped(c));
    position += 2;
    return true;
  }

  private static String escaped(char c) {
    if ("dDwWsSbBnrtfv".indexOf(c) >= 0) {
      return "\\" + c;
    }
    if (c == '0') {
      return "\\x00";
    }
    boolean letter =
        c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80;
    return letter || c < 0x20 || c == '_' ? String.valueOf(c) : "\\" + c;
  }

  private boolean hex(int digits) {
    int end = position + 2 + digits;
    if (end > source.length()) {
      return false;
    }
    String number = source.substring(position + 2, end);
    if (!number.chars().allMatch(c -> Character.digit(c, 16) >= 0)) {
      return false;
    }
    out.append("\\x{").append(number).append('}');
    position = end;
    return true;
  }

  private boolean bracket() {
    int start = out.length();
    if (source.startsWith("[]", position) || source.startsWith("[^]", position)) {
      boolean never = source.charAt(position + 1) == ']';
      out.append(never ? NEVER : ANY);
      position += never ? 2 : 3;
      atom(start);
      return true;
    }
    int close = bracketEnd();
    if (close < 0) {
      return false;
    }
    String body = source.substring(position + 1, close);
    if (body.contains("[:")
        || body.matches("(?s).*-\\\\[dDwWsS].*")
        || body.matches("(?s).*\\\\[pP].*")) {
      return false;
    }
    out.append('[').append(body.startsWith("^") ? "^" : "").append(classBody(body)).append(']');
    position = close + 1;
    atom(start);
    return true;
  }

  private static String classBody(String body) {
    StringBuilder inside = new StringBuilder();
    for (int i = body.startsWith("^") ? 1 : 0; i < body.length(); i++) {
      char c = body.charAt(i);
      if (c == '\\' && i + 1 < body.length()) {
        char next = body.charAt(++i);
        inside.append(next == 'b' ? "\\x08" : escaped(next));
      } else if (c == '[' || c == '&' || c == '~') {
        inside.append('\\').append(c);
      } else {
        inside.append(c);
      }
    }
    return inside.toString();
  }

  private int bracketEnd() {
    for (int i = position + 1; i < source.length(); i++) {
      if (source.charAt(i) == '\\') {
        i++;
      } else if (source.charAt(i) == ']') {
        return i;
      }
    }
    return -1;
  }
}
