package io.tidemark.chaos.sim;

import io.tidemark.testkit.log.SimulatedLog;
import java.util.List;
import java.util.SplittableRandom;

/** Faults at random times, each of which ends by itself. */
final class Chaos {
  private final SimCluster cluster;
  private final SplittableRandom random;
  private boolean over;

  Chaos(SimCluster cluster) {
    this.cluster = cluster;
    this.random = cluster.random().split();
  }

  void begin() {
    long[] delaysMs = {1, 1, 8, 40};
    cluster.network().maxDelay(delaysMs[random.nextInt(delaysMs.length)] * SimConfig.MILLI);
    later(500 + random.nextInt(1500), this::strike);
  }

  void stop() {
    over = true;
  }

  private void later(long ms, Runnable action) {
    cluster.time().after(ms * SimConfig.MILLI, action);
  }

  private void laterUnlessOver(long ms, Runnable action) {
    later(
        ms,
        () -> {
          if (!over) {
            action.run();
          }
        });
  }

  private void strike() {
    if (over) {
      return;
    }
    switch (random.nextInt(13)) {
      case 0, 1 -> killLeader();
      case 2 -> kill(anyNode());
      case 3, 11 -> losePower(anyNode());
      case 4, 5 -> pause(random.nextBoolean() ? anyNode() : leaderOrAny());
      case 6 -> cutHosts();
      case 7 -> cutStore();
      case 8 -> slowStore();
      case 9 -> failLog(anyNode());
      case 10 -> fillDisk(anyNode());
      default -> breakStreams();
    }
    laterUnlessOver(200 + random.nextInt(2000), this::strike);
  }

  private SimNode anyNode() {
    List<SimNode> nodes = cluster.nodes();
    return nodes.get(random.nextInt(nodes.size()));
  }

  private SimNode leaderOrAny() {
    return cluster.leader().orElseGet(this::anyNode);
  }

  private void say(String what) {
    cluster.trace().add("chaos", what);
  }

  private void killLeader() {
    kill(leaderOrAny());
  }

  private void kill(SimNode node) {
    if (node.isUp()) {
      say("kills " + node.name());
      node.kill();
      startAgain(node);
    }
  }

  private void startAgain(SimNode node) {
    laterUnlessOver(
        100 + random.nextInt(3000),
        () -> {
          if (!node.isUp()) {
            say("starts " + node.name());
            node.start(false);
          }
        });
  }

  /**
   * Only while all is well: no promise covers the loss of the last member's page cache, and with
   * requests under way that take members out of the set, any may be the last.
   */
  private void losePower(SimNode node) {
    if (cluster.allInSync() && cluster.storeIsQuiet() && noneIsPaused()) {
      say("takes the power from " + node.name());
      node.losePower();
      startAgain(node);
    }
  }

  private boolean noneIsPaused() {
    return cluster.nodes().stream().noneMatch(SimNode::isPaused);
  }

  private void pause(SimNode node) {
    if (node.isUp() && !node.isPaused()) {
      say("stops " + node.name());
      node.pause();
      laterUnlessOver(
          200 + random.nextInt(5000),
          () -> {
            if (node.isPaused()) {
              say("continues " + node.name());
              node.resume();
            }
          });
    }
  }

  private void cutHosts() {
    SimNode a = anyNode();
    SimNode b = anyNode();
    if (a != b) {
      say("cuts " + a.name() + " from " + b.name());
      cluster.network().cut(a.name(), b.name(), true);
      laterUnlessOver(
          500 + random.nextInt(4000), () -> cluster.network().cut(a.name(), b.name(), false));
    }
  }

  private void cutStore() {
    SimNode node = leaderOrAny();
    say("cuts " + node.name() + " from the store");
    cluster.cutFromStore(node, true);
    laterUnlessOver(
        300 + random.nextInt(4000),
        () -> {
          say("lets " + node.name() + " at the store again");
          cluster.cutFromStore(node, false);
        });
  }

  private void slowStore() {
    say("makes the store slow");
    cluster.storeIsSlow(true);
    laterUnlessOver(500 + random.nextInt(4000), () -> cluster.storeIsSlow(false));
  }

  /** The process ends at the next append, or forced write, and starts over. */
  private void failLog(SimNode node) {
    if (node.isUp()) {
      say("lets the log of " + node.name() + " fail");
      node.disk().log().failNextAppend();
    }
  }

  private void fillDisk(SimNode node) {
    if (node.isUp()) {
      say("fills the disk of " + node.name());
      SimulatedLog log = node.disk().log();
      log.full(true);
      later(500 + random.nextInt(3000), () -> log.full(false));
    }
  }

  private void breakStreams() {
    say("breaks a stream");
    cluster.network().breakOne();
  }
}
