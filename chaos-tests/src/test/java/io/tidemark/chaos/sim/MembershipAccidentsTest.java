package io.tidemark.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oplog.replication.ReplicationCounter;
import io.tidemark.server.node.NodeRole;
import io.tidemark.server.node.SabotagedAssembly.Sabotage;
import io.tidemark.testkit.ha.Fate;
import io.tidemark.testkit.ha.SimulatedStore;
import io.tidemark.testkit.log.SimulatedLog;
import org.junit.jupiter.api.Test;

/**
 * The accidents that the rules on membership and election stand against (COR-14 to COR-18), each
 * arranged by hand. The checker looks on after every step.
 */
class MembershipAccidentsTest {
  private static final int CLIENTS = 2;
  private static final int ADDITIONS = 6;

  private static SimCluster running(long seed) {
    return running(SimConfig.standard(SimulatedLog.Mode.PAGE), seed);
  }

  private static SimCluster running(SimConfig config, long seed) {
    SimCluster cluster = SimCluster.started(config, seed, CLIENTS);
    cluster.awaitAllInSync();
    cluster.runFor(1_500);
    return cluster;
  }

  private static void kill(SimNode node) {
    node.kill();
  }

  /** Everybody sound again, everything stored readable. */
  private static void checkRecovers(SimCluster cluster) {
    cluster.healAll();
    cluster.awaitAllInSync();
    cluster.checkNothingLost();
  }

  /**
   * COR-14: the write that adds a member is under way for longer than its caller waits, and happens
   * while the leader goes on without that member; then the leader dies. The new member may win only
   * with everything.
   */
  @Test
  void theLeaderDiesWhileTheTransactionThatAddsAMemberIsUnderWay() {
    SimConfig sound = SimConfig.standard(SimulatedLog.Mode.PAGE);
    for (int i = 0; i < ADDITIONS; i++) {
      addAMemberByALateTransaction(sound, i);
    }
  }

  /** The scenario before is able to show what it is there for. */
  @Test
  void withoutTheJointRuleThatAdditionLosesEntries() {
    SimConfig broken =
        SimConfig.standard(SimulatedLog.Mode.PAGE)
            .with(Sabotage.COMMITS_WITHOUT_A_MEMBER_THAT_MAY_BE_IN);
    int violations = 0;
    for (int i = 0; i < ADDITIONS; i++) {
      try {
        addAMemberByALateTransaction(broken, i);
      } catch (Violation expected) {
        violations++;
      }
    }
    assertThat(violations).isPositive();
  }

  private static void addAMemberByALateTransaction(SimConfig config, int number) {
    SimCluster cluster = running(config, number);
    SimNode leader = cluster.leader().orElseThrow();
    SimNode joining = cluster.standbys().get(0);
    SimNode other = cluster.standbys().get(1);
    kill(joining);
    assertThat(cluster.runUntil(() -> !cluster.isInSync(joining), 10_000)).isTrue();
    Fate late = Fate.delayed((510 + 30L * number) * SimConfig.MILLI);
    boolean[] sent = {false};
    leader
        .coordinator()
        .link()
        .always(
            step -> {
              boolean first = step == Fate.Step.WRITE && !sent[0];
              sent[0] |= first;
              return first ? late : Fate.PROMPT;
            });
    joining.start(false);
    assertThat(cluster.runUntil(() -> sent[0], 10_000)).as("the addition is sent").isTrue();
    cluster.network().cut(leader.name(), joining.name(), true);
    assertThat(cluster.runUntil(() -> cluster.isInSync(joining), 1_500)).as("it happens").isTrue();
    assertThat(leader.node().counters().get(ReplicationCounter.CHANGES_UNSETTLED)).isPositive();
    cluster.cutFromStore(other, true);
    kill(leader);
    cluster.runFor(6_000);
    assertThat(joining.role()).as("the added member").isEqualTo(NodeRole.LEADER);
    checkRecovers(cluster);
  }

