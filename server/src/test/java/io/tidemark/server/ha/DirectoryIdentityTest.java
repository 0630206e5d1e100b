package io.tidemark.server.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.Uuid;
import io.tidemark.api.log.EntryHeader;
import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.MemberFile;
import io.tidemark.oplog.OpenedLog;
import java.nio.file.Path;
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
    fresh.noteRecordRevision(40);
    fresh.noteRecordRevision(30);
    DirectoryIdentity again = identity();
    assertThat(again.cluster()).contains(CLUSTER);
    assertThat(again.recordRevision()).isEqualTo(40);
    assertThat(again.self()).isEqualTo(fresh.self());
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
