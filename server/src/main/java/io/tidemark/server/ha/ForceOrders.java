package io.tidemark.server.ha;

import io.tidemark.server.node.ForcedTakeover;
import io.tidemark.server.node.Node;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Takes orders of operators that a node leads, and waits for what becomes of them. Any thread. */
final class ForceOrders {
  /** Two calls of the coordination store, each with a deadline of its own. */
  private static final long TIMEOUT_MS = 10_000;

  private final NodeLoop loop;
  private final ForcedTakeover takeover;

  ForceOrders(NodeLoop loop, Node node) {
    this.loop = loop;
    takeover = new ForcedTakeover(node);
  }

  /** Gives the order; waits for the answer, {@value #TIMEOUT_MS} ms at most. */
  ForcedTakeover.Answer give(ForcedTakeover.Request request) {
    if (!loop.isRunning()) {
      return new ForcedTakeover.Answer(false, "the node's loop does not run any more");
    }
    CompletableFuture<ForcedTakeover.Answer> answer = new CompletableFuture<>();
    loop.execute(() -> takeover.begin(request, answer::complete));
    try {
      return answer.get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return new ForcedTakeover.Answer(false, "interrupted");
    } catch (ExecutionException | TimeoutException late) {
      return new ForcedTakeover.Answer(
          false, "the node did not answer in time; look at its status");
    }
  }
}
