package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.codes;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.table.ObjectCursor;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-074 to OBJ-094: writing over what is there. */
class UpsertTest {

  @Test
  @DisplayName("OBJ-074 an upsert of an absent key goes as a put")
  void absent() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> started = value(m.upsertStart(C1, "a", KIB));
    assertThat(started).hasSize(1);
    assertThat(started.get(0).status()).isEqualTo(ReplicaStatus.PROCESSING.code());
    assertThat(m.upsertEnd(C1, "a")).isZero();
    assertThat(m.readable("a")).hasSize(1);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-075 the same size is written in place, unreadable until the end")
  void inPlace() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> before = m.put("a");
    List<ReplicaDescriptor> upsert = value(m.upsertStart(C1, "a", KIB));
    assertThat(Calls.address(upsert)).isEqualTo(Calls.address(before));
    assertThat(upsert.get(0).id()).isEqualTo(before.get(0).id());
    assertThat(code(m.get("a"))).isEqualTo(Codes.NOT_READY);
    assertThat(m.upsertEnd(C1, "a")).isZero();
    assertThat(m.readable("a")).hasSize(1);
    assertThat(m.view().allocatedBytes()).isEqualTo(KIB);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "OBJ-076 another size gets another range; the old one is held until the release timeout")
  void otherSize() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> before = m.put("a");
    List<ReplicaDescriptor> upsert = value(m.upsertStart(C1, "a", 2 * KIB));
    assertThat(Calls.address(upsert)).isNotEqualTo(Calls.address(before));
    assertThat(m.upsertEnd(C1, "a")).isZero();
    assertThat(MasterFixture.memory(m.readable("a").get(0)).sizeBytes()).isEqualTo(2 * KIB);
    assertThat(m.view().allocatedBytes()).isEqualTo(3 * KIB);
    m.advance(599_990);
    assertThat(m.view().allocatedBytes()).isEqualTo(3 * KIB);
    m.advance(20);
    assertThat(m.view().allocatedBytes()).isEqualTo(2 * KIB);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-077 an upsert by another client makes it the owner")
  void otherOwner() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    assertThat(code(m.upsertStart(C2, "a", KIB))).isZero();
    assertThat(m.upsertEnd(C1, "a")).isEqualTo(Codes.ILLEGAL_CLIENT);
    assertThat(m.upsertEnd(C2, "a")).isZero();
  }

  @Test
  @DisplayName("OBJ-078 an upsert takes over a put that is under way")
  void preemptsPut() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> put = value(m.putStart(C1, "a", KIB));
    List<ReplicaDescriptor> upsert = value(m.upsertStart(C2, "a", KIB));
    assertThat(upsert).hasSize(1);
    assertThat(Calls.address(upsert)).isNotEqualTo(Calls.address(put));
    assertThat(m.putEnd(C1, "a")).isEqualTo(Codes.ILLEGAL_CLIENT);
    assertThat(m.upsertEnd(C2, "a")).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-079 an upsert takes over an upsert that is under way")
  void preemptsUpsert() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.upsertStart(C1, "a", KIB);
    assertThat(code(m.upsertStart(C2, "a", KIB))).isZero();
    assertThat(m.upsertEnd(C1, "a")).isEqualTo(Codes.ILLEGAL_CLIENT);
    assertThat(m.upsertEnd(C2, "a")).isZero();
    assertThat(m.readable("a")).hasSize(1);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "OBJ-080, OBJ-081, OBJ-082 a revoked upsert leaves nothing, also of what was there before")
  void revoked() {
    MasterFixture m = MasterFixture.base();
    m.upsertStart(C1, "absent", KIB);
    m.put("same");
    m.upsertStart(C1, "same", KIB);
    m.put("other");
    m.upsertStart(C1, "other", 2 * KIB);
    for (String key : List.of("absent", "same", "other")) {
      assertThat(m.putRevoke(C1, key, ReplicaType.MEMORY)).isZero();
      assertThat(code(m.get(key))).isEqualTo(Codes.NOT_FOUND);
    }
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-084 the group of an object can't be changed; an upsert without groups keeps it")
  void groupIsImmutable() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.grouped("g"));
    for (long size : new long[] {KIB, 2 * KIB}) {
      assertThat(code(m.upsertStart(C1, "a", size))).isZero();
      assertThat(m.upsertEnd(C1, "a")).isZero();
      assertThat(Calls.groupOf(m, "a")).isEqualTo("g");
    }
    for (String group : List.of("h", "")) {
      assertThat(code(m.upsertStart(C1, "a", 2 * KIB, Ask.grouped(group))))
          .isEqualTo(Codes.INVALID_PARAMS);
    }
    assertThat(code(m.upsertStart(C1, "a", 2 * KIB, Ask.grouped("g")))).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-085 an ungrouped object can't join a group, and stays readable")
  void cantJoin() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    assertThat(code(m.upsertStart(C1, "a", 2 * KIB, Ask.grouped("g"))))
        .isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.readable("a")).hasSize(1);
  }

  @Test
  @DisplayName(
      "OBJ-086 an upsert over an unfinished grouped put decides the group anew, unless it names"
          + " another")
  void unfinishedGroup() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB, Ask.grouped("g"));
    assertThat(code(m.upsertStart(C2, "a", KIB))).isZero();
    assertThat(m.upsertEnd(C2, "a")).isZero();
    assertThat(Calls.groupOf(m, "a")).isEmpty();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-087 an end without a checksum clears the old one; 0 is a checksum")
  void checksum() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    m.putEnd(C1, "a", ReplicaType.MEMORY, OptionalLong.of(0));
    Reply.ReplicaList first = value(m.get("a"));
    assertThat(first.objectChecksum()).hasValue(0);
    m.advance(10_000);
    m.upsertStart(C1, "a", KIB);
    m.upsertEnd(C1, "a");
    Reply.ReplicaList second = value(m.get("a"));
    assertThat(second.objectChecksum()).isEmpty();
  }

  @Test
  @DisplayName("OBJ-088 an upsert keeps the hard pin")
  void hardPinStays() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.forReplicas(1).hardPin().build());
    m.upsertStart(C1, "a", 2 * KIB);
    m.upsertEnd(C1, "a");
    assertThat(Calls.<Boolean>look(m, "a", ObjectCursor::isHardPinned)).isTrue();
  }

  @Test
  @DisplayName("OBJ-089 without room for the new size the old object stays as it was")
  void keptForLackOfRoom() {
    MasterFixture m = MasterFixture.base();
    m.put("a", 6 * MIB, ReplicateConfig.DEFAULT);
    m.put("b", 8 * MIB, ReplicateConfig.DEFAULT);
    long digest = m.view().stateDigest();
    assertThat(code(m.upsertStart(C1, "a", 7 * MIB))).isEqualTo(Codes.NO_MEMORY);
    assertThat(m.readable("a")).hasSize(1);
    assertThat(m.view().stateDigest()).isEqualTo(digest);
  }

  @Test
  @DisplayName("an unfinished write stays as it was when what replaces it does not fit")
  void unfinishedKeptForLackOfRoom() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    assertThat(code(m.upsertStart(C2, "a", 17 * MIB))).isEqualTo(Codes.NO_MEMORY);
    assertThat(m.putEnd(C1, "a")).isZero();
  }

  @Test
  @DisplayName("OBJ-094 a batch upsert answers each key by itself, in order")
  void batch() {
    MasterFixture m = MasterFixture.base();
    m.put("old");
    List<String> keys = List.of("new", "old", "");
    Reply start =
        m.call(Calls.batchStart(Rpc.BATCH_UPSERT_START, C1, keys, ReplicateConfig.DEFAULT));
    assertThat(codes(start)).containsExactly(Codes.OK, Codes.OK, Codes.INVALID_PARAMS);
    assertThat(codes(m.call(Calls.batchEnd(Rpc.BATCH_UPSERT_END, C1, keys))))
        .containsExactly(Codes.OK, Codes.OK, Codes.NOT_FOUND);
    m.advance(1);
    m.call(Calls.batchStart(Rpc.BATCH_UPSERT_START, C1, keys, ReplicateConfig.DEFAULT));
    assertThat(codes(m.call(Calls.batchRevoke(Rpc.BATCH_UPSERT_REVOKE, C1, keys))))
        .containsExactly(Codes.OK, Codes.OK, Codes.NOT_FOUND);
    assertThat(m.view().objectCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "an upsert over a partly finished write keeps what is complete and goes on from there")
  void partial() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.put("a");
    List<ReplicaDescriptor> upsert = value(m.upsertStart(C2, "a", KIB));
    assertThat(upsert).as("the unfinished disk replica is dropped").hasSize(1);
    assertThat(m.upsertEnd(C2, "a")).isZero();
    assertThat(m.remove("a", false)).isZero();
    m.assertReplayAgrees();
  }
}
