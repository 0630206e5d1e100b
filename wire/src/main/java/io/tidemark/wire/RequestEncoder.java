package io.tidemark.wire;

import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.Signature;
import io.tidemark.wire.schema.TypeForm;
import io.tidemark.wire.schema.WireProfile;
import java.util.List;

/**
 * Writes requests as whole frames in the form of any supported release, so that a Java program can
 * talk to any master. What a release cannot say is left out (coro-rpc wire, section 8.2).
 *
 * <p>Stateless and thread-safe; the buffer is not.
 */
public final class RequestEncoder {

  private RequestEncoder() {}

  /**
   * Appends the frame of a request.
   *
   * @param seq unique among the calls in flight on the connection
   * @param literal whether to spell out the type, as upstream's release builds do (section 5.3)
   * @throws IllegalArgumentException if the release does not know the call, or the request is a
   *     {@link Request.Unserved}, which has no arguments; nothing was appended then
   */
  public static void encode(
      Request request, WireProfile profile, int seq, boolean literal, WireBuffer out) {
    Signature signature = signature(request.rpc(), profile);
    if (request instanceof Request.Unserved) {
      throw new IllegalArgumentException(
          "give the arguments of " + request.rpc().methodName() + " to encodeTree");
    }
    int start = out.size();
    Frames.openRequest(out, CallTable.of(request.rpc()).functionId(), seq);
    if (signature.request().isPresent()) {
      message(request, profile, signature.request().get(), literal, out);
    }
    Frames.closeRequest(out, start);
  }

  private static void message(
      Request request, WireProfile profile, TypeForm form, boolean literal, WireBuffer out) {
    RequestWriter writer = new RequestWriter(profile, out);
    int start = out.size();
    out.prepareMessage(0);
    do {
      out.truncate(start);
      out.openMessage(form, literal, form.hasCompatibleMembers());
      writer.write(request);
    } while (!out.closeMessage());
  }

  /**
   * Appends the frame of any call, its arguments given as trees.
   *
   * @param arguments see {@link DynamicCodec}
   */
  public static void encodeTree(
      Rpc rpc, List<?> arguments, WireProfile profile, int seq, boolean literal, WireBuffer out) {
    int start = out.size();
    Frames.openRequest(out, CallTable.of(rpc).functionId(), seq);
    DynamicCodec.encodeRequest(rpc, profile, arguments, literal, out);
    Frames.closeRequest(out, start);
  }

  private static Signature signature(Rpc rpc, WireProfile profile) {
    return profile
        .signature(rpc)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    profile.label() + " does not know " + rpc.methodName()));
  }
}
