package io.tidemark.api.event;

import java.util.EnumSet;
import java.util.Set;

/**
 * Logged liveness of a client (as v0.3.14 has it: active, suspected, offline). The ordinal is part
 * of the log format.
 */
public enum ClientState {
  /**
   * Known by a mount or a ping, has not completed a remount in this life; timed like an active one.
   */
  JOINING,
  /** Completed a remount; Ping answers OK. */
  ACTIVE,
  /**
   * Silent for the active TTL: its replicas are hidden, nothing is placed on it, nothing is
   * deleted.
   */
  SUSPECTED,
  /** Silent for the suspicion TTL on top: its segments leave, the client is forgotten. */
  OFFLINE;

  private static final ClientState[] BY_CODE = values();

  /** Whether a client may go from this state to {@code next}. */
  public boolean canBecome(ClientState next) {
    return successors().contains(next);
  }

  private Set<ClientState> successors() {
    return switch (this) {
      case JOINING, SUSPECTED -> EnumSet.of(ACTIVE, JOINING, SUSPECTED, OFFLINE);
      case ACTIVE -> EnumSet.of(SUSPECTED, OFFLINE);
      case OFFLINE -> EnumSet.of(JOINING, ACTIVE);
    };
  }

  /** Number in the log. */
  public int code() {
    return ordinal();
  }

  /**
   * The state of a logged number.
   *
   * @throws IllegalArgumentException if this version does not know it
   */
  public static ClientState of(int code) {
    if (code < 0 || code >= BY_CODE.length) {
      throw new IllegalArgumentException("unknown client state " + code + " in an event");
    }
    return BY_CODE[code];
  }
}
