package io.tidemark.server.snapshot;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The door for whoever wants a snapshot now. Any thread. */
public interface SnapshotRequests {

  /**
   * How an attempt ended.
   *
   * @param failure empty if it gave a verified snapshot
   * @param alreadyThere whether nothing was appended since the newest one, so that it stands
   */
  record Outcome(
      Optional<String> failure,
      long index,
      long epoch,
      long objects,
      long bytes,
      long millis,
      String folder,
      boolean alreadyThere) {}

  /** Asks for a snapshot; requests that come while one waits share it. */
  CompletableFuture<Outcome> request();
}
