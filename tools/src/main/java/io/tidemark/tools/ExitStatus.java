package io.tidemark.tools;

/**
 * How a command ends. The numbers are documented in docs/reference/log-command.md and
 * snapshot-command.md.
 */
final class ExitStatus {
  /** Done; the log is sound as far as it was looked at. */
  static final int OK = 0;

  /** The log is damaged, or could not be read to its end. */
  static final int DAMAGED = 1;

  /** Wrong command, option or argument. */
  static final int USAGE = 2;

  /** The directory holds no log, or one that this version can't read. */
  static final int NO_LOG = 3;

  /** No entry of the log names the key. */
  static final int NO_SUCH_KEY = 4;

  /** No master answers at the address. */
  static final int NO_MASTER = 4;

  private ExitStatus() {}
}