  /** COR-15: a member that lags is out of the record before anything commits without it. */
  @Test
  void aRemovedMemberDoesNotWin() {
    SimCluster cluster = running(11);
    SimNode leader = cluster.leader().orElseThrow();
    SimNode lagging = cluster.standbys().get(0);
    SimNode other = cluster.standbys().get(1);
    cluster.network().cut(leader.name(), lagging.name(), true);
    assertThat(cluster.runUntil(() -> !cluster.isInSync(lagging), 10_000)).isTrue();
    cluster.runFor(2_000);
    kill(other);
    assertThat(cluster.runUntil(() -> !cluster.isInSync(other), 10_000)).isTrue();
    cluster.runFor(1_000);
    kill(leader);
    cluster.runFor(10_000);
    assertThat(cluster.leader()).as("leader").isEmpty();
    assertThat(lagging.role()).isEqualTo(NodeRole.STANDBY);
    assertThat(lagging.node().why()).contains("not in the in-sync set");
    checkRecovers(cluster);
  }

  /** COR-17: a store that forgot everything elects nobody, and makes no new cluster. */
  @Test
  void aWipedStoreElectsNobody() {
    SimCluster cluster = running(21);
    cluster.store().wipe();
    SimNode replaced = cluster.standbys().get(0);
    replaced.wipe();
    replaced.start(false);
    cluster.runFor(15_000);
    assertThat(cluster.leader()).isEmpty();
    assertThat(cluster.record()).isEmpty();
    assertThat(replaced.role()).isEqualTo(NodeRole.BOOTING);
    assertThat(replaced.node().why()).contains("no membership record");
    for (SimNode node : cluster.nodes()) {
      assertThat(node.role().leads()).isFalse();
    }
  }

  /** COR-17: in an older copy of the store a stale node is a member; nobody trusts that copy. */
  @Test
  void aStoreRestoredFromAnOlderCopyElectsNobody() {
    SimCluster cluster = running(22);
    SimulatedStore.Copy old = cluster.store().copy();
    SimNode leader = cluster.leader().orElseThrow();
    SimNode stale = cluster.standbys().get(0);
    SimNode other = cluster.standbys().get(1);
    cluster.network().cut(leader.name(), stale.name(), true);
    cluster.network().cut(other.name(), stale.name(), true);
    assertThat(cluster.runUntil(() -> !cluster.isInSync(stale), 10_000)).isTrue();
    cluster.runFor(2_000);
    kill(leader);
    kill(other);
    cluster.store().restore(old);
    leader.start(false);
    cluster.runFor(15_000);
    assertThat(cluster.isInSync(stale)).as("the old copy names the stale node").isTrue();
    assertThat(stale.role()).isEqualTo(NodeRole.STANDBY);
    assertThat(stale.node().why()).contains("went back");
    assertThat(leader.node().why()).contains("went back");
    assertThat(cluster.leader()).isEmpty();
  }

  /** COR-16: an empty volume under the old name is another member and does not win. */
  @Test
  void anEmptyVolumeUnderTheOldNameHasToJoinAnew() {
    SimCluster cluster = running(31);
    SimNode leader = cluster.leader().orElseThrow();
    SimNode replaced = cluster.standbys().get(0);
    SimNode other = cluster.standbys().get(1);
    kill(other);
    assertThat(cluster.runUntil(() -> !cluster.isInSync(other), 10_000)).isTrue();
    replaced.wipe();
    kill(leader);
    replaced.start(false);
    cluster.runFor(10_000);
    assertThat(replaced.role().leads()).isFalse();
    assertThat(cluster.leader()).isEmpty();
    leader.start(false);
    cluster.awaitLeader();
    checkRecovers(cluster);
    assertThat(cluster.isInSync(replaced)).isTrue();
  }

  /** COR-16: a host that lost its page cache comes back as another member. */
  @Test
  void aMemberWithoutItsPageCacheHasToJoinAnew() {
    SimCluster cluster = running(41);
    SimNode leader = cluster.leader().orElseThrow();
    SimNode rebooted = cluster.standbys().get(0);
    SimNode other = cluster.standbys().get(1);
    kill(other);
    assertThat(cluster.runUntil(() -> !cluster.isInSync(other), 10_000)).isTrue();
    rebooted.losePower();
    kill(leader);
    rebooted.start(false);
    cluster.runFor(10_000);
    assertThat(rebooted.role().leads()).isFalse();
    leader.start(false);
    checkRecovers(cluster);
  }

