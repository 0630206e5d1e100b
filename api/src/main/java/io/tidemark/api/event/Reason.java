package io.tidemark.api.event;

/**
 * Why replicas, ranges, segments or clients changed. The number (ordinal) is part of the log
 * format: append only.
 */
public enum Reason {
  /** No particular reason; the event type says it. */
  NONE("-"),
  /** Remove of one key. */
  REMOVED("removed by a client"),
  /** Remove with force of an object that still had a read lease. */
  REMOVED_FORCED("removed by a client with force while leased"),
  /** Matched by RemoveByRegex. */
  REMOVED_BY_REGEX("removed by a regular expression"),
  /** RemoveAll. */
  REMOVED_ALL("removed by remove-all"),
  /** BatchReplicaClear by the owner. */
  CLEARED("cleared by its owner"),
  /** PutRevoke or UpsertRevoke. */
  REVOKED("write revoked by its writer"),
  /** A later PutStart replaced a write older than the discard timeout. */
  WRITE_ABANDONED("unfinished write replaced by a newer put"),
  /** An UpsertStart pre-empted an unfinished write. */
  WRITE_PREEMPTED("unfinished write pre-empted by an upsert"),
  /** An unfinished write passed the release timeout. */
  WRITE_EXPIRED("unfinished write passed its release timeout"),
  /**
   * The writer asked again with another length or replica count after a restart or a broken
   * connection.
   */
  WRITE_RESTARTED("write restarted by the same client with another shape"),
  /** An upsert allocated anew. */
  UPSERTED("replaced by an upsert"),
  /** Evicted: memory above the high watermark. */
  EVICTED_WATERMARK("evicted: memory above the high watermark"),
  /** Evicted: an allocation had failed. */
  EVICTED_ALLOCATION("evicted: an allocation had failed for lack of memory"),
  /** Evicted together with its group. */
  EVICTED_GROUP("evicted together with its group"),
  /** The segment that held it was unmounted by its owner. */
  SEGMENT_UNMOUNTED("its segment was unmounted"),
  /** The grace period of its segment ended. */
  SEGMENT_GRACE_ENDED("the grace period of its segment ended"),
  /** The client that lent the memory went offline. */
  CLIENT_EXPIRED("the client that lent the memory went offline"),
  /** Another client mounted the endpoint of a silent one (COR-12). */
  ENDPOINT_TAKEN_OVER("another client mounted the same endpoint"),
  /**
   * Memory dropped at start: the host restarted without a clean stop under persist=page (COR-13).
   */
  HOST_RESTARTED("the host restarted without a clean stop; the end of the log may be missing"),
  /** Removed on the admin port. */
  ADMIN("by an operator on the admin port"),
  /** A soft pin passed its deadline. */
  PIN_EXPIRED("soft pin passed its deadline"),
  /** A client was silent for the active TTL. */
  SILENT("no sign of life"),
  /** A client showed a sign of life again. */
  RETURNED("sign of life");

  private static final Reason[] BY_CODE = values();

  private final String text;

  Reason(String text) {
    this.text = text;
  }

  /** Number in the log. */
  public int code() {
    return ordinal();
  }

  /** A clause for people. */
  public String text() {
    return text;
  }

  /**
   * The reason of a logged number.
   *
   * @throws IllegalArgumentException if this version does not know it
   */
  public static Reason of(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("unknown reason code " + code + " in an event");
    }
    return BY_CODE[code];
  }
}
