package io.tidemark.oplog.replication;

import static io.tidemark.oplog.replication.ReplicationScene.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ha.Member;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.api.log.LogPosition;
import io.tidemark.api.log.OperationLog;
import io.tidemark.oplog.replication.ReplicationScene.Standby;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Leader and standby with each other: catching up, cutting, refusing, leaving, coming in. */
class ReplicationTest {

  private static ReplicationScene scene(int entries) {
    ReplicationScene scene = new ReplicationScene(page());
    Entries.append(scene.log, scene.epoch(), entries, "entry");
    return scene;
  }

  private static Message lastRefusal(Standby standby) {
    return standby.toLeader.stream()
        .filter(Message.Refuse.class::isInstance)
        .reduce((a, b) -> b)
        .orElseThrow();
  }

  private static Message.Refusal reason(Standby standby) {
    return ((Message.Refuse) lastRefusal(standby)).reason();
  }

  // ---- catching up and coming in

  @Test
  void anEmptyStandbyCatchesUpAndComesIn() {
    ReplicationScene scene = scene(100);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(2_000);
    assertThat(standby.own.end()).isEqualTo(scene.leaderLog.end());
    assertThat(scene.leader.inSync()).containsExactly(ReplicationScene.LEADER, standby.member);
    assertThat(scene.counters.get(ReplicationCounter.MEMBERS_ADDED)).isEqualTo(1);
    assertThat(standby.applied).hasSize(100).isSorted();
  }

  /** HA-REQ-048: all standbys hear at once whose turn it is. */
  @Test
  void aLeadershipIsGivenToOneStandby() {
    ReplicationScene scene = scene(10);
    Standby one = scene.standby(2, page()).dial();
    Standby two = scene.standby(3, page()).dial();
    scene.run(3_000);
    scene.leader.close("given away", Optional.of(one.member));
    scene.drain();
    assertThat(one.events).contains("is the heir").doesNotContain("another is the heir");
    assertThat(two.events).contains("another is the heir").doesNotContain("is the heir");
  }

  /** Architecture 6: a standby applies nothing beyond the commit index. */
  @Test
  void onlyWhatIsCommittedIsApplied() {
    ReplicationScene scene = scene(10);
    Standby one = scene.standby(2, page()).dial();
    Standby two = scene.standby(3, page()).dial();
    scene.run(3_000);
    assertThat(scene.leader.inSync()).hasSize(3);
    two.silent = true;
    Entries.append(scene.log, scene.epoch(), 5, "more");
    scene.leader.appended();
    scene.drain();
    scene.run(200);
    assertThat(one.own.end().index()).isEqualTo(15);
    assertThat(one.applied).hasSize(10);
    assertThat(scene.log.committedIndex()).isEqualTo(10);
  }

  @Test
  void theWindowBoundsWhatIsUnderWay() {
    ReplicationScene scene = scene(200);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(100);
    standby.silent = true;
    Entries.append(scene.log, scene.epoch(), 200, "more");
    scene.leader.appended();
    scene.run(200);
    StandbyProgress progress = scene.leader.standbys().get(0);
    assertThat(progress.bytesUnderWay()).isBetween(1L, 1_300L);
    assertThat(scene.counters.get(ReplicationCounter.WINDOW_FULL)).isPositive();
  }

  /** Many small commands at once cost a standby few messages, and none of them is lost. */
  @Test
  void whatIsAppendedWhileTwoSmallMessagesAreUnderWayGoesTogether() {
    ReplicationScene scene = scene(10);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(2_000);
    long before = scene.counters.get(ReplicationCounter.APPENDS_SENT);
    for (int i = 0; i < 20; i++) {
      Entries.append(scene.log, scene.epoch(), 1, "x");
      scene.leader.appended();
    }
    assertThat(scene.counters.get(ReplicationCounter.APPENDS_SENT)).isEqualTo(before + 2);
    scene.run(1_000);
    assertThat(standby.own.end()).isEqualTo(scene.leaderLog.end());
    assertThat(standby.applied).hasSize(30);
    assertThat(scene.counters.get(ReplicationCounter.APPENDS_SENT)).isLessThan(before + 10);
  }

