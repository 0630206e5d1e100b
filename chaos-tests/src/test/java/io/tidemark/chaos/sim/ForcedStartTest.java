package io.tidemark.chaos.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.log.Cause;
import io.tidemark.server.node.ForcedTakeover;
import io.tidemark.server.node.NodeRole;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An operator's order that a member leads (COR-13, 16, 17, 20, HA-REQ-024, 042). */
class ForcedStartTest {
  private static final int CLIENTS = 2;

  private static SimCluster running(long seed) {
    SimCluster cluster =
        SimCluster.started(
            SimConfig.standard(SimulatedLog.Mode.PAGE).withoutSnapshots(), seed, CLIENTS);
    cluster.awaitAllInSync();
    cluster.runFor(1_500);
    return cluster;
  }

  private static UUID clusterOf(SimNode node) {
    return node.disk().cluster().orElseThrow();
  }

  private static ForcedTakeover.Answer force(SimCluster cluster, SimNode node, UUID typed) {
    List<ForcedTakeover.Answer> answers = new ArrayList<>();
    ForcedTakeover.Request request = new ForcedTakeover.Request(typed, false, false);
    node.execute(() -> new ForcedTakeover(node.node()).begin(request, answers::add));
    assertThat(cluster.runUntil(() -> !answers.isEmpty(), 2_000)).isTrue();
    return answers.get(0);
  }

  private static List<Event> atTermStarts(SimNode node) {
    List<Event> events = new ArrayList<>();
    node.disk()
        .log()
        .read(
            1,
            entry -> {
              if (entry.header().causeCode() == Cause.of(Cause.Trigger.TERM_START)) {
                events.addAll(EventCodec.readAll(entry.payload()));
              }
              return true;
            });
    return events;
  }

  private static long unmountsAtTermStarts(SimNode node) {
    return atTermStarts(node).stream().filter(Event.SegmentUnmounting.class::isInstance).count();
  }

  /** How many epochs in a node's log were forced. */
  private static long forcedEpochs(SimNode node) {
    return atTermStarts(node).stream()
        .filter(event -> event instanceof Event.EpochStarted started && started.forced())
        .count();
  }

  private static void checkRecovers(SimCluster cluster) {
    cluster.healAll();
    cluster.awaitAllInSync();
    cluster.runFor(3_000);
    cluster.checker().compareDigests();
  }

  /**
   * All members of the set are gone; one that lags is forced. The others come back, cut what is
   * committed there, and keep it.
   */
  @Test
  void theOneThatIsLeftIsForcedAndTheOthersSetAsideWhatItLacks() {
    SimCluster cluster = running(201);
    SimNode leader = cluster.leader().orElseThrow();
    SimNode lagging = cluster.standbys().get(0);
    SimNode other = cluster.standbys().get(1);
    cluster.network().cut(leader.name(), lagging.name(), true);
    assertThat(cluster.runUntil(() -> !cluster.isInSync(lagging), 10_000)).isTrue();
    cluster.runFor(2_000);
    leader.kill();
    other.kill();
    cluster.runFor(5_000);
    assertThat(cluster.leader()).isEmpty();
    long lost = cluster.checker().committed() - lagging.disk().log().end().index();
    assertThat(lost).as("committed entries that it lacks").isPositive();

    cluster.keys().giveUpAll();
    cluster.checker().forced(lagging);
    ForcedTakeover.Answer answer = force(cluster, lagging, clusterOf(lagging));
    assertThat(answer.ordered()).as(answer.detail()).isTrue();
    assertThat(answer.detail())
        .contains(Long.toString(lagging.disk().log().end().index()))
        .contains(other.disk().self().toString());
    assertThat(cluster.awaitLeader()).isEqualTo(lagging);
    assertThat(forcedEpochs(lagging)).isEqualTo(1);
    assertThat(unmountsAtTermStarts(lagging)).as("memory is dropped (COR-13)").isPositive();
    assertThat(cluster.alarms()).anyMatch(alarm -> alarm.contains("an operator forced"));

    checkRecovers(cluster);
    for (SimNode back : List.of(leader, other)) {
      assertThat(back.disk().log().evidence()).hasSize(1);
      assertThat(back.disk().log().evidence().get(0).records())
          .hasSizeGreaterThanOrEqualTo((int) lost);
    }
    assertThat(cluster.checker().answers()).isPositive();

    // The order is carried out once: whoever leads next is an ordinary leader.
    lagging.kill();
    SimNode next = cluster.awaitLeader();
    assertThat(forcedEpochs(next)).isEqualTo(1);
    checkRecovers(cluster);
  }

