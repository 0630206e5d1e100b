package io.tidemark.api.rpc;

/** Mooncake's {@code ReplicaStatus}; the wire number is {@link #code()}. */
public enum ReplicaStatus {
  UNDEFINED,
  INITIALIZED,
  /** Space is reserved, a writer fills it. */
  PROCESSING,
  /** Readable. */
  COMPLETE,
  REMOVED,
  FAILED;

  /** Number on the wire. */
  public int code() {
    return ordinal();
  }
}
