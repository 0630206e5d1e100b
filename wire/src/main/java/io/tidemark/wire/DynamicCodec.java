package io.tidemark.wire;

import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.Signature;
import io.tidemark.wire.schema.TypeForm;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType;
import io.tidemark.wire.schema.WireType.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes every message of every release as plain trees, following the schema (coro-rpc
 * wire, sections 5 to 8). For tools, tests and calls without a record; not made for speed.
 *
 * <p>Trees: integers are {@link Long} (u64 as bit pattern, smaller unsigned ones zero-extended),
 * truth values {@link Boolean}, strings wire strings, vectors {@link List}, maps a list of two-
 * element lists in wire order, an optional the value or null, structures a {@link Map} by member
 * name in wire order (an absent compatible member is missing), variants {@link Alternative},
 * expected {@link Outcome}.
 *
 * <p>Stateless and thread-safe.
 */
public final class DynamicCodec {

  /**
   * The value of a variant.
   *
   * @param index position of the alternative in the release at hand
   */
  public record Alternative(int index, Object value) {}

  /**
   * The value of an {@code expected}.
   *
   * @param errorCode meaningful only without value
   * @param value null also for {@code expected<void>}
   */
  public record Outcome(boolean hasValue, int errorCode, Object value) {

    /** A success. */
    public static Outcome ok(Object value) {
      return new Outcome(true, 0, value);
    }

    /** A failure. */
    public static Outcome error(int errorCode) {
      return new Outcome(false, errorCode, null);
    }
  }

  private DynamicCodec() {}

  /**
   * The arguments in a request body.
   *
   * @throws MalformedMessageException if the bytes are no request of this call and release
   * @throws IllegalArgumentException if the release does not know the call
   */
  public static List<Object> decodeRequest(
      Rpc rpc, WireProfile profile, byte[] body, int offset, int length) {
    Signature signature = signature(rpc, profile);
    if (signature.request().isEmpty()) {
      return List.of();
    }
    Object tree = read(signature.request().get(), body, offset, length);
    if (signature.arguments().size() == 1) {
      return List.of(tree);
    }
    return new ArrayList<>(((Map<?, ?>) tree).values());
  }

  /**
   * The result in the body of a response without RPC error.
   *
   * @throws MalformedMessageException if the bytes are no result of this call and release
   * @throws IllegalArgumentException if the release does not know the call
   */
  public static Object decodeResult(
      Rpc rpc, WireProfile profile, byte[] body, int offset, int length) {
    return read(signature(rpc, profile).result(), body, offset, length);
  }

  /** Appends a request body. */
  public static void encodeRequest(
      Rpc rpc, WireProfile profile, List<?> arguments, boolean literal, WireBuffer out) {
    Signature signature = signature(rpc, profile);
    List<Field> fields = signature.arguments();
    if (arguments.size() != fields.size()) {
      throw new IllegalArgumentException(
          rpc.methodName() + " takes " + fields.size() + " arguments, not " + arguments.size());
    }
    if (signature.request().isEmpty()) {
      return;
    }
    TypeForm form = signature.request().get();
    if (fields.size() == 1) {
      write(form, arguments.get(0), literal, out);
    } else {
      write(form, DynamicWriter.named(fields, arguments), literal, out);
    }
  }

  /** Appends a result body. */
  public static void encodeResult(
      Rpc rpc, WireProfile profile, Object result, boolean literal, WireBuffer out) {
    write(signature(rpc, profile).result(), result, literal, out);
  }

  private static Signature signature(Rpc rpc, WireProfile profile) {
    return profile
        .signature(rpc)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    profile.label() + " does not know " + rpc.methodName()));
  }

  private static Object read(TypeForm form, byte[] body, int offset, int length) {
    BodyReader in = new BodyReader();
    in.start(body, offset, length);
    if (in.hash() != form.hash()) {
      throw new MalformedMessageException(RefusalReason.WRONG_HASH);
    }
    in.head(form.literal());
    return new DynamicReader(in).message(form);
  }

  private static void write(TypeForm form, Object tree, boolean literal, WireBuffer out) {
    int start = out.size();
    WireType type = form.type();
    DynamicWriter writer = new DynamicWriter(out);
    out.prepareMessage(0);
    do {
      out.truncate(start);
      out.openMessage(form, literal, form.hasCompatibleMembers());
      writer.value(type, tree);
      if (form.hasCompatibleMembers()) {
        writer.compatible(type, tree);
      }
    } while (!out.closeMessage());
  }
}
