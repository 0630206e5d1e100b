package io.tidemark.wire;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.Signature;
import io.tidemark.wire.schema.TypeForm;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType;
import java.util.List;

/**
 * Reads the answers of a master of any supported release, in plain or literal form. Members that
 * v0.3.14 adds behind the payload are ignored.
 *
 * <p>Stateless and thread-safe.
 */
public final class ReplyDecoder {

  private ReplyDecoder() {}

  /**
   * Decodes one response.
   *
   * <p>Values of calls that have no record for their result (copy, move, offload and promotion
   * calls, tasks, NVMe-oF segments) are trees of {@link DynamicCodec}.
   *
   * @param errorCode {@code err_code} of the frame's header; if not 0 the reply is a {@link
   *     Reply.RpcError}
   * @param profile the release of the master
   * @throws MalformedMessageException if the bytes are no answer to this call
   * @throws IllegalArgumentException if the release does not know the call
   */
  public static Reply decode(
      Rpc rpc, int errorCode, byte[] body, int offset, int length, WireProfile profile) {
    BodyReader in = new BodyReader();
    in.start(body, offset, length);
    if (errorCode != 0) {
      return error(errorCode, in);
    }
    TypeForm form =
        profile
            .signature(rpc)
            .map(Signature::result)
            .orElseThrow(
                () ->
                    new IllegalArgumentException(
                        profile.label() + " does not know " + rpc.methodName()));
    head(in, form);
    return reply(rpc, form.type(), new ReplyReader(rpc, profile, in), in);
  }

  private static void head(BodyReader in, TypeForm form) {
    if (in.hash() != form.hash()) {
      throw new MalformedMessageException(RefusalReason.WRONG_HASH);
    }
    in.head(form.literal());
  }

  private static Reply error(int errorCode, BodyReader in) {
    boolean wide = errorCode == Frames.WIDE_ERROR;
    head(in, ReplyEncoder.errorForm(wide));
    return new Reply.RpcError(wide ? in.u16() : errorCode, in.text());
  }

  private static Reply reply(Rpc rpc, WireType type, ReplyReader values, BodyReader in) {
    switch (CallTable.of(rpc).shape()) {
      case ONE -> {
        return new Reply.One(result((WireType.Expected) type, values, in));
      }
      case MANY -> {
        WireType.Expected element = (WireType.Expected) ((WireType.Vec) type).element();
        int count = in.count(1);
        List<Result<?>> results = BodyReader.newList(count);
        for (int i = 0; i < count; i++) {
          results.add(result(element, values, in));
        }
        return new Reply.Many(results);
      }
      default -> {
        return new Reply.Bare(in.i64());
      }
    }
  }

  private static Result<?> result(WireType.Expected type, ReplyReader values, BodyReader in) {
    if (!in.bool()) {
      return new Result<>(in.i32(), null);
    }
    return type.value().isEmpty() ? Result.ok() : Result.ok(values.value(type.value().get()));
  }
}
