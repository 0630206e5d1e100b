package io.tidemark.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oplog.replication.ReplicationCounter;
import io.tidemark.server.node.ForcedTakeover;
import io.tidemark.server.node.NodeRole;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Members that the leader's log does not reach back to (HA-REQ-036), and logs that end below a
 * snapshot (COR-26). Snapshots are taken all the time; logs begin behind the second newest.
 */
class SnapshotAccidentsTest {
  private static final int CLIENTS = 2;

  private static SimCluster running(SimConfig config, long seed) {
    SimCluster cluster = SimCluster.started(config, seed, CLIENTS);
    cluster.awaitAllInSync();
    cluster.runFor(4_000);
    return cluster;
  }

  private static SimCluster running(long seed) {
    return running(SimConfig.standard(SimulatedLog.Mode.PAGE), seed);
  }

  private static SimNode standby(SimCluster cluster) {
    SimNode leader = cluster.leader().orElseThrow();
    return cluster.nodes().stream().filter(node -> node != leader).findFirst().orElseThrow();
  }

  /** Hands the leadership round until this node leads. */
  private static void makeLead(SimCluster cluster, SimNode chosen) {
    for (int i = 0; i < 20 && cluster.awaitLeader() != chosen; i++) {
      long now = cluster.time().nanos();
      SimNode leader = cluster.leader().orElseThrow();
      leader.node().stepDown("the test wants it", Optional.empty(), now + 2_000_000_000L);
      cluster.runFor(1_500);
      cluster.awaitAllInSync();
    }
    assertThat(cluster.leader()).hasValue(chosen);
  }

  /** Stays away until the leader's log begins behind what it has. */
  private static void keepAwayUntilTrimmed(SimCluster cluster, SimNode node) {
    long end = node.disk().log().end().index();
    boolean trimmed =
        cluster.runUntil(
            () ->
                cluster.leader().filter(l -> l.disk().log().base().index() > end + 20).isPresent(),
            60_000);
    assertThat(trimmed).as("the leader's log got shorter: %s", cluster.describe()).isTrue();
  }

  /** A leader's snapshots are from its time as a standby: leaderships change meanwhile. */
  private static void passTheLead(SimCluster cluster) {
    SimNode leader = cluster.awaitLeader();
    leader.kill();
    cluster.awaitLeader();
    cluster.runFor(2_500);
    leader.start(false);
    cluster.runFor(4_000);
  }

  @Test
  void aMemberThatWasAwayForLongIsSentASnapshotAndTheTail() {
    SimCluster cluster = running(1);
    SimNode away = standby(cluster);
    away.kill();
    for (int i = 0; i < 4; i++) {
      passTheLead(cluster);
    }
    keepAwayUntilTrimmed(cluster, away);
    away.start(false);
    cluster.awaitAllInSync();
    assertThat(away.disk().installed()).isPositive();
    assertThat(away.disk().log().base().index()).isPositive();
    assertThat(cluster.leader().orElseThrow().node().counters())
        .extracting(c -> c.get(ReplicationCounter.STANDBYS_BELOW_BASE))
        .isEqualTo(0L);
    makeLead(cluster, away);
    cluster.checkNothingLost();
  }

  @Test
  void anEmptyVolumeJoinsWithASnapshotAndMayLeadThen() {
    SimCluster cluster = running(2);
    for (int i = 0; i < 4; i++) {
      passTheLead(cluster);
    }
    SimNode empty = standby(cluster);
    empty.wipe();
    keepAwayUntilTrimmed(cluster, empty);
    empty.start(false);
    cluster.awaitAllInSync();
    assertThat(empty.disk().installed()).isPositive();
    makeLead(cluster, empty);
    cluster.checkNothingLost();
  }

  /** Wherever the process dies, it starts again and gets there in the end. */
  @Test
  void aMemberMayDieAtAnyInstantWhileASnapshotArrives() {
    int begun = 0;
    for (int i = 0; i < 6; i++) {
      SimCluster cluster = running(100 + i);
      for (int k = 0; k < 4; k++) {
        passTheLead(cluster);
      }
      SimNode empty = standby(cluster);
      empty.wipe();
      keepAwayUntilTrimmed(cluster, empty);
      cluster.network().maxDelay(60 * SimConfig.MILLI);
      for (int k = 0; k < 12; k++) {
        long offered = offered(cluster);
        empty.start(false);
        cluster.runUntil(() -> offered(cluster) > offered, 2_000);
        cluster.runFor(3 * i + k * 20L);
        begun += offered(cluster) > offered && empty.disk().installed() == 0 ? 1 : 0;
        empty.kill();
        cluster.runFor(50);
      }
      empty.start(false);
      cluster.awaitAllInSync();
      assertThat(empty.disk().installed()).isPositive();
      cluster.checkNothingLost();
    }
    assertThat(begun).as("kills while one was on its way").isGreaterThan(6);
  }

