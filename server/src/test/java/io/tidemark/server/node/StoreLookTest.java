package io.tidemark.server.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.server.node.StoreLook.Next;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a node may do by what the store says (COR-14 to COR-17). */
class StoreLookTest {
  private static final UUID CLUSTER = new UUID(1, 1);
  private static final Member SELF = new Member(new UUID(2, 1), new UUID(3, 1));
  private static final Member OTHER = new Member(new UUID(2, 2), new UUID(3, 2));

  private final SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.PAGE);
  private UUID cluster = CLUSTER;
  private long revision = 10;
  private long forcedEpoch;
  private boolean mayCreate;

  private StoreLook look(ClusterView view) {
    NodeIdentity identity =
        new FixedIdentity(SELF, Optional.ofNullable(cluster), revision, forcedEpoch);
    return StoreLook.at(view, identity, log, mayCreate);
  }

  private static MembershipRecord record(UUID of, long epoch, long at, Member... members) {
    return new MembershipRecord(of, epoch, OTHER, List.of(members), at);
  }

  private static ClusterView view(MembershipRecord record, Optional<LeaderInfo> leader) {
    return new ClusterView(Optional.of(record), leader, 20);
  }

  private static ClusterView leaderless(MembershipRecord record) {
    return view(record, Optional.empty());
  }

  private static Optional<LeaderInfo> leader(Member member) {
    return Optional.of(new LeaderInfo(member, 3, "host:1", 15));
  }

  private static final ClusterView EMPTY = new ClusterView(Optional.empty(), Optional.empty(), 20);

  @Test
  void aMemberMayCampaign() {
    StoreLook look = look(leaderless(record(CLUSTER, 3, 12, SELF, OTHER)));
    assertThat(look.next()).isEqualTo(Next.CAMPAIGN);
    assertThat(look.trusted()).isTrue();
  }

  /** COR-16: another incarnation is another member. */
  @Test
  void whoIsNotInSyncWaits() {
    Member before = new Member(SELF.node(), new UUID(99, 99));
    StoreLook look = look(leaderless(record(CLUSTER, 3, 12, before, OTHER)));
    assertThat(look.next()).isEqualTo(Next.WAIT);
    assertThat(look.why()).contains("not in the in-sync set");
  }

  @Test
  void aLeaderIsFollowed() {
    assertThat(look(view(record(CLUSTER, 3, 12, OTHER), leader(OTHER))).next())
        .isEqualTo(Next.FOLLOW);
  }

  @Test
  void theEndOfAnOwnEarlierLeadershipIsWaitedFor() {
    Member before = new Member(SELF.node(), new UUID(99, 99));
    assertThat(look(view(record(CLUSTER, 3, 12, SELF), leader(SELF))).next()).isEqualTo(Next.WAIT);
    assertThat(look(view(record(CLUSTER, 3, 12, SELF), leader(before))).next())
        .isEqualTo(Next.WAIT);
  }

  /** COR-17. */
  @Test
  void anotherClusterStopsTheNode() {
    StoreLook look = look(leaderless(record(new UUID(8, 8), 3, 12, SELF)));
    assertThat(look.next()).isEqualTo(Next.STOP);
    assertThat(look.trusted()).isFalse();
  }

  /** COR-17: by the record's revision, by the store's, and by the epoch that the log accepted. */
  @Test
  void aStoreThatWentBackIsNotTrusted() {
    log.acceptEpoch(5);
    MembershipRecord[] old = {record(CLUSTER, 6, 9, SELF), record(CLUSTER, 4, 12, SELF)};
    for (MembershipRecord record : old) {
      StoreLook look = look(leaderless(record));
      assertThat(look.next()).isEqualTo(Next.WAIT);
      assertThat(look.trusted()).isFalse();
      assertThat(look.why()).contains("went back");
      assertThat(look(view(record, leader(OTHER))).next()).isEqualTo(Next.WAIT);
    }
    revision = 30;
    assertThat(look(leaderless(record(CLUSTER, 6, 40, SELF))).why()).contains("went back");
  }

  /** COR-17: behind an operator's word the store may count anew; an older word counts no more. */
  @Test
  void aStoreThatAnOperatorFilledAnewIsTrusted() {
    log.acceptEpoch(5);
    MembershipRecord forced = new MembershipRecord(CLUSTER, 7, OTHER, List.of(OTHER), 2, 6);
    StoreLook look = look(new ClusterView(Optional.of(forced), leader(OTHER), 3));
    assertThat(look.next()).isEqualTo(Next.FOLLOW);
    assertThat(look.trusted()).isTrue();
    forcedEpoch = 6;
    assertThat(look(new ClusterView(Optional.of(forced), leader(OTHER), 3)).trusted())
        .as("the same word, and the revision fell")
        .isFalse();
    forcedEpoch = 0;
    log.acceptEpoch(8);
    assertThat(look(new ClusterView(Optional.of(forced), leader(OTHER), 3)).trusted())
        .as("an epoch that was passed")
        .isFalse();
    revision = 1;
    forcedEpoch = 9;
    assertThat(look(leaderless(record(CLUSTER, 8, 12, SELF))).trusted())
        .as("a record from before the word")
        .isFalse();
  }

  /** COR-17: only a blank node that an operator said so to makes a cluster. */
  @Test
  void aRecordIsMadeOnlyForANewCluster() {
    cluster = null;
    revision = 0;
    assertThat(look(EMPTY).next()).isEqualTo(Next.WAIT);
    mayCreate = true;
    assertThat(look(EMPTY).next()).isEqualTo(Next.CREATE);
    revision = 1;
    assertThat(look(EMPTY).next()).isEqualTo(Next.WAIT);
    revision = 0;
    log.acceptEpoch(1);
    assertThat(look(EMPTY).next()).isEqualTo(Next.WAIT);
    assertThat(look(EMPTY).why()).contains("has a log");
  }
}
