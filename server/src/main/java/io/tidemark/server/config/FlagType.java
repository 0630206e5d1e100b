package io.tidemark.server.config;

import java.math.BigInteger;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** What a flag's value may look like. */
public enum FlagType {
  BOOL("true or false"),
  INT32("a whole number from -2147483648 to 2147483647"),
  UINT32("a whole number from 0 to 4294967295"),
  INT64("a whole number of 64 bits"),
  UINT64("a whole number from 0 to 18446744073709551615"),
  DOUBLE("a number such as 0.9"),
  DURATION(
      "a whole number with ms, s, m or h, such as 500ms or 10s; without a unit it is milliseconds"),
  STRING("text");

  private static final Set<String> TRUE_WORDS = Set.of("true", "t", "yes", "y", "1", "on");
  private static final Set<String> FALSE_WORDS = Set.of("false", "f", "no", "n", "0", "off");

  private final String legal;

  FlagType(String legal) {
    this.legal = legal;
  }

  /** What is legal, as a phrase for messages. */
  public String legal() {
    return legal;
  }

  /** Whether the value is one number without a unit. */
  boolean isNumeric() {
    return this != BOOL && this != STRING && this != DURATION;
  }

  /**
   * The one spelling under which a legal value is kept, empty if it is not legal; durations become
   * milliseconds.
   */
  Optional<String> canonical(String raw) {
    String text = raw.strip();
    return switch (this) {
      case BOOL -> bool(text);
      case INT32 ->
          whole(text, BigInteger.valueOf(Integer.MIN_VALUE), BigInteger.valueOf(Integer.MAX_VALUE));
      case UINT32 ->
          whole(text, BigInteger.ZERO, BigInteger.ONE.shiftLeft(32).subtract(BigInteger.ONE));
      case INT64 ->
          whole(text, BigInteger.valueOf(Long.MIN_VALUE), BigInteger.valueOf(Long.MAX_VALUE));
      case UINT64 ->
          whole(text, BigInteger.ZERO, BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE));
      case DOUBLE -> decimal(text);
      case DURATION -> duration(text);
      case STRING -> Optional.of(raw);
    };
  }

  private static Optional<String> bool(String text) {
    String word = text.toLowerCase(Locale.ROOT);
    if (TRUE_WORDS.contains(word)) {
      return Optional.of("true");
    }
    return FALSE_WORDS.contains(word) ? Optional.of("false") : Optional.empty();
  }

  private static Optional<String> whole(String text, BigInteger least, BigInteger greatest) {
    try {
      BigInteger value = new BigInteger(text);
      boolean fits = value.compareTo(least) >= 0 && value.compareTo(greatest) <= 0;
      return fits ? Optional.of(value.toString()) : Optional.empty();
    } catch (NumberFormatException notWhole) {
      return Optional.empty();
    }
  }

  private static Optional<String> decimal(String text) {
    try {
      double value = Double.parseDouble(text);
      return Double.isFinite(value) ? Optional.of(text) : Optional.empty();
    } catch (NumberFormatException notDecimal) {
      return Optional.empty();
    }
  }

  private static Optional<String> duration(String text) {
    OptionalLong millis = Durations.parseMs(text);
    return millis.isPresent() ? Optional.of(Long.toString(millis.getAsLong())) : Optional.empty();
  }
}