  /** COR-15: the record first, then commit without the member. */
  @Test
  void aSilentMemberIsTakenOutOfTheRecordBeforeCommitGoesOn() {
    ReplicationScene scene = scene(10);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(2_000);
    standby.silent = true;
    Entries.append(scene.log, scene.epoch(), 5, "more");
    scene.run(900);
    assertThat(scene.log.committedIndex()).isEqualTo(10);
    scene.run(1_000);
    assertThat(scene.leader.inSync()).containsExactly(ReplicationScene.LEADER);
    assertThat(scene.leader.record().inSync()).containsExactly(ReplicationScene.LEADER);
    assertThat(scene.log.committedIndex()).isEqualTo(15);
    assertThat(scene.counters.get(ReplicationCounter.MEMBERS_REMOVED)).isEqualTo(1);
  }

  /** COR-15: no answer of the store, no commit without the member. */
  @Test
  void withoutTheStoreNobodyIsTakenOut() {
    ReplicationScene scene = scene(10);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(2_000);
    standby.silent = true;
    scene.coordinator.link().cut(true);
    Entries.append(scene.log, scene.epoch(), 5, "more");
    scene.run(4_000);
    assertThat(scene.log.committedIndex()).isEqualTo(10);
    assertThat(scene.leader.inSync()).hasSize(2);
    scene.coordinator.link().cut(false);
  }

  @Test
  void aNewStreamOfANodeReplacesTheOldOne() {
    ReplicationScene scene = scene(10);
    Standby first = scene.standby(2, page()).dial();
    scene.run(100);
    scene.standby(2, page()).dial();
    assertThat(first.events).contains("closed by the leader");
    assertThat(scene.leader.standbys()).hasSize(1);
  }

  // ---- cutting

  /** HA-050: a suffix that the leader does not have is kept as evidence and cut. */
  @Test
  void aDivergentSuffixIsCut() {
    SimulatedLog own = page();
    SimulatedLog leaders = page();
    Entries.append(leaders, 1, 20, "same");
    Entries.ship(leaders, own, 20);
    Entries.append(own, 1, 7, "never replicated");
    ReplicationScene scene = new ReplicationScene(leaders);
    Entries.startEpoch(scene.log, scene.epoch(), false);
    Standby standby = scene.standby(2, own).dial();
    scene.run(500);
    assertThat(standby.events).containsExactly("cutting behind 20", "cut 7");
    assertThat(own.evidence()).hasSize(1);
    assertThat(own.end()).isEqualTo(leaders.end());
    assertThat(standby.counters.get(ReplicationCounter.ENTRIES_CUT)).isEqualTo(7);
  }

  /** COR-20. */
  @Test
  void committedEntriesAreNotCut() {
    SimulatedLog own = page();
    SimulatedLog leaders = page();
    Entries.append(leaders, 1, 20, "same");
    Entries.ship(leaders, own, 20);
    Entries.append(own, 1, 7, "committed elsewhere");
    own.noteCommit(25);
    ReplicationScene scene = new ReplicationScene(leaders);
    Entries.startEpoch(scene.log, scene.epoch(), false);
    Standby standby = scene.standby(2, own).dial();
    assertThat(reason(standby)).isEqualTo(Message.Refusal.COMMITTED_ENTRIES);
    assertThat(standby.events).anyMatch(event -> event.startsWith("must stop"));
    assertThat(own.end().index()).isEqualTo(27);
  }

  /** Two nodes with one name: what one acknowledges must not be taken for what the other holds. */
  @Test
  void whoeverIsReplacedWhileItsStreamLivesStops() {
    ReplicationScene scene = scene(20);
    Standby first = scene.standby(2, page()).dial();
    scene.run(2_000);
    assertThat(scene.leader.inSync()).hasSize(2);
    Standby copy = scene.standby(2, page()).dial();
    scene.run(100);
    assertThat(first.events).anyMatch(e -> e.startsWith("must stop: another process says"));
    assertThat(copy.events).noneMatch(e -> e.startsWith("must stop"));
    assertThat(scene.leader.standbys()).hasSize(1);
    assertThat(copy.own.end()).isEqualTo(scene.leaderLog.end());
  }

