package io.tidemark.core;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.Request;
import io.tidemark.core.table.ScopedKey;
import java.util.List;
import java.util.OptionalLong;

/**
 * What enters the core: decoded intents of clients and the master's own triggers, through the same
 * door.
 */
sealed interface Command {

  /** A client's call. */
  record ClientCall(Request.Mutation request, Origin origin) implements Command {

    /** Whether it may give out memory. */
    boolean startsWrites() {
      return request instanceof Request.WriteStart || request instanceof Request.BatchWriteStart;
    }
  }

  /** Removes keys that a scan selected; each is judged again. */
  record RemoveKeys(List<ScopedKey> keys, boolean force, Reason reason, int causeCode)
      implements Command {}

  /** Sets or clears committed soft pins. */
  record SoftPin(List<String> keys, String tenant, OptionalLong ttlMs) implements Command {}

  /** Evicts the memory of keys that a census selected; each is judged again. */
  record Evict(List<ScopedKey> keys, boolean softPinnedToo, Reason reason) implements Command {}

  /** Gives up writes that started before a log time. */
  record ExpireWrites() implements Command {}

  /** Frees ranges whose quarantine is over. */
  record ReleaseDiscards() implements Command {}

  /** Clears soft pins whose deadline has passed. */
  record ExpireSoftPins() implements Command {}

  /** Judges the liveness of all clients and the deadlines of graceful unmounts. */
  record JudgeClients() implements Command {}

  /**
   * Drops replicas of departed segments from these keys; then forgets mounts that a full scan found
   * empty.
   */
  record Sweep(List<ScopedKey> keys, int[] finishedSegments) implements Command {}

  /** Records that time passed. */
  record Tick() implements Command {}

  /** A term begins. */
  record StartTerm(boolean dropMemory, boolean forced) implements Command {}

  /** Records the digest of the state. */
  record RecordDigest() implements Command {}

  /** Changes nothing; its answer waits for everything appended before it. */
  record Barrier() implements Command {}

  /** What a client sends shows which release it is. */
  record LearnRelease(Uuid clientId, String release) implements Command {}

  /** A client connection is gone. Soft state only. */
  record ConnectionClosed(long connectionId) implements Command {}
}
