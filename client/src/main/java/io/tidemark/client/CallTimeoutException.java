package io.tidemark.client;

import java.io.IOException;

/** No answer in time; the connection is closed. Whether the call was carried out is not known. */
public final class CallTimeoutException extends IOException {
  private static final long serialVersionUID = 1L;

  CallTimeoutException(String message) {
    super(message);
  }
}
