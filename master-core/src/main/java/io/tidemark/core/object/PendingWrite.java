package io.tidemark.core.object;

import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.api.state.StateRecord;
import io.tidemark.core.table.ScopedKey;

/**
 * An unfinished primary write: what is known of it beyond the object's record.
 *
 * <p>The connection is soft state: known only to the term in which the write started.
 */
public final class PendingWrite {
  private final ScopedKey key;
  private final long epoch;
  private final long startMs;
  private SoftPinAction softPin;
  private long softPinTtlMs;
  private boolean pinSettled;
  private final long[] pinEligibleIds;
  private long connectionId;

  PendingWrite(
      ScopedKey key,
      long epoch,
      long startMs,
      SoftPinAction softPin,
      long ttlMs,
      long[] eligibleIds) {
    this.key = key;
    this.epoch = epoch;
    this.startMs = startMs;
    this.softPin = softPin;
    this.softPinTtlMs = ttlMs;
    this.pinEligibleIds = eligibleIds;
  }

  static PendingWrite of(StateRecord.Write r) {
    ScopedKey key = ScopedKey.of(r.key());
    PendingWrite write =
        new PendingWrite(
            key, r.epoch(), r.startMs(), r.softPin(), r.softPinTtlMs(), r.pinEligibleIds());
    write.pinSettled = r.pinSettled();
    return write;
  }

  StateRecord.Write export() {
    return new StateRecord.Write(
        key.toObjectKey(), epoch, startMs, softPin, softPinTtlMs, pinSettled, pinEligibleIds);
  }

  public ScopedKey key() {
    return key;
  }

  /** Epoch in which it started or was last resumed. */
  public long epoch() {
    return epoch;
  }

  /** Log time of its start. */
  public long startMs() {
    return startMs;
  }

  SoftPinAction softPin() {
    return softPin;
  }

  long softPinTtlMs() {
    return softPinTtlMs;
  }

  /** Whether the pending soft pin was committed or dropped. */
  boolean isPinSettled() {
    return pinSettled;
  }

  void settlePin() {
    pinSettled = true;
  }

  /** Whether the completion of a replica commits the soft pin. */
  boolean isPinEligible(long replicaId) {
    for (long id : pinEligibleIds) {
      if (id == replicaId) {
        return true;
      }
    }
    return false;
  }

  /** Connection of the Start; 0 once it is closed, or if this term did not see the Start. */
  public long connectionId() {
    return connectionId;
  }

  void connectionId(long id) {
    connectionId = id;
  }
}
