package io.tidemark.benchmarks.bench;

/** How the command ends. The numbers are documented in docs/reference/bench-command.md. */
final class ExitStatus {
  /** Measured; every request succeeded and everything was cleaned up. */
  static final int OK = 0;

  /** Requests failed, the master went away in between, or something could not be cleaned up. */
  static final int FAILED = 1;

  /** Wrong option or argument. */
  static final int USAGE = 2;

  /** A master answers, but refuses to be loaded. */
  static final int REFUSED = 3;

  /** No master answers at the address. */
  static final int NO_MASTER = 4;

  private ExitStatus() {}
}
