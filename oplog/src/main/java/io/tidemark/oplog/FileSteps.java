package io.tidemark.oplog;

/**
 * Told before each change of files that a truncation or a restart of the log makes. In production
 * nobody listens; a test ends the process there.
 */
@FunctionalInterface
interface FileSteps {
  /** Nobody listens. */
  FileSteps NONE = what -> {};

  /**
   * The next change follows.
   *
   * @param what for people
   */
  void next(String what);
}
