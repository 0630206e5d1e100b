package io.tidemark.api;

/**
 * A Mooncake UUID: two unsigned 64-bit words in wire order.
 *
 * <p>Its text form is {@code first-second} in unsigned decimal (coro-rpc wire, section 5.5).
 */
public record Uuid(long first, long second) implements Comparable<Uuid> {

  /** The all-zero id, which Mooncake treats as "absent". */
  public static final Uuid ZERO = new Uuid(0, 0);

  @Override
  public int compareTo(Uuid other) {
    int byFirst = Long.compareUnsigned(first, other.first);
    return byFirst != 0 ? byFirst : Long.compareUnsigned(second, other.second);
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException if {@code text} is not two unsigned decimals joined by a
   *     hyphen
   */
  public static Uuid parse(String text) {
    int hyphen = text.indexOf('-');
    if (hyphen <= 0) {
      throw new IllegalArgumentException("not a UUID of the form first-second: " + text);
    }
    return new Uuid(
        Long.parseUnsignedLong(text.substring(0, hyphen)),
        Long.parseUnsignedLong(text.substring(hyphen + 1)));
  }

  @Override
  public String toString() {
    return Long.toUnsignedString(first) + "-" + Long.toUnsignedString(second);
  }
}
