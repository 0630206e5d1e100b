package io.tidemark.core;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.Request;
import java.util.List;
import java.util.OptionalLong;

/**
 * What the server's edges call. Every method may be called from any thread and never waits for
 * another node.
 */
public interface MasterService {

  /**
   * Serves one client call.
   *
   * @param sink told the answer exactly once, on any thread, possibly before this returns
   */
  void submit(Request request, Origin origin, ReplySink sink);

  /**
   * Sets ({@code ttlMs} present) or clears the committed soft pin of existing objects, as the admin
   * port does.
   *
   * <p>The answer is a {@link io.tidemark.api.rpc.Reply.Many} of results without value, one a key,
   * or a {@link io.tidemark.api.rpc.Reply.One} error for the whole call.
   */
  void softPin(List<String> keys, String tenant, OptionalLong ttlMs, Origin origin, ReplySink sink);

  /**
   * A client connection is gone: its unfinished writes may be resumed by their writer at once
   * (COR-11).
   */
  void connectionClosed(long connectionId);

  /**
   * What a client sends shows which release it is; the log remembers it for the time after a
   * restart.
   *
   * @param release label of the newest release that takes the same answers
   */
  void releaseLearned(Uuid clientId, String release);

  /**
   * Read-only look at the state for admin and metrics; grants no leases, counts nothing, logs
   * nothing (REQ-035).
   */
  MasterView view();
}
