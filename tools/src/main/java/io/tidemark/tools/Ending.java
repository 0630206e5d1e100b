package io.tidemark.tools;

import io.tidemark.api.event.Reason;
import java.util.Locale;

/** The ways in which a copy of a key ends, as an operator would name them. */
enum Ending {
  EVICTED,
  REMOVED,
  EXPIRED,
  REVOKED,
  DISCARDED,
  REPLACED,
  UNMOUNTED;

  /** The way that a logged reason stands for. */
  static Ending of(Reason reason) {
    return switch (reason) {
      case EVICTED_WATERMARK, EVICTED_ALLOCATION, EVICTED_GROUP -> EVICTED;
      case REVOKED -> REVOKED;
      case WRITE_EXPIRED, PIN_EXPIRED -> EXPIRED;
      case WRITE_ABANDONED, WRITE_PREEMPTED, WRITE_RESTARTED -> DISCARDED;
      case UPSERTED -> REPLACED;
      case SEGMENT_UNMOUNTED,
          SEGMENT_GRACE_ENDED,
          CLIENT_EXPIRED,
          ENDPOINT_TAKEN_OVER,
          HOST_RESTARTED,
          SILENT ->
          UNMOUNTED;
      case REMOVED, REMOVED_FORCED, REMOVED_BY_REGEX, REMOVED_ALL, CLEARED, ADMIN, NONE, RETURNED ->
          REMOVED;
    };
  }

  /** The word for it, lower case. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The word and the reason, for example {@code revoked: write revoked by its writer}. */
  static String text(Reason reason) {
    String word = of(reason).word();
    return reason.text().startsWith(word) ? reason.text() : word + ": " + reason.text();
  }
}
