package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;

/** The directory holds something that this program can't read as its log; nothing was changed. */
public class LogFormatException extends LogFailureException {
  private static final long serialVersionUID = 1L;

  public LogFormatException(String message) {
    super(message);
  }

  public LogFormatException(String message, Throwable cause) {
    super(message, cause);
  }
}
