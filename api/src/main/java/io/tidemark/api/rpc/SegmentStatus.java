package io.tidemark.api.rpc;

/**
 * Life cycle of a segment; the wire number is the ordinal (segments specification, section 2.2).
 */
public enum SegmentStatus {
  UNDEFINED,
  /** Takes allocations, replicas readable. */
  OK,
  DRAINING,
  DRAINED,
  /** No new allocations, replicas readable until the deadline. */
  GRACEFULLY_UNMOUNTING,
  /** No allocations, replicas unreadable at once; metadata is being swept. */
  UNMOUNTING;

  /** Number on the wire. */
  public int code() {
    return ordinal();
  }
}
