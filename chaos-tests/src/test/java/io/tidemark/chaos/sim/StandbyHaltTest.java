package io.tidemark.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.Cause;
import io.tidemark.core.Master;
import io.tidemark.core.Replayer;
import io.tidemark.oplog.replication.ReplicationCounter;
import io.tidemark.server.node.NodeRole;
import io.tidemark.server.node.SabotagedAssembly.Sabotage;
import io.tidemark.testkit.log.SimulatedLog;
import org.junit.jupiter.api.Test;

/** What stops a standby for good, and that the cluster goes on without it. */
class StandbyHaltTest {
  private static final int CLIENTS = 2;

  private static SimCluster running(SimConfig config, long seed) {
    SimCluster cluster = SimCluster.started(config, seed, CLIENTS);
    cluster.awaitAllInSync();
    return cluster;
  }

  /** COR-28, HA-REQ-031: the leader logs digests, and who has another one stops. */
  @Test
  void aStandbyWhoseStateIsNotTheLeadersHalts() {
    SimCluster cluster =
        running(SimConfig.standard(SimulatedLog.Mode.PAGE).withoutSnapshots(), 101);
    cluster.runFor(3_000);
    SimNode leader = cluster.leader().orElseThrow();
    assertThat(digests(leader)).as("digests that were logged").isGreaterThan(2);
    SimNode broken = cluster.standbys().get(0);
    Replayer state = broken.node().standbyState().orElseThrow();

    state.state().objects().digestChanged(0, 1);
    leader.master().orElseThrow().recordDigest();

    assertThat(cluster.runUntil(() -> broken.role() == NodeRole.HALTED, 1_000)).isTrue();
    assertThat(broken.node().why()).contains("digest");
    assertThat(broken.node().counters().get(ReplicationCounter.DIGEST_MISMATCHES)).isEqualTo(1);
    long committed = cluster.checker().committed();
    cluster.runFor(3_000);
    assertThat(leader.role()).as("the leader goes on").isEqualTo(NodeRole.LEADER);
    assertThat(cluster.checker().committed()).isGreaterThan(committed);
    assertThat(cluster.record().orElseThrow().inSync()).doesNotContain(broken.disk().self());

    Master term = leader.master().orElseThrow();
    broken.kill();
    broken.start(false);
    assertThat(cluster.runUntil(() -> broken.node().isAttached(), 5_000)).isTrue();
    cluster.awaitAllInSync();
    assertThat(broken.role()).as("its log gives the right state").isEqualTo(NodeRole.STANDBY);
    assertThat(leader.master()).as("it joins in the same term").containsSame(term);
    cluster.checker().compareDigests();
  }

  private static int digests(SimNode node) {
    int[] found = {0};
    node.disk()
        .log()
        .read(
            1,
            entry -> {
              found[0] += entry.header().causeCode() == Cause.of(Cause.Trigger.DIGEST) ? 1 : 0;
              return true;
            });
    return found[0];
  }

  /** HA-REQ-039: nothing is skipped, and the reason says which entry it is. */
  @Test
  void anEventThatNobodyKnowsHaltsAStandby() {
    SimConfig config =
        SimConfig.standard(SimulatedLog.Mode.PAGE)
            .withoutSnapshots()
            .with(Sabotage.WRITES_EVENTS_OF_A_LATER_RELEASE);
    SimCluster cluster = SimCluster.started(config, 102, CLIENTS);

    // Without the checker: it replays what is committed, and can't read that entry either. The
    // leader writes it as soon as a standby is about to join.
    runUnchecked(cluster, 4_000);

    SimNode leader = cluster.leader().orElseThrow();
    long unknown = firstDigest(leader);
    for (SimNode standby : cluster.standbys()) {
      assertThat(standby.role()).isEqualTo(NodeRole.HALTED);
      assertThat(standby.node().why())
          .contains("entry " + unknown + ":", "unknown event type", "newer version");
      assertThat(standby.disk().log().end().index()).isGreaterThanOrEqualTo(unknown);
    }
    assertThat(cluster.alarms()).anyMatch(alarm -> alarm.contains("unknown event type"));
  }

  private static long firstDigest(SimNode node) {
    long[] found = {0};
    node.disk()
        .log()
        .read(
            1,
            entry -> {
              boolean digest = entry.header().causeCode() == Cause.of(Cause.Trigger.DIGEST);
              found[0] = digest ? entry.header().index() : 0;
              return !digest;
            });
    return found[0];
  }

  private static void runUnchecked(SimCluster cluster, long ms) {
    long end = cluster.time().nanos() + ms * SimConfig.MILLI;
    while (cluster.time().step(end)) {
      // Each step is the work.
    }
  }
}
