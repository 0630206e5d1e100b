package io.tidemark.server.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.Uuid;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import io.tidemark.server.node.ForcedStart;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who a directory belongs to (COR-16, 17). */
class DirectoryIdentityTest {
  private static final UUID CLUSTER = new UUID(5, 6);

  @TempDir private Path directory;

  @Test
  void aNewDirectoryBelongsToNobodyAndOnceAdoptedToOneClusterForGood() {
    try (ChronicleLog log = open().log()) {
      assertThat(log.end().index()).isZero();
    }
    DirectoryIdentity fresh = identity();
    assertThat(fresh.cluster()).isEmpty();
    assertThat(fresh.recordRevision()).isZero();
    fresh.adopt(CLUSTER);
    assertThat(fresh.cluster()).contains(CLUSTER);
    assertThatThrownBy(() -> fresh.adopt(new UUID(7, 8))).isInstanceOf(IllegalStateException.class);
    fresh.noteRecord(record(40, 0));
    fresh.noteRecord(record(30, 0));
    DirectoryIdentity again = identity();
    assertThat(again.cluster()).contains(CLUSTER);
    assertThat(again.recordRevision()).isEqualTo(40);
    assertThat(again.self()).isEqualTo(fresh.self());
  }

  /** HA-REQ-014, COR-20: what a start has to find again. */
  @Test
  void viewsForcedRecordsAndOrdersAreRemembered() {
    DirectoryIdentity fresh = identity();
    fresh.noteView(3);
    assertThat(fresh.viewVersion()).as("of a cluster that it does not know").isZero();
    fresh.adopt(CLUSTER);
    fresh.noteRecord(record(40, 0));
    fresh.noteView(50);
    fresh.noteView(45);
    fresh.order(new ForcedStart(7, true));
    DirectoryIdentity again = identity();
    assertThat(again.viewVersion()).isEqualTo(50);
    assertThat(again.ordered()).contains(new ForcedStart(7, true));
    again.noteRecord(record(3, 7));
    again.orderIsOver();
    again.forgetViews();
    DirectoryIdentity last = identity();
    assertThat(last.recordRevision()).as("counted anew").isEqualTo(3);
    assertThat(last.forcedEpoch()).isEqualTo(7);
    assertThat(last.ordered()).isEmpty();
    assertThat(last.viewVersion()).isZero();
    assertThat(last.cluster()).contains(CLUSTER);
  }

  private static MembershipRecord record(long revision, long forcedEpoch) {
    Member member = new Member(new UUID(1, 1), new UUID(1, 2));
    return new MembershipRecord(CLUSTER, 9, member, List.of(member), revision, forcedEpoch);
  }

  @Test
  void theLogOfASingleMasterIsNoNewMembers() {
    OpenedLog opened = open();
    opened.log().append(new EntryHeader(1, 1, 1, 1, 1, Uuid.ZERO, true), new byte[] {1}, 0, 1);
    opened.log().endBatch();
    opened.log().close(true);
    assertThat(identity().cluster()).contains(opened.identity().cluster());
  }

  private OpenedLog open() {
    return ChronicleLog.open(LogOptions.defaults(directory));
  }

  private DirectoryIdentity identity() {
    OpenedLog opened = open();
    opened.log().close(true);
    return new DirectoryIdentity(opened, new MemberFile(directory));
  }
}
