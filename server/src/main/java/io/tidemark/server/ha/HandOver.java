package io.tidemark.server.ha;

import io.tidemark.api.ha.Member;
import io.tidemark.oplog.replication.LeaderReplication;
import io.tidemark.oplog.replication.StandbyProgress;
import io.tidemark.server.node.Node;
import io.tidemark.server.node.NodeRole;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives a leadership away without loss: clients are refused, the log comes to rest, one standby of
 * the in-sync set is awaited that holds all of it, then the lease is given back. That standby is
 * told that it is the one, so that it campaigns at once, and the others that they are not. The
 * node's loop only.
 */
final class HandOver {
  private static final Logger LOG = LoggerFactory.getLogger(HandOver.class);
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** For how long the node that gave a leadership away leaves it to the others. */
  private static final long ABSTAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Node node;
  private final LongSupplier logEnd;
  private final MasterSwitch clients;
  private final StatusBoard board;
  private final List<CompletableFuture<Outcome>> told = new ArrayList<>();
  private boolean running;
  private boolean onlyToEqual;
  private long beganNanos;

  /**
   * How it ended.
   *
   * @param done whether the leadership was given back
   * @param detail for people
   */
  record Outcome(boolean done, String detail) {}

  /**
   * Nothing is handed over yet.
   *
   * @param logEnd last entry of the node's log
   */
  HandOver(Node node, LongSupplier logEnd, MasterSwitch clients, StatusBoard board) {
    this.node = node;
    this.logEnd = logEnd;
    this.clients = clients;
    this.board = board;
  }

  /**
   * Begins, or joins the one that runs.
   *
   * @param atAnyRate whether the leadership is given back even if no standby holds everything in
   *     time
   */
  void begin(boolean atAnyRate, long nowNanos, CompletableFuture<Outcome> outcome) {
    if (node.role() != NodeRole.LEADER) {
      outcome.complete(new Outcome(false, "this node does not lead, it is " + node.role()));
      return;
    }
    if (!atAnyRate && candidates().isEmpty()) {
      outcome.complete(new Outcome(false, "no standby of the in-sync set is connected"));
      return;
    }
    told.add(outcome);
    onlyToEqual = !atAnyRate && (!running || onlyToEqual);
    if (!running) {
      running = true;
      beganNanos = nowNanos;
      clients.refuse();
      board.handingOver(true);
      LOG.info("event=hand_over_begun at_any_rate={}", atAnyRate);
    }
    tick(nowNanos);
  }

  /** Looks whether it can go on. */
  void tick(long nowNanos) {
    if (!running) {
      return;
    }
    if (node.role() != NodeRole.LEADER) {
      end(new Outcome(false, "the leadership was lost meanwhile: " + node.why()));
      return;
    }
    Optional<Member> heir = heir();
    boolean late = nowNanos - beganNanos > PATIENCE_NANOS || candidates().isEmpty();
    if (heir.isPresent() || (late && !onlyToEqual)) {
      node.stepDown("handed over", heir, nowNanos + ABSTAIN_NANOS);
      String who =
          heir.map(member -> "standby " + member.node() + " holds everything")
              .orElse("no standby of the in-sync set held everything in time");
      end(new Outcome(true, who));
    } else if (late) {
      node.master().ifPresent(master -> clients.serve(master, master::tick));
      end(new Outcome(false, "no standby of the in-sync set held everything in time"));
    }
  }

  private List<StandbyProgress> candidates() {
    LeaderReplication replication = node.replication().orElseThrow();
    return replication.standbys().stream()
        .filter(standby -> replication.inSync().contains(standby.member()))
        .toList();
  }

  private Optional<Member> heir() {
    long end = logEnd.getAsLong();
    return candidates().stream()
        .filter(standby -> standby.durableIndex() >= end && node.commitIndex() >= end)
        .map(StandbyProgress::member)
        .findFirst();
  }

  private void end(Outcome outcome) {
    running = false;
    board.handingOver(false);
    LOG.info("event=hand_over_ended done={} detail=\"{}\"", outcome.done(), outcome.detail());
    told.forEach(waiting -> waiting.complete(outcome));
    told.clear();
  }
}
