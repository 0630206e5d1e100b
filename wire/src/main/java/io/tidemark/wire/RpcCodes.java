package io.tidemark.wire;

import java.util.Map;

/** Error codes of the RPC layer, below Mooncake's own (coro-rpc wire, section 2). */
public final class RpcCodes {

  /** The argument bytes do not decode. */
  public static final int INVALID_ARGUMENTS = 4;

  /** The handler failed. */
  public static final int HANDLER_FAILED = 10;

  /** No such function. */
  public static final int FUNCTION_NOT_REGISTERED = 11;

  /** Codes from here on do not make the client drop its connection. */
  public static final int FIRST_WIDE = 256;

  private static final Map<Integer, String> TEXTS =
      Map.of(
          INVALID_ARGUMENTS, "invalid rpc arg",
          FUNCTION_NOT_REGISTERED, "the rpc function not registered");

  private RpcCodes() {}

  /** What the upstream server says with this code, empty if it has no fixed text. */
  static String upstreamText(int code) {
    return TEXTS.getOrDefault(code, "");
  }
}
