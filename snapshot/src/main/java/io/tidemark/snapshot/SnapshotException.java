package io.tidemark.snapshot;

/**
 * A snapshot could not be written, read or kept. The message is a sentence for the operator: what,
 * where, and what to do. The master goes on without it.
 */
public class SnapshotException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public SnapshotException(String message) {
    super(message);
  }

  public SnapshotException(String message, Throwable cause) {
    super(message, cause);
  }
}
