package io.tidemark.wire;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.wire.schema.WireProfile;

/** A master without state: key "a" exists, nothing can be read, everything else is unserved. */
final class StubMaster {

  private final WireBuffer out = new WireBuffer();
  private final RequestDecoder decoder = new RequestDecoder();
  private final PeerProfile peer;
  private final FrameAssembler assembler;
  private int requests;

  StubMaster(PeerProfile peer, int maxBytes) {
    this.peer = peer;
    this.assembler = new FrameAssembler(maxBytes, this::serve);
  }

  /** A master that serves only clients of main, as the one the behaviour was measured with. */
  static StubMaster ofMain() {
    return new StubMaster(
        new ProfileRegistry().pinnedConnection(WireProfile.MAIN), Frames.DEFAULT_MAX_BYTES);
  }

  FrameStatus receive(byte[] bytes) {
    return assembler.feed(bytes, 0, bytes.length);
  }

  FrameAssembler assembler() {
    return assembler;
  }

  /** Hex of all that was answered. */
  String sent() {
    return TestVectors.hex(out.toBytes());
  }

  int requests() {
    return requests;
  }

  private void serve(int functionId, int seq, byte[] buffer, int at, int length) {
    requests++;
    DecodedRequest decoded = decoder.decode(functionId, buffer, at, length, peer);
    if (decoded instanceof DecodedRequest.Refusal refusal) {
      ReplyEncoder.encodeError(refusal.reply(), seq, out);
      return;
    }
    DecodedRequest.Call call = (DecodedRequest.Call) decoded;
    Request request = call.request();
    ReplyEncoder.encode(request.rpc(), answer(request), call.replyProfile(), seq, out);
  }

  private static Reply answer(Request request) {
    if (request instanceof Request.ExistKey exist) {
      return Reply.ok(exist.key().equals("a"));
    } else if (request instanceof Request.GetReplicaList) {
      return Reply.error(ErrorCode.OBJECT_NOT_FOUND);
    } else if (request instanceof Request.Unserved unserved) {
      return ReplyEncoder.unserved(unserved);
    }
    return Reply.OK;
  }
}
