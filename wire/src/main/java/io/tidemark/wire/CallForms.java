package io.tidemark.wire;

import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.wire.schema.FunctionIds;
import io.tidemark.wire.schema.Signature;
import io.tidemark.wire.schema.TypeForm;
import io.tidemark.wire.schema.WireProfile;
import io.tidemark.wire.schema.WireType.Expected;
import io.tidemark.wire.schema.WireType.Field;
import io.tidemark.wire.schema.WireType.Vec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One call in all releases: which request hashes exist, who sends them, and what each expects back.
 * Sets of profiles are bit masks of {@link WireProfile#bit}. Immutable.
 */
final class CallForms {

  /** How a result travels. */
  enum Shape {
    /** {@code expected<T>}. */
    ONE,
    /** {@code vector<expected<T>>}. */
    MANY,
    /** The value alone. */
    BARE
  }

  /**
   * One way to send the arguments.
   *
   * @param senders releases that send exactly this
   * @param layout one of the senders; they all mean the same bytes
   * @param lengthSenders those senders that give a total length
   */
  record RequestForm(
      TypeForm form, int senders, WireProfile layout, int lengthSenders, List<Field> arguments) {}

  private final Rpc rpc;
  private final int functionId;
  private final Optional<Request> noArguments;
  private final List<RequestForm> requests = new ArrayList<>();
  private final TypeForm[] results = new TypeForm[WireProfile.values().length];
  private final int knownTo;
  private final Shape shape;
  private final boolean voidResult;

  CallForms(Rpc rpc) {
    this.rpc = rpc;
    this.functionId = FunctionIds.of(rpc);
    int known = 0;
    Signature newest = null;
    for (WireProfile profile : WireProfile.values()) {
      Optional<Signature> signature = profile.signature(rpc);
      if (signature.isPresent()) {
        newest = signature.get();
        known |= profile.bit();
        results[profile.ordinal()] = newest.result();
        addRequest(newest, profile);
      }
    }
    this.knownTo = known;
    this.noArguments =
        requests.isEmpty() ? Optional.of(new Request.NoArguments(rpc)) : Optional.empty();
    this.shape = shapeOf(newest.result());
    this.voidResult = isVoid(newest.result());
    fillGaps();
  }

  private void addRequest(Signature signature, WireProfile profile) {
    if (signature.request().isEmpty()) {
      return;
    }
    TypeForm form = signature.request().get();
    int bit = profile.bit();
    int lengthBit = form.hasCompatibleMembers() ? bit : 0;
    for (int i = 0; i < requests.size(); i++) {
      RequestForm known = requests.get(i);
      if (known.form().hash() == form.hash()) {
        int senders = known.senders() | bit;
        int lengthSenders = known.lengthSenders() | lengthBit;
        requests.set(
            i,
            new RequestForm(
                known.form(), senders, known.layout(), lengthSenders, known.arguments()));
        return;
      }
    }
    requests.add(new RequestForm(form, bit, profile, lengthBit, signature.arguments()));
  }

  /** A release that does not know the call gets the form of the next newer, else older, one. */
  private void fillGaps() {
    for (int i = results.length - 2; i >= 0; i--) {
      results[i] = results[i] == null ? results[i + 1] : results[i];
    }
    for (int i = 1; i < results.length; i++) {
      results[i] = results[i] == null ? results[i - 1] : results[i];
    }
  }

  private static Shape shapeOf(TypeForm result) {
    if (result.type() instanceof Expected) {
      return Shape.ONE;
    }
    return result.type() instanceof Vec ? Shape.MANY : Shape.BARE;
  }

  private static boolean isVoid(TypeForm result) {
    return result.type() instanceof Vec vec
        ? vec.element() instanceof Expected element && element.value().isEmpty()
        : result.type() instanceof Expected one && one.value().isEmpty();
  }

  Rpc rpc() {
    return rpc;
  }

  int functionId() {
    return functionId;
  }

  /** The request, if the call has no arguments. */
  Optional<Request> noArguments() {
    return noArguments;
  }

  /** Releases that know the call. */
  int knownTo() {
    return knownTo;
  }

  Shape shape() {
    return shape;
  }

  /** Whether the result is one {@code expected<void>}. */
  boolean answersVoid() {
    return voidResult && shape == Shape.ONE;
  }

  /** Whether a result has no value, be it one or one an item. */
  boolean voidResult() {
    return voidResult;
  }

  /** The form with that hash, or null if no release sends it. */
  RequestForm requestForm(int hash) {
    for (int i = 0; i < requests.size(); i++) {
      if (requests.get(i).form().hash() == hash) {
        return requests.get(i);
      }
    }
    return null;
  }

  TypeForm result(WireProfile profile) {
    return results[profile.ordinal()];
  }

  /** Whether releases of the set expect different result types. */
  boolean ambiguous(int profiles) {
    int first = Integer.numberOfTrailingZeros(profiles);
    for (int i = first + 1; i < results.length; i++) {
      if ((profiles >> i & 1) != 0 && results[i].hash() != results[first].hash()) {
        return true;
      }
    }
    return false;
  }
}
