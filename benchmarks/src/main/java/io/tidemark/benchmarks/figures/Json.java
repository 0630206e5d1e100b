package io.tidemark.benchmarks.figures;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Writes and reads the file of figures: maps, lists, strings, numbers (read as {@link Double}) and
 * truth values. Short values stay on one line, so that a change of the file shows what changed.
 */
final class Json {
  private static final int LINE = 110;

  private final String text;
  private int at;

  private Json(String text) {
    this.text = text;
  }

  /** A map of names and values, in their order. */
  static Map<String, Object> object(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return map;
  }

  /** Writes a value. */
  static String write(Object value) {
    return write(value, "") + "\n";
  }

  private static String write(Object value, String indent) {
    String flat = flat(value);
    if (indent.length() + flat.length() <= LINE || !isNested(value)) {
      return flat;
    }
    String deeper = indent + "  ";
    List<String> members = new ArrayList<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (name, member) -> members.add(quoted((String) name) + ": " + write(member, deeper)));
    } else {
      ((List<?>) value).forEach(member -> members.add(write(member, deeper)));
    }
    String[] brackets = value instanceof Map ? new String[] {"{", "}"} : new String[] {"[", "]"};
    String separator = ",\n" + deeper;
    return brackets[0]
        + "\n"
        + deeper
        + String.join(separator, members)
        + "\n"
        + indent
        + brackets[1];
  }

  private static boolean isNested(Object value) {
    return value instanceof Map || value instanceof List;
  }

  private static String flat(Object value) {
    List<String> members = new ArrayList<>();
    if (value instanceof Map<?, ?> map) {
      map.forEach((name, member) -> members.add(quoted((String) name) + ": " + flat(member)));
      return "{" + String.join(", ", members) + "}";
    }
    if (value instanceof List<?> list) {
      list.forEach(member -> members.add(flat(member)));
      return "[" + String.join(", ", members) + "]";
    }
    if (value instanceof String string) {
      return quoted(string);
    }
    return value instanceof Number number ? number(number.doubleValue()) : value.toString();
  }

  private static String number(double value) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON has no " + value);
    }
    return value == Math.rint(value) && Math.abs(value) < 1e15
        ? Long.toString((long) value)
        : String.format(Locale.ROOT, "%.4f", value)
            .replaceFirst("0+$", "")
            .replaceFirst("\\.$", "");
  }

  private static String quoted(String string) {
    StringBuilder out = new StringBuilder("\"");
    for (char c : string.toCharArray()) {
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  /**
   * Reads a value.
   *
   * @throws IllegalArgumentException saying where the text is not JSON
   */
  static Object read(String text) {
    Json json = new Json(text);
    try {
      Object value = json.value();
      json.space();
      return json.at == text.length() ? value : json.refuse();
    } catch (StringIndexOutOfBoundsException e) {
      throw new IllegalArgumentException("the JSON ends in the middle", e);
    }
  }

  private Object value() {
    space();
    char c = text.charAt(at);
    if (c == '{') {
      return map();
    } else if (c == '[') {
      return list();
    } else if (c == '"') {
      return string();
    } else if (take("true")) {
      return true;
    } else if (take("false")) {
      return false;
    }
    return number();
  }

  private Map<String, Object> map() {
    Map<String, Object> map = new LinkedHashMap<>();
    at++;
    while (!closes('}', map.isEmpty())) {
      String name = string();
      space();
      require(':');
      map.put(name, value());
    }
    return map;
  }

  private List<Object> list() {
    List<Object> list = new ArrayList<>();
    at++;
    while (!closes(']', list.isEmpty())) {
      list.add(value());
    }
    return list;
  }

  /** Takes the closing bracket, or the comma before the next member. */
  private boolean closes(char bracket, boolean first) {
    space();
    if (text.charAt(at) == bracket) {
      at++;
      return true;
    }
    if (!first) {
      require(',');
      space();
    }
    return false;
  }

  private String string() {
    require('"');
    StringBuilder out = new StringBuilder();
    while (text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c != '\\') {
        out.append(c);
      } else if (text.charAt(at) == 'u') {
        out.append((char) Integer.parseInt(text.substring(at + 1, at + 5), 16));
        at += 5;
      } else {
        out.append(text.charAt(at++));
      }
    }
    at++;
    return out.toString();
  }

  private Double number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    return from == at ? (Double) refuse() : Double.valueOf(text.substring(from, at));
  }

  private void space() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
  }

  private boolean take(String word) {
    boolean is = text.startsWith(word, at);
    at += is ? word.length() : 0;
    return is;
  }

  private void require(char c) {
    if (text.charAt(at) != c) {
      refuse();
    }
    at++;
  }

  private Object refuse() {
    throw new IllegalArgumentException("not JSON at character " + at);
  }
}
