package io.tidemark.server;

/**
 * The process can't start. The message is one sentence for the operator: what, where, and what to
 * do.
 */
public final class StartException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;

  public StartException(ExitCode exitCode, String message, Throwable cause) {
    super(message, cause);
    this.exitCode = exitCode;
  }

  /** The status to end with. */
  public ExitCode exitCode() {
    return exitCode;
  }
}
