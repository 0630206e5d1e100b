package io.tidemark.server.admin;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidemark.api.WireText;
import java.math.BigDecimal;
import java.math.MathContext;

/** JSON pieces in the form that Mooncake's admin port writes. */
final class Json {

  private static final int MAX_DIGITS = 17;

  private Json() {}

  /** A readable text as a JSON string. */
  static String quoted(String text) {
    return "\"" + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + "\"";
  }

  /** A wire string as a JSON string. */
  static String quotedWire(String wire) {
    return quoted(WireText.display(wire));
  }

  /**
   * A number the way upstream's library prints floating point: shortest digits, always with an
   * exponent ({@code 7.45E-3}, {@code 0E0}).
   */
  static String scientific(double value) {
    if (value == 0) {
      return "0E0";
    }
    BigDecimal shortest = shortest(value).stripTrailingZeros();
    String digits = shortest.unscaledValue().abs().toString();
    int exponent = digits.length() - 1 - shortest.scale();
    String fraction = digits.length() == 1 ? "" : "." + digits.substring(1);
    return (value < 0 ? "-" : "") + digits.charAt(0) + fraction + "E" + exponent;
  }

  /** A number as the shortest decimal without an exponent ({@code 0.0625}). */
  static String plain(double value) {
    return value == 0 ? "0" : shortest(value).stripTrailingZeros().toPlainString();
  }

  /** The fewest digits that read back as the same number. */
  private static BigDecimal shortest(double value) {
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits < MAX_DIGITS; digits++) {
      BigDecimal rounded = exact.round(new MathContext(digits));
      if (rounded.doubleValue() == value) {
        return rounded;
      }
    }
    return exact.round(new MathContext(MAX_DIGITS));
  }
}
