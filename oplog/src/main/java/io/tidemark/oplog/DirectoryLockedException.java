package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;

/** Another process, named in the message, has the log directory open for appending. */
public class DirectoryLockedException extends LogFailureException {
  private static final long serialVersionUID = 1L;

  public DirectoryLockedException(String message) {
    super(message);
  }
}
