package io.tidemark.api.event;

/**
 * The log holds something that this version can't read. Fatal: skipping an event would change the
 * state (rule F.3).
 */
public final class UnknownEventException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public UnknownEventException(String message) {
    super(message + "; this log was written by a newer version, start that version on it");
  }
}