  /** COR-20: an operator's forced epoch may cost committed entries; the state is built anew. */
  @Test
  void aForcedBranchMayCostCommittedEntries() {
    SimulatedLog own = page();
    SimulatedLog leaders = page();
    Entries.append(leaders, 1, 20, "same");
    Entries.ship(leaders, own, 20);
    Entries.append(own, 1, 7, "lost with the other node");
    own.noteCommit(25);
    ReplicationScene scene = new ReplicationScene(leaders);
    Entries.startEpoch(scene.log, scene.epoch(), true);
    Standby standby = scene.standby(2, own);
    standby.cursor.allow(25);
    standby.applicable();
    standby.dial();
    assertThat(standby.events).contains("cut 7", "state invalid");
    assertThat(own.end().index()).isEqualTo(20);
  }

  /** COR-19. */
  @Test
  void otherContentAtTheSamePositionStopsTheStandby() {
    SimulatedLog own = page();
    SimulatedLog leaders = page();
    Entries.append(own, 1, 20, "one");
    Entries.append(leaders, 1, 20, "another");
    ReplicationScene scene = new ReplicationScene(leaders);
    Standby standby = scene.standby(2, own).dial();
    assertThat(reason(standby)).isEqualTo(Message.Refusal.OTHER_CONTENT);
    assertThat(standby.events).anyMatch(event -> event.startsWith("must stop"));
    assertThat(own.end().index()).isEqualTo(20);
    assertThat(own.evidence()).isEmpty();
  }

  /** HA-REQ-033: who joins has applied a digest of the leader's, and did not stop at it. */
  @Test
  void aStandbyJoinsOnceItAgreedOnADigest() {
    ReplicationScene scene = new ReplicationScene(page(), ReplicationScene.CONFIG, true);
    Entries.startEpoch(scene.log, scene.epoch(), false);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(500);
    assertThat(scene.leader.inSync()).doesNotContain(standby.member);
    assertThat(scene.leader.wantsDigest()).isTrue();
    Entries.digest(scene.log, scene.epoch());
    assertThat(scene.leader.wantsDigest()).isFalse();
    scene.leader.appended();
    scene.run(500);
    assertThat(scene.leader.inSync()).contains(standby.member);
  }

  /** HA-REQ-033, COR-28: one that disagrees stops, and never joins. */
  @Test
  void aStandbyThatDisagreesDoesNotJoin() {
    ReplicationScene scene = new ReplicationScene(page(), ReplicationScene.CONFIG, true);
    Entries.startEpoch(scene.log, scene.epoch(), false);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(200);
    standby.wrongDigestAt = scene.log.wholeIndex() + 1;
    Entries.digest(scene.log, scene.epoch());
    scene.leader.appended();
    scene.run(500);
    assertThat(scene.leader.inSync()).doesNotContain(standby.member);
    assertThat(standby.counters.get(ReplicationCounter.DIGEST_MISMATCHES)).isEqualTo(1);
  }

  /** COR-04: also who begins to wait when the set is too small already. */
  @Test
  void whoeverWaitsBelowTheMinimumIsToldInTheEnd() {
    ReplicationConfig c = ReplicationScene.CONFIG;
    ReplicationScene scene = new ReplicationScene(page(), c.withMinInSync(2));
    int[] told = {0};
    scene.log.onCommit(
        new OperationLog.CommitListener() {
          @Override
          public void committed(long index) {
            throw new AssertionError("nothing may commit, entry " + index + " did");
          }

          @Override
          public void failed(LogFailureException failure) {
            throw failure;
          }

          @Override
          public void stalled() {
            told[0]++;
          }
        });
    scene.run(100);
    int before = told[0];
    scene.run(100);
    assertThat(told[0]).isGreaterThan(before);
  }

  // ---- epochs

  /** COR-18, HA-044: a lower epoch is refused, with the highest; its leader steps down. */
  @Test
  void aStaleLeaderIsRefusedAndDeposed() {
    ReplicationScene scene = scene(10);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(500);
    standby.own.acceptEpoch(scene.epoch() + 3);
    Entries.append(scene.log, scene.epoch(), 1, "late");
    scene.leader.appended();
    scene.drain();
    assertThat(reason(standby)).isEqualTo(Message.Refusal.STALE_EPOCH);
    assertThat(standby.own.end().index()).isEqualTo(10);
    assertThat(scene.deposed).hasSize(1);
    assertThat(standby.counters.get(ReplicationCounter.STALE_EPOCHS_REFUSED)).isEqualTo(1);
  }

