package io.tidemark.wire;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.WireProfile;
import java.util.Optional;

/** What became of a request's bytes. */
public sealed interface DecodedRequest {

  /**
   * A call to be served.
   *
   * @param replyProfile the release in whose form the answer must be encoded
   */
  record Call(Request request, WireProfile replyProfile) implements DecodedRequest {}

  /**
   * Bytes that are no call. The connection stays open (coro-rpc wire, section 2).
   *
   * @param rpc the call, if the function id names one
   * @param looksLike label of the release that sends such requests, or an empty text
   */
  record Refusal(RefusalReason reason, Optional<Rpc> rpc, String looksLike)
      implements DecodedRequest {

    /** The answer to give: upstream's code and text. */
    public Reply.RpcError reply() {
      int code = reason.rpcCode();
      return new Reply.RpcError(code, RpcCodes.upstreamText(code));
    }
  }
}
