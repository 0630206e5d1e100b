package io.tidemark.chaos.conformance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Request;
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
      d ->
          d.request() instanceof Request.UnmountSegment
              && d.isCodes(0, ErrorCode.INVALID_PARAMS.value()));

  private final String id;
  private final Predicate<Difference> predicate;

  KnownDifference(String id, Predicate<Difference> predicate) {
    this.id = id;
    this.predicate = predicate;
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
