package io.tidemark.server.ha;

import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Leadership;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.server.node.Node;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Ends a node and its loop, and sees to it that etcd has heard of it before the process ends. */
final class MemberEnd {
  private static final Logger LOG = LoggerFactory.getLogger(MemberEnd.class);
  private static final long STOP_TIMEOUT_MS = 10_000;
  private static final long RESIGN_TIMEOUT_MS = 3_000;

  private final Node node;
  private final ChronicleLog log;
  private final Coordinator coordinator;
  private final NodeLoop loop;

  MemberEnd(Node node, ChronicleLog log, Coordinator coordinator, NodeLoop loop) {
    this.node = node;
    this.log = log;
    this.coordinator = coordinator;
    this.loop = loop;
  }

  /**
   * Does it.
   *
   * @param started whether the loop was started
   * @return why the log was not closed as it should be
   */
  Optional<RuntimeException> run(boolean started) {
    if (!started) {
      return stopNode();
    }
    if (!loop.isRunning()) {
      return closeAfterDefect();
    }
    Optional<Leadership> held = loop.ask(node::leadership, STOP_TIMEOUT_MS).flatMap(found -> found);
    Optional<RuntimeException> failure =
        loop.ask(this::stopNode, STOP_TIMEOUT_MS)
            .orElseGet(() -> Optional.of(new IllegalStateException("the node did not stop")));
    held.ifPresent(this::awaitResigned);
    loop.stop();
    return failure;
  }

  private Optional<RuntimeException> stopNode() {
    try {
      node.stop();
      return Optional.empty();
    } catch (RuntimeException unclean) {
      return Optional.of(unclean);
    }
  }

  /** Whatever the node was doing, nothing may be said about its log. */
  private Optional<RuntimeException> closeAfterDefect() {
    loop.stop();
    log.close(false);
    return Optional.of(new IllegalStateException("the node's loop broke"));
  }

  private void awaitResigned(Leadership held) {
    try {
      Coordinator.Outcome<Void> outcome =
          coordinator.resign(held).get(RESIGN_TIMEOUT_MS, TimeUnit.MILLISECONDS);
      if (!outcome.isDone()) {
        LOG.warn("event=resign_unclear detail=\"{}\"", outcome.detail());
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException late) {
      LOG.warn("event=resign_unclear detail=\"etcd did not answer; the lease ends by itself\"");
    }
  }
}
