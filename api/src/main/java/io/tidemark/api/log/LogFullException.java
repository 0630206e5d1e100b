package io.tidemark.api.log;

/**
 * The disk has no room for another batch. Nothing was written, the term goes on, and the same batch
 * may be appended once there is room again (COR-03).
 */
public class LogFullException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public LogFullException(String message) {
    super(message);
  }

  public LogFullException(String message, Throwable cause) {
    super(message, cause);
  }
}