  @Test
  void aHelloOfAHigherEpochDeposes() {
    ReplicationScene scene = scene(10);
    SimulatedLog own = page();
    own.acceptEpoch(99);
    scene.standby(2, own).dial();
    assertThat(scene.deposed).hasSize(1);
    assertThat(scene.leader.standbys()).isEmpty();
  }

  /** COR-18: durable before anything is answered. */
  @Test
  void aHigherEpochIsAcceptedDurably() {
    ReplicationScene scene = scene(10);
    Standby standby = scene.standby(2, page()).dial();
    assertThat(standby.own.powerLoss().acceptedEpoch()).isEqualTo(scene.epoch());
  }

  // ---- digests (COR-28)

  @Test
  void aStandbyThatDisagreesLeaves() {
    ReplicationScene scene = scene(10);
    Standby standby = scene.standby(2, page());
    standby.wrongDigestAt = 5;
    standby.dial();
    scene.run(3_000);
    assertThat(standby.applied).hasSize(4);
    assertThat(scene.leader.inSync()).containsExactly(ReplicationScene.LEADER);
    assertThat(scene.deposed).isEmpty();
    assertThat(scene.counters.get(ReplicationCounter.DIGEST_MISMATCHES)).isEqualTo(1);
  }

  /**
   * A restart builds its state anew from snapshot and log; what it then says of the entry counts.
   */
  @Test
  void aStandbyThatDisagreedIsLetInOnceItHasPassedThatDigest() {
    ReplicationScene scene = scene(10);
    Standby wrong = scene.standby(2, page());
    wrong.wrongDigestAt = 5;
    wrong.dial();
    scene.run(3_000);
    Standby stillWrong = scene.standby(2, wrong.own);
    stillWrong.wrongDigestAt = 5;
    stillWrong.dial();
    scene.run(3_000);
    assertThat(scene.leader.inSync()).as("the same again").doesNotContain(wrong.member);

    scene.standby(2, wrong.own).dial();
    scene.run(3_000);

    assertThat(scene.leader.inSync()).contains(wrong.member);
    assertThat(scene.counters.get(ReplicationCounter.DIGEST_MISMATCHES)).isEqualTo(2);
    assertThat(scene.deposed).as("one member is no two").isEmpty();
  }

  @Test
  void twoStandbysThatDisagreeAlikeAccuseTheLeader() {
    ReplicationScene scene = scene(10);
    for (long number = 2; number <= 3; number++) {
      Standby standby = scene.standby(number, page());
      standby.wrongDigestAt = 5;
      standby.dial();
    }
    scene.run(3_000);
    assertThat(scene.deposed).hasSize(1);
  }

  // ---- what can't be

  @Test
  void messagesOutOfOrderCloseTheStream() {
    ReplicationScene scene = scene(10);
    Standby standby = scene.standby(2, page()).dial();
    scene.run(100);
    standby.follower.message(
        new Message.Append(scene.epoch(), scene.leaderLog.base(), 0, List.of()), 0);
    assertThat(reason(standby)).isEqualTo(Message.Refusal.OUT_OF_ORDER);
  }

  @Test
  void aStandbyOfAnotherClusterIsTurnedAway() {
    ReplicationScene scene = scene(1);
    assertThat(answerTo(scene, Message.FORMAT, new UUID(1, 1)))
        .isEqualTo(Message.Closing.OTHER_CLUSTER);
  }

  @Test
  void aStandbyOfANewerFormatIsTurnedAway() {
    ReplicationScene scene = scene(1);
    assertThat(answerTo(scene, Message.FORMAT + 1, ReplicationScene.CLUSTER))
        .isEqualTo(Message.Closing.FORMAT);
  }

  private static Message.Closing answerTo(ReplicationScene scene, int format, UUID cluster) {
    List<Message> answers = new ArrayList<>();
    Link link =
        new Link() {
          @Override
          public void send(byte[] bytes) {
            answers.add(MessageCodec.read(bytes));
          }

          @Override
          public void close() {}
        };
    Member member = new Member(new UUID(0, 2), new UUID(1, 2));
    scene.leader.message(
        link,
        new Message.Hello(format, cluster, member, 0, LogPosition.START, LogPosition.START, 0));
    assertThat(answers).singleElement().isInstanceOf(Message.Close.class);
    return ((Message.Close) answers.get(0)).reason();
  }
}
