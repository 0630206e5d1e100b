package io.tidemark.client;

import java.io.IOException;

/** The connection ended before the answer came. Whether the call was carried out is not known. */
public final class ConnectionClosedException extends IOException {
  private static final long serialVersionUID = 1L;

  ConnectionClosedException(String message, Throwable cause) {
    super(message, cause);
  }
}
