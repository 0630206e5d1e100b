package io.tidemark.wire;

/** Why a request was not understood. */
public enum RefusalReason {
  /** No supported release registers a function with this id. */
  UNKNOWN_FUNCTION(RpcCodes.FUNCTION_NOT_REGISTERED),
  /** A model-weight call of v0.3.14, which this master does not offer. */
  WEIGHT_CALL(RpcCodes.FUNCTION_NOT_REGISTERED),
  /** The argument types are none that a release uses for this call. */
  WRONG_HASH(RpcCodes.INVALID_ARGUMENTS),
  /** The body ends inside a value. */
  TRUNCATED(RpcCodes.INVALID_ARGUMENTS),
  /** The spelled-out type differs from the one that its hash names. */
  LITERAL_MISMATCH(RpcCodes.INVALID_ARGUMENTS),
  /** More elements announced than the rest of the body could hold. */
  ABSURD_COUNT(RpcCodes.INVALID_ARGUMENTS),
  /** A variant with an index that the release does not have. */
  BAD_VARIANT(RpcCodes.INVALID_ARGUMENTS);

  private final int rpcCode;

  RefusalReason(int rpcCode) {
    this.rpcCode = rpcCode;
  }

  /** The RPC error code of the answer. */
  public int rpcCode() {
    return rpcCode;
  }
}
