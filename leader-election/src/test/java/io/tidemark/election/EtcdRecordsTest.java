package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.KeyValue;
import io.tidemark.api.ha.LeaderInfo;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Bytes of the keys: what a release wrote once, every later one reads. */
class EtcdRecordsTest {
  private static final Member A = new Member(new UUID(0xA, 1), new UUID(1, 1));
  private static final Member B = new Member(new UUID(0xA, 2), new UUID(1, 2));
  private static final String A_TEXT =
      "00000000-0000-000a-0000-000000000001/00000000-0000-0001-0000-000000000001";
  private static final String B_TEXT =
      "00000000-0000-000a-0000-000000000002/00000000-0000-0001-0000-000000000002";
  private static final String LEADER =
      "tidemark-leader 1\nmember=" + A_TEXT + "\nepoch=7\nreplication=10.0.0.1:50052\n";
  private static final String IN_SYNC =
      "tidemark-in-sync 1\ncluster=00000000-0000-000c-0000-000000000001\nepoch=7\nleader="
          + A_TEXT
          + "\nmember="
          + A_TEXT
          + "\nmember="
          + B_TEXT
          + "\n";

  @Test
  void theBytesAreThese() {
    MembershipRecord record = new MembershipRecord(new UUID(0xC, 1), 7, A, List.of(A, B), 12);
    assertThat(text(EtcdRecords.leader(A, 7, "10.0.0.1:50052"))).isEqualTo(LEADER);
    assertThat(text(EtcdRecords.inSync(record))).isEqualTo(IN_SYNC);
    assertThat(EtcdRecords.inSync(pair(IN_SYNC))).isEqualTo(record);
    assertThat(EtcdRecords.leader(pair(LEADER)))
        .isEqualTo(new LeaderInfo(A, 7, "10.0.0.1:50052", 11));
  }

  @Test
  void aForcedRecordSaysSo() {
    MembershipRecord record = new MembershipRecord(new UUID(0xC, 1), 7, A, List.of(A, B), 12, 6);
    assertThat(text(EtcdRecords.inSync(record))).isEqualTo(IN_SYNC + "forced=6\n");
    assertThat(EtcdRecords.inSync(pair(IN_SYNC + "forced=6\n"))).isEqualTo(record);
  }

  @Test
  void fieldsOfLaterReleasesAreSkipped() {
    assertThat(EtcdRecords.inSync(pair(IN_SYNC + "zone=b\n")).inSync()).containsExactly(A, B);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tidemark-in-sync 2\n",
        "tidemark-in-sync 1\nepoch=1\n",
        "tidemark-in-sync 1\ncluster=x\nepoch=1\nleader=a/b\n"
      })
  void whatCannotBeReadIsNamed(String text) {
    assertThatThrownBy(() -> EtcdRecords.inSync(pair(text)))
        .isInstanceOf(EtcdRecords.UnreadableRecordException.class)
        .hasMessageContaining("tidemark/c1/in_sync");
  }

  private static String text(ByteSequence bytes) {
    return bytes.toString(StandardCharsets.UTF_8);
  }

  private static KeyValue pair(String value) {
    return new KeyValue(
        io.etcd.jetcd.api.KeyValue.newBuilder()
            .setKey(ByteString.copyFromUtf8("tidemark/c1/in_sync"))
            .setValue(ByteString.copyFromUtf8(value))
            .setCreateRevision(11)
            .setModRevision(12)
            .build(),
        ByteSequence.EMPTY);
  }
}
