package io.tidemark.wire;

/**
 * Bytes that are no message of the expected type. Without a stack trace: whoever sends garbage
 * shall not cost much, and the reason says all there is to know.
 */
public final class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final RefusalReason reason;

  MalformedMessageException(RefusalReason reason) {
    super(reason.name(), null, false, false);
    this.reason = reason;
  }

  /** What is wrong with the bytes. */
  public RefusalReason reason() {
    return reason;
  }
}
