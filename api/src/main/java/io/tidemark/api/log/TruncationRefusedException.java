package io.tidemark.api.log;

/** A truncation would cost committed entries or names a position the log does not have (COR-20). */
public class TruncationRefusedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public TruncationRefusedException(String message) {
    super(message);
  }
}
