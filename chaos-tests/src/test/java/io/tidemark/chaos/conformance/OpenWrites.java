package io.tidemark.chaos.conformance;

import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Keys whose write the oracle holds for unfinished. */
final class OpenWrites {
  private static final Set<Rpc> UPSERTS = Set.of(Rpc.UPSERT_START, Rpc.BATCH_UPSERT_START);

  private final Set<String> open = new HashSet<>();

  /** Whether a request takes an unfinished write over. */
  boolean takesOver(Request request) {
    List<String> keys = Shown.keys(request);
    return UPSERTS.contains(request.rpc())
        && (keys.stream().anyMatch(open::contains)
            || keys.stream().distinct().count() < keys.size());
  }

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

  void forget(String key) {
    open.remove(key);
  }
}
