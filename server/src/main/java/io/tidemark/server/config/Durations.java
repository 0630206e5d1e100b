package io.tidemark.server.config;

import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Durations as Mooncake's flags write them: a whole number with ms, s, m or h; a bare number is
 * milliseconds.
 */
final class Durations {

  private static final Pattern FORM = Pattern.compile("\\s*([0-9]+)\\s*(ms|s|m|h)?\\s*");

  private Durations() {}

  /** Milliseconds of {@code text}, empty if it is not a duration or does not fit. */
  static OptionalLong parseMs(String text) {
    Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      return OptionalLong.empty();
    }
    try {
      return OptionalLong.of(
          Math.multiplyExact(Long.parseLong(form.group(1)), unitMs(form.group(2))));
    } catch (ArithmeticException | NumberFormatException tooLarge) {
      return OptionalLong.empty();
    }
  }

  private static long unitMs(String unit) {
    if (unit == null) {
      return 1;
    }
    return switch (unit) {
      case "ms" -> 1;
      case "s" -> 1_000;
      case "m" -> 60_000;
      default -> 3_600_000;
    };
  }
}
