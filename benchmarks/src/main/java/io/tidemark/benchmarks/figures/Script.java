package io.tidemark.benchmarks.figures;

import java.util.Optional;

/**
 * What one connection does over and over. An operation is one request or several, one after the
 * other. Used by one thread at a time.
 */
interface Script {

  /** What an operation came to: operations, or keys of batches. */
  record Outcome(int done, int failed) {}

  /** The first request of the next operation; empty if there is nothing left to do. */
  Optional<KeyedFrame> begin();

  /** Takes an answer; gives the operation's next request, or empty if this was its last answer. */
  Optional<KeyedFrame> answered(byte[] buffer, int body, int length);

  /** What the operation that ended last came to. */
  Outcome outcome();
}
