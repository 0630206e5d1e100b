package io.tidemark.wire;

import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.CallForms.RequestForm;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType.Field;
import io.tidemark.wire.schema.WireType.Vec;
import java.util.Optional;

/**
 * Turns the body of a request into a {@link Request}, whichever supported release sent it, in plain
 * or in literal form (coro-rpc wire, sections 5.9 and 8). Learns the sender's release on the way.
 *
 * <p>Keep one per I/O thread: it reuses its reader and is not thread-safe. It never throws for what
 * a client sends, and allocates in proportion to the bytes received.
 */
public final class RequestDecoder {

  private final BodyReader in = new BodyReader();
  private final RequestReader reader = new RequestReader(in);

  /**
   * Decodes one request.
   *
   * @param body holds the body, which is not kept
   * @param peer what is known of the connection's client; learns from this request
   */
  public DecodedRequest decode(
      int functionId, byte[] body, int offset, int length, PeerProfile peer) {
    Optional<CallForms> found = CallTable.find(functionId);
    if (found.isEmpty()) {
      return unknown(functionId, peer);
    }
    CallForms call = found.get();
    if (call.noArguments().isPresent()) {
      // A body is ignored, as upstream does (section 1.2).
      peer.observe(call.rpc(), call.knownTo());
      return new DecodedRequest.Call(call.noArguments().get(), peer.replyProfile(call));
    }
    try {
      in.start(body, offset, length);
      RequestForm form = call.requestForm(in.hash());
      if (form == null || (form.senders() & peer.allowed()) == 0) {
        return wrongHash(call, form);
      }
      in.head(form.form().literal());
      return call(call, form, peer);
    } catch (MalformedMessageException malformed) {
      return refusal(malformed.reason(), call.rpc(), "");
    }
  }

  private DecodedRequest call(CallForms call, RequestForm form, PeerProfile peer) {
    reader.begin(form.layout());
    Request request = reader.read(call.rpc()).orElseGet(() -> unserved(call, form));
    int senders = senders(form);
    if (reader.hasClient()) {
      peer.observe(call.rpc(), senders, reader.client());
    } else {
      peer.observe(call.rpc(), senders);
    }
    return new DecodedRequest.Call(request, peer.replyProfile(call));
  }

  /** v0.3.14 gives a total length whenever the type has compatible members, others never do. */
  private int senders(RequestForm form) {
    int withLength = form.lengthSenders();
    int senders = in.hasTotalLength() ? withLength : form.senders() & ~withLength;
    return senders == 0 ? form.senders() : senders;
  }

  /** Checks the arguments of a call without a record, and counts what its answer must have. */
  private Request unserved(CallForms call, RequestForm form) {
    int items = -1;
    for (Field argument : form.arguments()) {
      if (argument.name().equals("client_id")) {
        reader.noteClient(in.uuid());
      } else if (argument.type() instanceof Vec vec) {
        int count = TypeWalker.skipVector(vec, in);
        items = items < 0 ? count : items;
      } else {
        TypeWalker.skip(argument.type(), in);
      }
    }
    return new Request.Unserved(call.rpc(), call.shape() == CallForms.Shape.MANY ? items : 1);
  }

  private static DecodedRequest unknown(int functionId, PeerProfile peer) {
    Optional<Rpc> weightCall = CallTable.weightCall(functionId);
    if (weightCall.isEmpty()) {
      return new DecodedRequest.Refusal(RefusalReason.UNKNOWN_FUNCTION, Optional.empty(), "");
    }
    if (ProfileSet.contains(peer.allowed(), WireProfile.V0_3_14)) {
      peer.observe(weightCall.get(), WireProfile.V0_3_14.bit());
    }
    return refusal(RefusalReason.WEIGHT_CALL, weightCall.get(), WireProfile.V0_3_14.label());
  }

  private DecodedRequest wrongHash(CallForms call, RequestForm form) {
    String looksLike =
        form == null
            ? UnsupportedReleases.senderOf(call.rpc(), in.hash())
            : ProfileSet.newest(form.senders()).label();
    return refusal(RefusalReason.WRONG_HASH, call.rpc(), looksLike);
  }

  private static DecodedRequest refusal(RefusalReason reason, Rpc rpc, String looksLike) {
    return new DecodedRequest.Refusal(reason, Optional.of(rpc), looksLike);
  }
}
