package io.tidemark.api.log;

import io.tidemark.api.rpc.Rpc;

/**
 * Why a batch was decided: a client's call, or one of the master's own triggers. The number is part
 * of the log format.
 */
public final class Cause {

  /** Triggers of the master itself. Append only: the position is part of the log format. */
  public enum Trigger {
    /** A leadership term began. */
    TERM_START,
    /** Nothing else was logged while deadlines were pending (COR-25). */
    TICK,
    /** Memory passed the high watermark, or an allocation failed. */
    EVICTION,
    /** A write passed its release timeout. */
    WRITE_EXPIRY,
    /** Ranges on the discard list passed their deadline. */
    DISCARD_RELEASE,
    /** Soft pins passed their deadline. */
    SOFT_PIN_EXPIRY,
    /** A client was silent for its active or suspicion TTL. */
    CLIENT_LIVENESS,
    /** Replicas of a departed segment are being dropped. */
    STALE_SWEEP,
    /** A graceful unmount passed its deadline. */
    GRACE_DEADLINE,
    /** An operator's call on the admin port. */
    ADMIN,
    /** The state digest was recorded. */
    DIGEST
  }

  private static final int TRIGGER_BASE = 1000;

  private Cause() {}

  /** Number of a client call. */
  public static int of(Rpc rpc) {
    return rpc.code();
  }

  /** Number of an internal trigger. */
  public static int of(Trigger trigger) {
    return TRIGGER_BASE + trigger.ordinal();
  }

  /** Name for people. */
  public static String nameOf(int code) {
    if (code > 0 && code <= Rpc.values().length) {
      return Rpc.values()[code - 1].methodName();
    }
    int trigger = code - TRIGGER_BASE;
    if (trigger >= 0 && trigger < Trigger.values().length) {
      return Trigger.values()[trigger].name();
    }
    return "UNKNOWN(" + code + ")";
  }
}
