package io.tidemark.oplog.replication;

import static io.tidemark.oplog.replication.ReplicationScene.page;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.log.LogPosition;
import io.tidemark.oplog.replication.ReplicationScene.Standby;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** HA-REQ-036: a standby that the leader's log does not reach back to gets a snapshot first. */
class SnapshotShippingTest {
  private static final int BYTES = 5_000;

  private final byte[] content = new byte[BYTES];
  private ReplicationScene scene;

  @BeforeEach
  void trimmedLeader() {
    SimulatedLog log = page();
    scene = new ReplicationScene(log);
    Entries.append(scene.log, scene.epoch(), 50, "entry");
    new Random(7).nextBytes(content);
    scene.shelf.put(log.positionAt(40).orElseThrow(), content);
    log.removeBefore(30);
  }

  private static List<Message.SnapshotPart> parts(Standby standby) {
    return standby.toStandby.stream()
        .filter(Message.SnapshotPart.class::isInstance)
        .map(Message.SnapshotPart.class::cast)
        .toList();
  }

  @Test
  void itArrivesWholeInPartsAndTheStreamIsOver() {
    Standby standby = scene.standby(2, page()).dial();
    assertThat(standby.snapshot).isNotNull();
    assertThat(standby.snapshot.position().index()).isEqualTo(40);
    assertThat(standby.snapshot.content()).isEqualTo(content);
    assertThat(parts(standby)).hasSizeGreaterThan(10).allMatch(p -> p.bytes().length <= 300);
    assertThat(scene.leader.standbys()).isEmpty();
    assertThat(scene.shelf.opened()).isZero();
    assertThat(scene.counters.get(ReplicationCounter.SNAPSHOTS_OFFERED)).isEqualTo(1);
    assertThat(scene.counters.get(ReplicationCounter.SNAPSHOT_BYTES_SENT)).isEqualTo(BYTES);
    assertThat(standby.follower.lostSnapshot()).isFalse();
  }

  @Test
  void installedItIsFollowedByTheTail() {
    Standby standby = scene.standby(2, page()).dial();
    standby.own.restartAt(standby.snapshot.position());
    Standby again = scene.standby(2, standby.own).dial();
    scene.run(500);
    assertThat(again.own.end()).isEqualTo(scene.leaderLog.end());
    assertThat(scene.leader.inSync()).contains(again.member);
  }

  @Test
  void theWindowBoundsWhatIsUnderWay() {
    Standby standby = scene.standby(2, page());
    standby.deaf = true;
    standby.dial();
    scene.run(200);
    int sent = parts(standby).stream().mapToInt(p -> p.bytes().length).sum();
    assertThat(sent).isBetween(1_000, 1_300);
  }

  @Test
  void theLogBehindItIsNeededWhileItIsSent() {
    Standby standby = scene.standby(2, page());
    standby.deaf = true;
    standby.dial();
    scene.run(100);
    assertThat(scene.leader.neededFrom(true)).isEqualTo(41);
    assertThat(scene.leader.neededFrom(false)).isEqualTo(51);
  }

  @Test
  void aSilentReceiverIsGivenUpAndTheSnapshotClosed() {
    Standby standby = scene.standby(2, page());
    standby.deaf = true;
    standby.dial();
    scene.run(4_000);
    assertThat(scene.leader.standbys()).isEmpty();
    assertThat(scene.shelf.opened()).isZero();
  }

  @Test
  void oneThatCanNotBeReadAnyMoreEndsTheStream() {
    scene.shelf.breakIt();
    Standby standby = scene.standby(2, page()).dial();
    assertThat(standby.events).anyMatch(event -> event.contains("SNAPSHOT_LOST"));
    assertThat(scene.shelf.opened()).isZero();
  }

  @Test
  void whatIsNotWholeIsAbandoned() {
    Standby standby = scene.standby(2, page());
    standby.deafAfter = 3;
    standby.dial();
    standby.follower.close();
    assertThat(standby.shelf.abandoned()).isEqualTo(1);
    assertThat(standby.counters.get(ReplicationCounter.SNAPSHOTS_ABANDONED)).isEqualTo(1);
    assertThat(standby.snapshot).isNull();
    assertThat(standby.follower.lostSnapshot()).isTrue();
  }

  @Test
  void aFullDiskRefusesIt() {
    Standby standby = scene.standby(2, page());
    standby.shelf.full();
    standby.dial();
    assertThat(standby.events).anyMatch(event -> event.contains("NO_ROOM"));
    assertThat(standby.follower.lostSnapshot()).isTrue();
    assertThat(standby.shelf.abandoned()).isEqualTo(1);
    assertThat(scene.leader.standbys()).isEmpty();
  }

  @Test
  void aPartThatDoesNotFollowIsRefused() {
    Standby standby = scene.standby(2, page());
    standby.deafAfter = 3;
    standby.dial();
    LogPosition at = scene.leaderLog.positionAt(40).orElseThrow();
    standby.follower.message(
        new Message.SnapshotPart(scene.epoch(), at, BYTES, 4_000, new byte[10]), 0);
    assertThat(standby.events).anyMatch(event -> event.contains("OUT_OF_ORDER"));
  }

  /** COR-20: what the standby knows to be committed has to be in it. */
  @Test
  void oneBelowTheKnownCommitIndexStopsTheStandby() {
    SimulatedLog own = page();
    own.restartAt(new LogPosition(1, 60, 5));
    own.noteCommit(60);
    Standby standby = scene.standby(2, own).dial();
    assertThat(standby.events).anyMatch(event -> event.contains("must stop: COMMITTED_ENTRIES"));
    assertThat(own.end().index()).isEqualTo(60);
  }

  @Test
  void aLeaderWithoutOneTurnsTheStandbyAway() {
    scene.shelf.put(new LogPosition(1, 10, 1), content);
    Standby standby = scene.standby(2, page()).dial();
    assertThat(standby.events).anyMatch(event -> event.contains("BELOW_BASE"));
    assertThat(scene.counters.get(ReplicationCounter.STANDBYS_BELOW_BASE)).isEqualTo(1);
  }
}
