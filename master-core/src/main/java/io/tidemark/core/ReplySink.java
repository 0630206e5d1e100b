package io.tidemark.core;

import io.tidemark.api.rpc.Reply;

/** Takes the answer to one call, exactly once, on any thread. Must not block. */
@FunctionalInterface
public interface ReplySink {
  void reply(Reply reply);
}