  /** COR-16 with persist=page: nobody may lead on what may be missing; a person decides. */
  @Test
  void allHostsRebootAtOnceUnderPage() {
    SimCluster cluster = running(51);
    cluster.nodes().forEach(SimNode::losePower);
    cluster.nodes().forEach(node -> node.start(false));
    cluster.runFor(15_000);
    for (SimNode node : cluster.nodes()) {
      assertThat(node.role()).isEqualTo(NodeRole.STANDBY);
      assertThat(node.node().why()).contains("not in the in-sync set");
    }
  }

  /** With persist=disk a reboot of all costs nothing. */
  @Test
  void allHostsRebootAtOnceUnderDisk() {
    SimCluster cluster = running(SimConfig.standard(SimulatedLog.Mode.DISK), 52);
    cluster.nodes().forEach(SimNode::losePower);
    cluster.nodes().forEach(node -> node.start(false));
    checkRecovers(cluster);
  }

  /** COR-18, HA-040: a leader that stood still for longer than its lease answers nothing more. */
  @Test
  void aLeaderThatWasStoppedForLongAnswersNothingMore() {
    for (long seed = 60; seed < 66; seed++) {
      SimCluster cluster = running(seed);
      SimNode old = cluster.leader().orElseThrow();
      old.pause();
      assertThat(cluster.runUntil(() -> cluster.leader().isPresent(), 10_000)).isTrue();
      cluster.runFor(500);
      assertThat(cluster.leader().orElseThrow()).isNotEqualTo(old);
      old.resume();
      cluster.runFor(100);
      assertThat(old.role()).isNotEqualTo(NodeRole.LEADER);
      checkRecovers(cluster);
    }
  }

  /** HA-041: a leader that can't reach the store stops in time, and another one takes over. */
  @Test
  void aLeaderCutFromTheStoreLetsGo() {
    SimCluster cluster = running(71);
    SimNode old = cluster.leader().orElseThrow();
    cluster.cutFromStore(old, true);
    assertThat(cluster.runUntil(() -> !old.role().leads(), 3_000)).isTrue();
    cluster.awaitLeader();
    assertThat(cluster.leader().orElseThrow()).isNotEqualTo(old);
    checkRecovers(cluster);
  }

  /** HA-025: below min-in-sync nothing new is decided, and what was under way is unclear. */
  @Test
  void belowMinInSyncMutationsAreRefused() {
    SimCluster cluster = running(SimConfig.standard(SimulatedLog.Mode.PAGE).withMinInSync(2), 81);
    SimNode leader = cluster.leader().orElseThrow();
    cluster.standbys().forEach(SimNode::kill);
    cluster.runFor(4_000);
    assertThat(leader.role()).isEqualTo(NodeRole.LEADER);
    long end = leader.disk().log().end().index();
    long committed = cluster.checker().committed();
    cluster.runFor(3_000);
    assertThat(leader.disk().log().end().index()).as("nothing is decided").isEqualTo(end);
    assertThat(cluster.checker().committed()).as("nothing commits").isEqualTo(committed);
    checkRecovers(cluster);
  }

  /** HA-050: what an old leader had alone is set aside, and it follows. */
  @Test
  void anOldLeaderSetsAsideWhatItHadAlone() {
    SimCluster cluster = running(91);
    SimNode old = cluster.leader().orElseThrow();
    cluster.standbys().forEach(node -> cluster.network().cut(old.name(), node.name(), true));
    boolean appended =
        cluster.runUntil(() -> old.disk().log().end().index() > cluster.checker().committed(), 900);
    assertThat(appended).as("entries that only the old leader has").isTrue();
    long alone = old.disk().log().end().index() - cluster.checker().committed();
    kill(old);
    cluster.awaitLeader();
    cluster.network().healAll();
    old.start(false);
    cluster.awaitAllInSync();
    assertThat(old.disk().log().evidence()).hasSize(1);
    assertThat(old.disk().log().evidence().get(0).records())
        .hasSizeGreaterThanOrEqualTo((int) alone);
    checkRecovers(cluster);
  }
}
