package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Sees when memory is freed that an earlier writer or reader may still use. Upstream gives it out
 * again at once, or much later; Tidemark when the quarantine or the lease ends. From then on the
 * masters place objects at different offsets.
 */
final class MemoryReuse {
  private static final Set<Rpc> UPSERTS = Set.of(Rpc.UPSERT_START, Rpc.BATCH_UPSERT_START);

  /** Keys whose write the oracle holds for unfinished. */
  private final Set<String> open = new HashSet<>();

  /** Whether a request may free such memory: a revoke, a forced removal, a write taken over. */
  boolean begins(Request request) {
    if (request instanceof Request.WriteRevoke || request instanceof Request.BatchWriteRevoke) {
      return true;
    }
    return forces(request) || takesOver(request);
  }

  private static boolean forces(Request request) {
    return request instanceof Request.Remove r && r.force()
        || request instanceof Request.BatchRemove b && b.force()
        || request instanceof Request.RemoveByRegex x && x.force()
        || request instanceof Request.RemoveAll a && a.force();
  }

  private boolean takesOver(Request request) {
    List<String> keys = Shown.keys(request);
    return UPSERTS.contains(request.rpc())
        && (keys.stream().anyMatch(open::contains)
            || keys.stream().distinct().count() < keys.size());
  }

  /** Takes note of an answer of the oracle. */
  void note(Request request, Reply reply) {
    boolean starts =
        request instanceof Request.WriteStart || request instanceof Request.BatchWriteStart;
    boolean ends =
        request instanceof Request.WriteEnd
            || request instanceof Request.BatchWriteEnd
            || request instanceof Request.WriteRevoke
            || request instanceof Request.BatchWriteRevoke;
    if (!starts && !ends) {
      return;
    }
    List<String> keys = Shown.keys(request);
    for (int i = 0; i < keys.size(); i++) {
      if (isOk(reply, i)) {
        if (starts) {
          open.add(keys.get(i));
        } else {
          open.remove(keys.get(i));
        }
      }
    }
  }

  private static boolean isOk(Reply reply, int item) {
    if (reply instanceof Reply.One one) {
      return one.result().isOk();
    }
    return reply instanceof Reply.Many many
        && item < many.results().size()
        && many.results().get(item).isOk();
  }

  /** A key is absent. */
  void forget(String key) {
    open.remove(key);
  }
}
