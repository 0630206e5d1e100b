package io.tidemark.chaos.conformance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.Arrays;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Answers in which Tidemark differs on purpose. Each has an id under which {@code
 * docs/reference/differences.md} gives the reason; {@link DifferencesPageTest} holds the two
 * together.
 */
enum KnownDifference {
  UNMOUNT_BY_OTHER(
      "unmount-only-by-owner",
      After.BRING_TOGETHER,
      d ->
          d.request() instanceof Request.UnmountSegment
              && d.isCodes(0, ErrorCode.INVALID_PARAMS.value())),

  UPSERT_OF_SUSPECTED(
      "upsert-of-suspected",
      After.STOP,
      d ->
          d.setting() == Setting.LIVENESS
              && isUpsert(d.request())
              && d.isCodes(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value(), 0));

  /** What becomes of the sequence after a known difference. */
  enum After {
    /** The states are made equal again. */
    BRING_TOGETHER,
    /** The states can't be made equal; the sequence ends here. */
    STOP
  }

  private final String id;
  private final After after;
  private final Predicate<Difference> predicate;

  KnownDifference(String id, After after, Predicate<Difference> predicate) {
    this.id = id;
    this.after = after;
    this.predicate = predicate;
  }

  private static boolean isUpsert(Request request) {
    return request.rpc() == Rpc.UPSERT_START || request.rpc() == Rpc.BATCH_UPSERT_START;
  }

  /** Whether the sequence must end. */
  boolean stops() {
    return after == After.STOP;
  }

  /** The anchor on the page. */
  String id() {
    return id;
  }

  /** The one that names a difference. */
  static Optional<KnownDifference> of(Difference difference) {
    return Arrays.stream(values()).filter(known -> known.predicate.test(difference)).findFirst();
  }
}
