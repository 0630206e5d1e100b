package io.tidemark.api.rpc;

import java.util.Optional;

/** What a write asks of the soft pin; numbers are the wire byte. */
public enum SoftPinAction {
  /** Keep what is there. */
  PRESERVE,
  /** Pin until now + TTL once the write completes. */
  ENABLE,
  /** Unpin once the write completes. */
  DISABLE;

  private static final SoftPinAction[] BY_CODE = values();

  /** The action of a wire byte, empty if no release defines it. */
  public static Optional<SoftPinAction> of(int code) {
    return code >= 0 && code < BY_CODE.length ? Optional.of(BY_CODE[code]) : Optional.empty();
  }
}
