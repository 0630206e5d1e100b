package io.tidemark.oplog.replication;

/** Bytes that are no message of a known format; the stream they came from is closed. */
public class MalformedMessageException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MalformedMessageException(String message, Throwable cause) {
    super(message, cause);
  }
}