  /**
   * The forced member has entries of its own behind the common point, so that the forced epoch does
   * not begin there. The others cut what is committed among them all the same.
   */
  @Test
  void aForcedMemberMayHaveATailOfItsOwn() {
    SimCluster cluster = running(204);
    SimNode alone = cluster.leader().orElseThrow();
    List<SimNode> others = cluster.standbys();
    others.forEach(node -> cluster.network().cut(alone.name(), node.name(), true));
    boolean tail =
        cluster.runUntil(
            () -> alone.disk().log().end().index() > cluster.checker().committed(), 900);
    assertThat(tail).as("entries that only the old leader has").isTrue();
    alone.kill();
    cluster.awaitLeader();
    cluster.runFor(2_000);
    others.forEach(SimNode::kill);
    cluster.runFor(3_000);
    cluster.keys().giveUpAll();
    cluster.checker().forced(alone);
    alone.start(false);
    cluster.runFor(1_000);
    ForcedTakeover.Answer answer = force(cluster, alone, clusterOf(alone));
    assertThat(answer.ordered()).as(answer.detail()).isTrue();
    assertThat(cluster.awaitLeader()).isEqualTo(alone);
    checkRecovers(cluster);
    for (SimNode back : others) {
      assertThat(back.disk().log().evidence()).as(back.name()).hasSize(1);
    }
  }

  /** The process dies between the order and its term: the term is marked all the same. */
  @Test
  void anOrderOutlivesTheProcess() {
    SimCluster cluster = running(202);
    SimNode leader = cluster.leader().orElseThrow();
    SimNode forced = cluster.standbys().get(0);
    cluster.nodes().forEach(SimNode::losePower);
    cluster.nodes().stream().filter(node -> node != leader).forEach(node -> node.start(false));
    cluster.runFor(5_000);
    assertThat(cluster.leader()).isEmpty();
    cluster.keys().giveUpAll();
    cluster.checker().forced(forced);
    assertThat(force(cluster, forced, clusterOf(forced)).ordered()).isTrue();
    assertThat(forcedEpochs(forced)).isZero();
    forced.kill();
    assertThat(forced.disk().ordered()).isPresent();

    forced.start(false);
    cluster.awaitLeader();
    assertThat(forcedEpochs(forced)).isEqualTo(1);
    assertThat(forced.disk().ordered()).isEmpty();
    checkRecovers(cluster);
  }

  /** COR-17, HA-REQ-014, 020: an emptied store; epochs and views go on above what was. */
  @Test
  void aWipedStoreIsFilledByAnOperatorsWord() {
    SimCluster cluster = running(203);
    SimNode forced = cluster.leader().orElseThrow();
    long viewBefore = forced.disk().viewVersion();
    long epochBefore = forced.node().leadership().orElseThrow().epoch();
    assertThat(viewBefore).isPositive();
    cluster.store().wipe();
    cluster.runFor(5_000);
    assertThat(cluster.leader()).isEmpty();

    cluster.keys().giveUpAll();
    cluster.checker().forced(forced);
    ForcedTakeover.Answer answer = force(cluster, forced, clusterOf(forced));
    assertThat(answer.ordered()).as(answer.detail()).isTrue();
    assertThat(cluster.awaitLeader()).isEqualTo(forced);
    assertThat(cluster.runUntil(() -> forced.disk().viewVersion() > viewBefore, 2_000)).isTrue();
    assertThat(forced.node().leadership().orElseThrow().epoch()).isGreaterThan(epochBefore);
    checkRecovers(cluster);
    assertThat(cluster.nodes()).allMatch(node -> node.disk().log().evidence().isEmpty());
  }

  @Test
  void nothingIsForcedWhereItIsNotNeededOrNotMeant() {
    SimCluster cluster = running(204);
    SimNode leader = cluster.leader().orElseThrow();
    SimNode standby = cluster.standbys().get(0);
    UUID own = clusterOf(standby);
    assertThat(force(cluster, leader, own).detail()).contains("LEADER");
    assertThat(force(cluster, standby, own).detail()).contains("leads");
    assertThat(force(cluster, standby, new UUID(1, 2)).detail()).contains("belongs to cluster");
    leader.kill();
    assertThat(force(cluster, standby, own).ordered()).as("a member in sync").isFalse();
    assertThat(cluster.awaitLeader().role()).isEqualTo(NodeRole.LEADER);
    assertThat(forcedEpochs(cluster.leader().orElseThrow())).isZero();
    checkRecovers(cluster);
  }
}
