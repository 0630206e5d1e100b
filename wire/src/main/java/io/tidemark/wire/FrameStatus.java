package io.tidemark.wire;

/** State of a byte stream after some input. Everything but {@link #OPEN} is final. */
public enum FrameStatus {
  /** The stream is well-formed so far. */
  OPEN,
  /** The first byte of a frame is not 0x15; also what an RDMA handshake looks like. */
  BAD_MAGIC,
  /** A protocol version above 0. */
  BAD_VERSION,
  /** A serialisation other than struct_pack. */
  BAD_SERIALIZE_TYPE,
  /** Body and attachment exceed the configured limit. */
  TOO_LARGE;

  /** Whether the connection must be closed without an answer (coro-rpc wire, section 1.2). */
  public boolean mustClose() {
    return this != OPEN;
  }
}
