package io.tidemark.wire;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.TypeForm;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType;
import java.util.List;

/**
 * Writes answers as whole response frames in plain form (coro-rpc wire, sections 1.3, 2 and 5.3).
 * v0.3.14 is answered as main, which its clients take (section 5.8).
 *
 * <p>Stateless and thread-safe; the buffer is not.
 */
public final class ReplyEncoder {

  private static final TypeForm ERROR = TypeForm.of(WireType.TEXT);
  private static final TypeForm WIDE_ERROR =
      TypeForm.of(
          new WireType.Struct(
              "rpc error",
              List.of(
                  new WireType.Field("code", WireType.Scalar.U16),
                  new WireType.Field("message", WireType.TEXT)),
              List.of()));

  private ReplyEncoder() {}

  /**
   * Appends the frame of an answer.
   *
   * @param rpc the call that is answered; fixes the type of the reply's values
   * @param profile the release in whose form to answer, from {@link DecodedRequest.Call}
   * @param seq sequence number of the request
   * @throws IllegalArgumentException or ClassCastException if the reply is none for this call;
   *     nothing was appended then
   */
  public static void encode(Rpc rpc, Reply reply, WireProfile profile, int seq, WireBuffer out) {
    if (reply instanceof Reply.RpcError error) {
      encodeError(error, seq, out);
      return;
    }
    CallForms call = CallTable.of(rpc);
    if (call.answersVoid() && reply instanceof Reply.One one && one.result().isOk()) {
      encodeDone(call.result(profile), seq, out);
      return;
    }
    int start = out.size();
    boolean done = false;
    try {
      encode(call, reply, profile, seq, out);
      done = true;
    } finally {
      if (!done) {
        out.truncate(start);
      }
    }
  }

  /** The most frequent answer, always the same 21 bytes but for the sequence number. */
  private static void encodeDone(TypeForm form, int seq, WireBuffer out) {
    int start = out.size();
    Frames.openResponse(out, 0, seq);
    out.putInt(form.hash());
    out.putByte(1);
    Frames.closeResponse(out, start);
  }

  private static void encode(
      CallForms call, Reply reply, WireProfile profile, int seq, WireBuffer out) {
    int start = out.size();
    ReplyWriter writer = new ReplyWriter(call, DescriptorTable.of(profile), profile, out);
    out.prepareMessage(reply instanceof Reply.Many many ? many.results().size() : 0);
    do {
      out.truncate(start);
      Frames.openResponse(out, 0, seq);
      out.openMessage(call.result(profile));
      writer.write(reply);
    } while (!out.closeMessage());
    Frames.closeResponse(out, start);
  }

  /** The answer to a call that is not served: {@link ErrorCode#NOT_SUPPORTED} inside its result. */
  public static Reply unserved(Request.Unserved request) {
    return refuse(request.rpc(), request.itemCount(), ErrorCode.NOT_SUPPORTED);
  }

  /**
   * An error inside the result of a call, in the shape that the call has.
   *
   * @param itemCount elements of the answer, if the result of the call is a vector
   */
  public static Reply refuse(Rpc rpc, int itemCount, ErrorCode code) {
    return CallTable.of(rpc).shape() == CallForms.Shape.MANY
        ? Reply.errors(code, itemCount)
        : Reply.error(code);
  }

  /** Whether the result of a call is one {@code expected} for each item of the request. */
  public static boolean hasResultPerItem(Rpc rpc) {
    return CallTable.of(rpc).shape() == CallForms.Shape.MANY;
  }

  /**
   * Appends the frame of an RPC error, the answer to a {@link DecodedRequest.Refusal}.
   *
   * @throws IllegalArgumentException if the code is none that the wire can carry
   */
  public static void encodeError(Reply.RpcError error, int seq, WireBuffer out) {
    int code = error.rpcCode();
    if (code <= 0 || code == Frames.WIDE_ERROR || code > 0xffff) {
      throw new IllegalArgumentException("no RPC error code: " + code);
    }
    boolean wide = code >= RpcCodes.FIRST_WIDE;
    int start = out.size();
    out.prepareMessage(0);
    do {
      out.truncate(start);
      Frames.openResponse(out, wide ? Frames.WIDE_ERROR : code, seq);
      out.openMessage(errorForm(wide));
      if (wide) {
        out.putShort(code);
      }
      out.putText(error.message());
    } while (!out.closeMessage());
    Frames.closeResponse(out, start);
  }

  /** Form of the body of an error answer. */
  static TypeForm errorForm(boolean wide) {
    return wide ? WIDE_ERROR : ERROR;
  }
}
