package io.tidemark.api.event;

/**
 * Kinds of events with their number in the log. Numbers are for ever; a changed layout gets a new
 * version.
 */
public enum EventType {
  WRITE_STARTED(1),
  WRITE_RESUMED(2),
  WRITE_REOPENED(3),
  REPLICAS_COMPLETED(4),
  REPLICAS_DROPPED(5),
  SOFT_PIN_CHANGED(6),
  DISCARD_RELEASED(7),
  SEGMENT_MOUNTED(20),
  SEGMENT_GRACE_STARTED(21),
  SEGMENT_UNMOUNTING(22),
  SEGMENT_UNMOUNTED(23),
  CLIENT_CHANGED(24),
  HOST_ID_LEARNED(25),
  CLIENT_RELEASE_LEARNED(26),
  EPOCH_STARTED(40),
  TICK(41),
  STATE_DIGEST(42);

  private static final EventType[] BY_CODE = new EventType[64];

  static {
    for (EventType type : values()) {
      BY_CODE[type.code] = type;
    }
  }

  private final int code;

  EventType(int code) {
    this.code = code;
  }

  /** Number in the log. */
  public int code() {
    return code;
  }

  /** Layout version that this release writes. */
  public int version() {
    return 1;
  }

  static EventType of(int code) {
    EventType type = code >= 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    if (type == null) {
      throw new UnknownEventException("unknown event type " + code);
    }
    return type;
  }
}
