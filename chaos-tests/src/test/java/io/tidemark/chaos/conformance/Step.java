package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.Request;

/** One thing that a sequence does. */
sealed interface Step {

  /**
   * A call.
   *
   * @param client which of the sequence's clients makes it, on that client's connection
   */
  record Call(int client, Request request) implements Step {}

  /** Lets some time pass. */
  record Rest(long ms) implements Step {}

  /** Lets time pass until everything that is due within a time has happened. */
  record PassDeadlines(long horizonMs) implements Step {}
}
