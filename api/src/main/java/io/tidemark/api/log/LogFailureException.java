package io.tidemark.api.log;

/**
 * The log could not take an entry, or could not be read. The term of the writer ends (COR-03); the
 * message says what happened, to which file, and what to do.
 */
public class LogFailureException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogFailureException(String message) {
    super(message);
  }

  public LogFailureException(String message, Throwable cause) {
    super(message, cause);
  }
}
