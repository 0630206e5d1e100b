package io.tidemark.benchmarks.bench;

import io.tidemark.api.ErrorCode;

/**
 * Why the operation on a key failed, as a number: 0 for success, negative for Mooncake's error
 * codes, positive for what they don't cover.
 */
final class Failures {
  /** ExistKey says no of a key that was put. */
  static final int ABSENT = 1;

  private static final int RPC = 1_000;

  private Failures() {}

  /** An error of the RPC layer. */
  static int rpc(int code) {
    return RPC + code;
  }

  /** A word for people and programs. */
  static String name(int failure) {
    if (failure >= RPC) {
      return "RPC_ERROR(" + (failure - RPC) + ")";
    }
    return failure == ABSENT ? "ABSENT" : ErrorCode.nameOf(failure);
  }
}
