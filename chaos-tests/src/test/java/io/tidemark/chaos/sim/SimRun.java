package io.tidemark.chaos.sim;

import io.tidemark.server.node.NodeRole;
import io.tidemark.testkit.log.SimulatedLog;

/** One seed: a cluster under load and faults, then healed, then looked at. */
final class SimRun {
  private static final long CHAOS_MS = 25_000;
  private static final int CLIENTS = 3;

  private final SimConfig config;
  private final long seed;

  /** What a run that kept its promises did. */
  record Summary(
      long committed, long answers, long reads, int epochs, int installed, int tailsLost) {}

  SimRun(SimConfig config, long seed) {
    this.config = config;
    this.seed = seed;
  }

  /** The setting that belongs to a seed: both promises of durability take turns. */
  static SimRun ofSeed(long seed) {
    boolean disk = seed % 3 == 2;
    SimConfig config = SimConfig.standard(disk ? SimulatedLog.Mode.DISK : SimulatedLog.Mode.PAGE);
    return new SimRun(seed % 5 == 4 ? config.withMinInSync(2) : config, seed);
  }

  /**
   * Runs it.
   *
   * @throws AssertionError with seed and trace, if a promise was broken
   */
  Summary run() {
    SimCluster cluster = SimCluster.started(config, seed, CLIENTS);
    try {
      return run(cluster);
    } catch (RuntimeException broken) {
      throw new AssertionError(
          "seed "
              + seed
              + " of "
              + config
              + ": "
              + broken.getMessage()
              + "\nagain with -Dtidemark.sim.seed="
              + seed
              + "\n"
              + cluster.trace(),
          broken);
    }
  }

  private Summary run(SimCluster cluster) {
    cluster.awaitLeader();
    Chaos chaos = new Chaos(cluster);
    chaos.begin();
    cluster.runFor(CHAOS_MS);
    chaos.stop();
    cluster.healAll();
    cluster.awaitLeader();
    cluster.runFor(2_000);
    cluster.clients().forEach(SimClient::stop);
    boolean idle =
        cluster.runUntil(() -> cluster.clients().stream().allMatch(SimClient::isIdle), 30_000);
    Violation.check(idle, "calls do not come to an end: %s", cluster.describe());
    cluster.awaitAllInSync();
    cluster.runFor(1_000);
    checkEnd(cluster);
    return new Summary(
        cluster.checker().committed(),
        cluster.checker().answers(),
        cluster.keys().reads(),
        cluster.checker().epochs(),
        cluster.nodes().stream().mapToInt(node -> node.disk().installed()).sum(),
        cluster.nodes().stream().mapToInt(node -> node.disk().tailsLost()).sum());
  }

  private static void checkEnd(SimCluster cluster) {
    int[] open = {0};
    SimClient reader = cluster.clients().get(0);
    for (KeyBook.Key key : cluster.keys().all()) {
      open[0]++;
      reader.read(key, () -> open[0]--);
    }
    Violation.check(cluster.runUntil(() -> open[0] == 0, 5_000), "reads are not answered");
    for (SimNode node : cluster.nodes()) {
      Violation.check(node.role() != NodeRole.HALTED, "%s halted", node.name());
    }
    cluster.checker().compareDigests();
  }
}
