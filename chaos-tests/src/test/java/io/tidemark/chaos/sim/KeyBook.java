package io.tidemark.chaos.sim;

import io.tidemark.api.rpc.ReplicaDescriptor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * What clients know of keys, and what they may therefore be told. Each key has one writer and one
 * life: started, ended, removed. Times are those at which a message left or reached a client; lease
 * times those of the master's answer.
 */
final class KeyBook {
  private static final long NEVER = Long.MAX_VALUE;

  private final LongSupplier nanos;
  private final Map<String, Key> keys = new LinkedHashMap<>();
  private final List<String> readable = new ArrayList<>();
  private long reads;

  /** One key. */
  static final class Key {
    final String name;
    List<ReplicaDescriptor> ranges = List.of();
    boolean started;
    boolean abandoned;
    long endSent = NEVER;
    long endAcked = NEVER;
    long seen = NEVER;
    long removeSent = NEVER;
    long removeAcked = NEVER;
    long goneSeen = NEVER;
    long leasedFrom;
    long leasedUntil;
    boolean forgiven;

    Key(String name) {
      this.name = name;
    }

    /** Whether it is certain since {@code time} that a reader finds it, unless it was removed. */
    boolean mustBeThere(long time) {
      return endAcked < time || seen < time;
    }

    boolean mustBeGone(long time) {
      return removeAcked < time || goneSeen < time;
    }

    boolean mayHaveBeenRemoved() {
      return removeSent != NEVER;
    }
  }

  KeyBook(LongSupplier nanos) {
    this.nanos = nanos;
  }

  Key create(String name) {
    Key key = new Key(name);
    keys.put(name, key);
    return key;
  }

  /** An operator gave up what there was: nothing may be expected of the keys that exist now. */
  void giveUpAll() {
    keys.values().forEach(key -> key.forgiven = true);
  }

  Iterable<Key> all() {
    return keys.values();
  }

  /** A key that some reader may ask for; null while there is none. */
  Key readable(int dice) {
    return readable.isEmpty() ? null : keys.get(readable.get(dice % readable.size()));
  }

  long reads() {
    return reads;
  }

  // ---- writes

  /** The master gave out ranges, and nobody else may use them (correctness before all). */
  void started(Key key, List<ReplicaDescriptor> ranges) {
    for (Key other : keys.values()) {
      if (other != key && holds(other) && overlap(other.ranges, ranges)) {
        throw new Violation(
            key.name + " was given " + ranges + " while " + other.name + " holds " + other.ranges);
      }
    }
    Violation.check(
        !key.started || key.forgiven || key.ranges.equals(ranges),
        "%s was given %s, and %s on a second try",
        key.name,
        key.ranges,
        ranges);
    key.started = true;
    key.ranges = ranges;
  }

  private boolean holds(Key key) {
    boolean leased = key.leasedUntil > nanos.getAsLong();
    return key.started && !key.forgiven && (!key.mayHaveBeenRemoved() || leased);
  }

  private static boolean overlap(List<ReplicaDescriptor> some, List<ReplicaDescriptor> others) {
    for (ReplicaDescriptor one : some) {
      for (ReplicaDescriptor other : others) {
        ReplicaDescriptor.Memory a = (ReplicaDescriptor.Memory) one;
        ReplicaDescriptor.Memory b = (ReplicaDescriptor.Memory) other;
        if (a.transportEndpoint().equals(b.transportEndpoint())
            && a.bufferAddress() < b.bufferAddress() + b.sizeBytes()
            && b.bufferAddress() < a.bufferAddress() + a.sizeBytes()) {
          return true;
        }
      }
    }
    return false;
  }

  void endSent(Key key) {
    if (key.endSent == NEVER) {
      key.endSent = nanos.getAsLong();
      readable.add(key.name);
    }
  }

  void endAcked(Key key) {
    key.endAcked = Math.min(key.endAcked, nanos.getAsLong());
  }

  /** A removal that may be carried out was sent. */
  void removeSent(Key key) {
    key.removeSent = Math.min(key.removeSent, nanos.getAsLong());
  }

  /** No attempt of the removal can have been, or can be, carried out. */
  void removeRefused(Key key) {
    key.removeSent = NEVER;
  }

  /**
   * @param arrivedNanos when the call reached the master
   * @param answeredNanos when the master answered
   */
  void removed(Key key, long arrivedNanos, long answeredNanos) {
    Violation.check(
        key.forgiven || !(key.leasedFrom < arrivedNanos && answeredNanos < key.leasedUntil),
        "%s was removed at %d ms under a reader's lease from %d to %d ms",
        key.name,
        answeredNanos / SimConfig.MILLI,
        key.leasedFrom / SimConfig.MILLI,
        key.leasedUntil / SimConfig.MILLI);
    key.removeAcked = Math.min(key.removeAcked, nanos.getAsLong());
  }

  void removedBefore(Key key) {
    key.removeAcked = Math.min(key.removeAcked, nanos.getAsLong());
  }

  // ---- reads

  /** A reader got addresses. */
  void found(
      Key key, List<ReplicaDescriptor> ranges, long sentNanos, long answeredNanos, long leaseMs) {
    reads++;
    if (key.forgiven) {
      return;
    }
    Violation.check(!key.mustBeGone(sentNanos), "%s is there again after it was gone", key.name);
    Violation.check(
        key.endSent != NEVER, "%s is readable although its writer has not ended it", key.name);
    Violation.check(
        !key.started || addresses(key.ranges).equals(addresses(ranges)),
        "%s is read at %s, was written at %s",
        key.name,
        ranges,
        key.ranges);
    key.seen = Math.min(key.seen, nanos.getAsLong());
    key.leasedFrom = answeredNanos;
    key.leasedUntil = Math.max(key.leasedUntil, answeredNanos + leaseMs * SimConfig.MILLI);
  }

  private static List<Long> addresses(List<ReplicaDescriptor> ranges) {
    return ranges.stream().map(r -> ((ReplicaDescriptor.Memory) r).bufferAddress()).toList();
  }

  /** A reader was told that there is no such object, or none that is readable. */
  void notFound(Key key, long sentNanos) {
    reads++;
    Violation.check(
        key.forgiven || key.mayHaveBeenRemoved() || !key.mustBeThere(sentNanos),
        "%s is not found although it was stored and nobody removed it",
        key.name);
    if (key.mustBeThere(sentNanos)) {
      key.goneSeen = Math.min(key.goneSeen, nanos.getAsLong());
    }
  }
}
