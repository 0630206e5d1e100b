package io.tidemark.chaos.conformance;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.chaos.process.Release;
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

  MOUNT_NOT_AS_MOUNTED(
      "mount-not-as-mounted",
      After.GO_ON,
      d ->
          d.request() instanceof Request.MountSegment
              && d.isCodes(0, ErrorCode.INVALID_PARAMS.value())),

  PING_OF_SUSPECTED(
      "ping-of-suspected",
      After.BRING_TOGETHER,
      d -> d.setting() == Setting.LIVENESS && d.request() instanceof Request.Ping),

  UPSERT_OF_SUSPECTED(
      "upsert-of-suspected",
      After.BRING_TOGETHER,
      d ->
          d.setting() == Setting.LIVENESS
              && isUpsert(d.request())
              && d.isCodes(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value(), 0)),

  UPSERT_OF_SUSPECTED_WITHOUT_MEMORY(
      "upsert-of-suspected-without-memory",
      After.GO_ON,
      d ->
          d.setting() == Setting.LIVENESS
              && isUpsert(d.request())
              && d.isCodes(
                  ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value(),
                  ErrorCode.NO_AVAILABLE_HANDLE.value())),

  WAITING_OFFBOARDING(
      "remount-after-offline",
      After.STOP,
      d -> d.setting() == Setting.LIVENESS && isWaitingOffboarding(d)),

  /** Only against releases before v0.3.14. */
  DFS_ONLY(
      "dfs-without-memory",
      After.GO_ON,
      d ->
          isOld(d)
              && d.isCodes(
                  ErrorCode.INVALID_PARAMS.value(), ErrorCode.DFS_SERVICE_UNAVAILABLE.value())),

  /** Only against releases before v0.3.14. */
  UPSERT_OF_LEASED(
      "upsert-of-leased",
      After.BRING_TOGETHER,
      d -> isOld(d) && isUpsert(d.request()) && d.isCodes(0, 0)),

  /** Only against releases before v0.3.14. */
  PUT_AGAIN_LEASES(
      "put-again-leases",
      After.BRING_TOGETHER,
      d ->
          isOld(d)
              && (d.request() instanceof Request.Remove
                  || d.request() instanceof Request.BatchRemove)
              && d.isCodes(0, ErrorCode.OBJECT_HAS_LEASE.value()));

  /** What becomes of the sequence after a known difference. */
  enum After {
    /** Nothing: the states are equal. */
    GO_ON,
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

  private static boolean isOld(Difference d) {
    return d.oracle() != Release.V0_3_14;
  }

  private static boolean isWaitingOffboarding(Difference d) {
    boolean asksStatus =
        d.request() instanceof Request.QuerySegmentStatus
            || d.request() instanceof Request.QuerySegmentStatusById;
    boolean mounts =
        d.request() instanceof Request.MountSegment
            || d.request() instanceof Request.ReMountSegment;
    return mounts && d.isCodes(ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value(), 0)
        || asksStatus && d.isCodes(0, ErrorCode.SEGMENT_NOT_FOUND.value());
  }

  private static boolean isUpsert(Request request) {
    return request.rpc() == Rpc.UPSERT_START || request.rpc() == Rpc.BATCH_UPSERT_START;
  }

  /** What to do next. */
  After after() {
    return after;
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
