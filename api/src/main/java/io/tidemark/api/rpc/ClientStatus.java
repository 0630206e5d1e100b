package io.tidemark.api.rpc;

/** What a Ping answers; the wire number is the ordinal. */
public enum ClientStatus {
  UNDEFINED,
  OK,
  NEED_REMOUNT;

  /** Number on the wire. */
  public int code() {
    return ordinal();
  }
}