  private static long offered(SimCluster cluster) {
    return cluster
        .leader()
        .map(leader -> leader.node().counters().get(ReplicationCounter.SNAPSHOTS_OFFERED))
        .orElse(0L);
  }

  /**
   * COR-16, COR-26: a host loses its page cache, and with it entries that its snapshot holds. It
   * goes on behind the snapshot, as another member.
   */
  @Test
  void aLogThatEndsBelowItsSnapshotGoesOnBehindItAsAnotherMember() {
    SimCluster cluster = running(3);
    SimNode node = standby(cluster);
    long newest = node.disk().snapshots().lastKey();
    var before = node.disk().self();
    node.losePower();
    assertThat(node.disk().log().end().index()).isLessThan(newest);
    node.start(false);
    cluster.awaitAllInSync();
    assertThat(node.disk().tailsLost()).isEqualTo(1);
    assertThat(node.disk().self()).isNotEqualTo(before);
    assertThat(node.disk().log().base().index()).isGreaterThanOrEqualTo(newest);
    makeLead(cluster, node);
    cluster.checkNothingLost();
  }

  /** A member starts from its snapshot and the tail, and never reads what is gone. */
  @Test
  void aRestartBuildsTheStateFromTheSnapshot() {
    SimCluster cluster = running(4);
    SimNode node = standby(cluster);
    assertThat(node.disk().log().base().index()).isPositive();
    node.kill();
    node.start(false);
    cluster.awaitAllInSync();
    assertThat(node.disk().installed()).isZero();
    cluster.checkNothingLost();
  }

  /** Without any snapshot that fits its shortened log a member halts and says what to do. */
  @Test
  void aMemberWithoutASnapshotForItsLogHalts() {
    SimCluster cluster = running(5);
    SimNode node = standby(cluster);
    assertThat(node.disk().log().base().index()).isPositive();
    node.kill();
    node.disk().snapshots().clear();
    node.start(false);
    cluster.runFor(5_000);
    assertThat(node.role()).isEqualTo(NodeRole.HALTED);
    assertThat(node.node().why()).contains("no snapshot fits the log");
    List<String> alarms = cluster.alarms();
    assertThat(alarms).anyMatch(alarm -> alarm.contains("no snapshot fits the log"));
    cluster.checkNothingLost();
  }

  /** A standby that can't keep what it is sent asks less and less often, and recovers. */
  @Test
  void aStandbyWithoutRoomForASnapshotDoesNotKeepItsLeaderBusy() {
    SimCluster cluster = running(12);
    for (int i = 0; i < 4; i++) {
      passTheLead(cluster);
    }
    SimNode empty = standby(cluster);
    empty.wipe();
    keepAwayUntilTrimmed(cluster, empty);
    empty.disk().keepNoSnapshots(true);
    long before = offered(cluster);
    empty.start(false);
    cluster.runFor(10_000);
    assertThat(offered(cluster) - before).as("snapshots begun in 10 s").isBetween(2L, 8L);
    empty.disk().keepNoSnapshots(false);
    cluster.awaitAllInSync();
    cluster.checkNothingLost();
  }

  /**
   * COR-20, COR-26: snapshots of a branch that an operator gave up are not gone on from. Who can't
   * follow the forced branch says so, and joins anew with an empty volume.
   */
  @Test
  void snapshotsOfABranchThatWasGivenUpAreSetAside() {
    for (int seed = 6; seed < 12; seed++) {
      SimCluster cluster = running(seed);
      SimNode leader = cluster.leader().orElseThrow();
      SimNode lagging = standby(cluster);
      cluster.network().cut(leader.name(), lagging.name(), true);
      cluster.runFor(2_500);
      cluster.nodes().stream().filter(node -> node != lagging).forEach(SimNode::kill);
      cluster.runFor(5_000);
      assertThat(cluster.leader()).isEmpty();
      cluster.keys().giveUpAll();
      cluster.checker().forced(lagging);
      force(cluster, lagging);
      assertThat(cluster.awaitLeader()).isEqualTo(lagging);
      cluster.healAll();
      cluster.runFor(8_000);
      for (SimNode node : cluster.nodes()) {
        if (node.role() == NodeRole.HALTED) {
          assertThat(node.node().why()).contains("COMMITTED_ENTRIES");
          node.wipe();
          node.start(false);
        }
      }
      cluster.awaitAllInSync();
      cluster.checkNothingLost();
    }
  }

  private static void force(SimCluster cluster, SimNode node) {
    List<ForcedTakeover.Answer> answers = new ArrayList<>();
    ForcedTakeover.Request request =
        new ForcedTakeover.Request(node.disk().cluster().orElseThrow(), false, false);
    node.execute(() -> new ForcedTakeover(node.node()).begin(request, answers::add));
    assertThat(cluster.runUntil(() -> !answers.isEmpty(), 2_000)).isTrue();
    assertThat(answers.get(0).ordered()).as(answers.get(0).detail()).isTrue();
  }
}
