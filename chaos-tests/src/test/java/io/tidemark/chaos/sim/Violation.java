package io.tidemark.chaos.sim;

/** A promise was broken. */
final class Violation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  Violation(String what) {
    super(what);
  }

  Violation(String what, Throwable cause) {
    super(what, cause);
  }

  static void check(boolean kept, String promise, Object... details) {
    if (!kept) {
      throw new Violation(String.format(promise, details));
    }
  }
}
