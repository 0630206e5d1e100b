package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.codes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.SoftPinAction;
import io.tidemark.core.MasterFixture.Pending;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-110 to OBJ-129: soft pins from the request to the deadline, and hard pins. */
class SoftPinTest {
  private static final ReplicateConfig PRESERVE = ReplicateConfig.DEFAULT;
  private static final ReplicateConfig DISABLE =
      Ask.forReplicas(1).softPin(SoftPinAction.DISABLE).build();

  private static MasterFixture shortTtls() {
    TestConfig config = new TestConfig();
    config.softPinTtlMs = 50;
    config.maxSoftPinTtlMs = 100;
    return MasterFixture.with(config.build(), 1);
  }

  @Test
  @DisplayName(
      "OBJ-110 a TTL without ENABLE, one above the maximum and an unknown action are refused")
  void illegalRequests() {
    MasterFixture m = shortTtls();
    for (Ask ask :
        List.of(
            Ask.forReplicas(1).softPin(SoftPinAction.PRESERVE).ttl(10),
            Ask.forReplicas(1).softPin(SoftPinAction.DISABLE).ttl(0),
            Ask.forReplicas(1).softPin(SoftPinAction.ENABLE).ttl(101),
            Ask.forReplicas(1).softPin(SoftPinAction.ENABLE).ttl(-1),
            Ask.forReplicas(1).softPin(3),
            Ask.forReplicas(1).softPin(255))) {
      assertThat(code(m.putStart(C1, "a", KIB, ask.build()))).isEqualTo(Codes.INVALID_PARAMS);
      assertThat(code(m.upsertStart(C1, "a", KIB, ask.build()))).isEqualTo(Codes.INVALID_PARAMS);
    }
    assertThat(code(m.putStart(C1, "a", KIB, Ask.pinned(100)))).isZero();
  }

  @Test
  @DisplayName("OBJ-111 ENABLE with TTL 0 pins nothing")
  void zeroTtl() {
    MasterFixture m = shortTtls();
    m.put("a", KIB, Ask.pinned(0));
    assertThat(m.view().softPinnedCount()).isZero();
    assertThat(Calls.pinDeadline(m, "a")).isZero();
  }

  @Test
  @DisplayName("OBJ-112 a default TTL above the maximum is refused at the start")
  void contradictoryTtls() {
    TestConfig config = new TestConfig();
    config.softPinTtlMs = 101;
    config.maxSoftPinTtlMs = 100;
    assertThatThrownBy(() -> config.build().validated())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("default_kv_soft_pin_ttl")
        .hasMessageContaining("101");
  }

  @Test
  @DisplayName("OBJ-113 a deadline beyond all time stays there")
  void saturates() {
    TestConfig config = new TestConfig();
    config.maxSoftPinTtlMs = -1;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.advanceSilently(10_000);
    m.put("a", KIB, Ask.pinned(25));
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(10_025);
    m.put("b", KIB, Ask.pinned(-1));
    assertThat(Calls.pinDeadline(m, "b")).isEqualTo(Long.MAX_VALUE);
    m.put("c", KIB, Ask.pinned(Long.MAX_VALUE - 9_995));
    assertThat(Calls.pinDeadline(m, "c")).isEqualTo(Long.MAX_VALUE);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "OBJ-114 to OBJ-117 a pin takes effect at the first end: set, kept, cleared, set again")
  void actions() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB, Ask.pinned(5000));
    assertThat(m.view().softPinnedCount()).isZero();
    m.advanceSilently(100);
    m.putEnd(C1, "a");
    assertThat(m.view().softPinnedCount()).isEqualTo(1);
    assertThat(Calls.pinDeadline(m, "a")).as("from the end on").isEqualTo(5100);

    m.upsertStart(C1, "a", KIB, PRESERVE);
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(5100);
    m.advanceSilently(100);
    m.upsertEnd(C1, "a");
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(5100);

    m.upsertStart(C1, "a", 2 * KIB, DISABLE);
    assertThat(Calls.pinDeadline(m, "a")).as("inherited").isEqualTo(5100);
    assertThat(m.view().softPinnedCount()).isEqualTo(1);
    m.upsertEnd(C1, "a");
    assertThat(m.view().softPinnedCount()).isZero();

    m.upsertStart(C1, "a", 2 * KIB, Ask.pinned(3000));
    assertThat(m.view().softPinnedCount()).isZero();
    m.upsertEnd(C1, "a");
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(3200);
    assertThat(m.view().softPinnedCount()).isEqualTo(1);
    m.assertReplayAgrees();
  }

  private static MasterFixture withDisk() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    return MasterFixture.with(config.build(), 1);
  }

  @Test
  @DisplayName(
      "OBJ-118 (with a disk replica) a pin survives the revoke of one kind and commits with the"
          + " other")
  void revokeOfOneKind() {
    MasterFixture m = withDisk();
    m.putStart(C1, "a", KIB, Ask.pinned(5000));
    m.putRevoke(C1, "a", ReplicaType.MEMORY);
    assertThat(m.view().softPinnedCount()).isZero();
    m.putEnd(C1, "a", ReplicaType.DISK, OptionalLong.empty());
    assertThat(m.view().softPinnedCount()).isEqualTo(1);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-119 (with a disk replica) the second end does not move the deadline")
  void secondEnd() {
    MasterFixture m = withDisk();
    m.putStart(C1, "a", KIB, Ask.pinned(5000));
    m.putEnd(C1, "a");
    m.advanceSilently(1000);
    m.putEnd(C1, "a", ReplicaType.DISK, OptionalLong.empty());
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(5000);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-120 repeated ends and reads do not move the deadline")
  void retriesAndReads() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.pinned(5000));
    m.advanceSilently(1000);
    m.putEnd(C1, "a");
    m.get("a");
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(5000);
  }

  @Test
  @DisplayName("OBJ-121 pins end at their deadlines, one after the other")
  void expire() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.pinned(1000));
    m.put("b", KIB, Ask.forReplicas(1).softPin(SoftPinAction.ENABLE).ttl(2000).groups("g").build());
    m.advance(990);
    assertThat(m.view().softPinnedCount()).isEqualTo(2);
    m.advance(10);
    assertThat(m.view().softPinnedCount()).isEqualTo(1);
    m.advance(1000);
    assertThat(m.view().softPinnedCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-122 the old deadline of a pin that was prolonged ends nothing")
  void prolonged() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.pinned(1000));
    m.upsertStart(C1, "a", KIB, Ask.pinned(3000));
    m.upsertEnd(C1, "a");
    m.advance(1500);
    assertThat(m.view().softPinnedCount()).isEqualTo(1);
    m.advance(1500);
    assertThat(m.view().softPinnedCount()).isZero();
  }

  @Test
  @DisplayName(
      "OBJ-124 an inherited pin ends at its deadline also before the upsert does, and stays ended")
  void inheritedPinExpires() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.pinned(1000));
    m.upsertStart(C1, "a", 2 * KIB, PRESERVE);
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(1000);
    m.advance(1000);
    assertThat(m.view().softPinnedCount()).isZero();
    m.upsertEnd(C1, "a");
    assertThat(m.view().softPinnedCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-125 a deadline that has passed is not carried over")
  void pastDeadline() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.pinned(1000));
    m.put("b", KIB, Ask.pinned(1000));
    m.upsertStart(C1, "b", KIB, PRESERVE);
    m.advanceSilently(1000);
    m.upsertStart(C1, "a", 2 * KIB, PRESERVE);
    assertThat(Calls.pinDeadline(m, "a")).isZero();
    m.upsertStart(C2, "b", KIB, PRESERVE);
    assertThat(Calls.pinDeadline(m, "b")).isZero();
    assertThat(m.view().softPinnedCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-126 a soft pin does not block the removal, which ends it")
  void removed() {
    MasterFixture m = MasterFixture.base();
    m.put("a", KIB, Ask.pinned(1000));
    assertThat(m.remove("a", false)).isZero();
    assertThat(m.view().softPinnedCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "OBJ-127 where soft-pinned objects may not be evicted, memory full of them stays full")
  void notEvictable() {
    TestConfig config = new TestConfig();
    config.allowEvictSoftPinned = false;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    for (int i = 0; i < 16; i++) {
      m.put("k" + i, MIB, Ask.pinned(3_600_000));
    }
    assertThat(code(m.putStart(C1, "b", MIB))).isEqualTo(Codes.NO_MEMORY);
    m.advance(2000);
    assertThat(Calls.listed(m)).hasSize(16);
    assertThat(code(m.putStart(C1, "b", MIB))).isEqualTo(Codes.NO_MEMORY);
  }

  @Test
  @DisplayName(
      "OBJ-128, OBJ-129 plain objects are evicted first, then soft-pinned ones, hard-pinned never")
  void order() {
    TestConfig config = new TestConfig();
    config.evictionRatio = 0.5;
    config.highWatermarkRatio = 0.5;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.put("hard", 9 * MIB, Ask.forReplicas(1).hardPin().build());
    for (int i = 0; i < 10; i++) {
      m.put("soft" + i, KIB, Ask.pinned(3_600_000));
      m.put("plain" + i);
    }
    m.tick();
    assertThat(Calls.listed(m)).hasSize(11).noneMatch(key -> key.startsWith("plain"));
    m.advance(20_000);
    assertThat(Calls.listed(m)).containsExactly("hard");
    assertThat(m.remove("hard", true)).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("an operator pins and unpins complete objects")
  void adminPins() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.putStart(C1, "w", KIB);
    assertThat(codes(adminPin(m, OptionalLong.of(1000))))
        .containsExactly(Codes.OK, Codes.NOT_FOUND, Codes.NOT_FOUND);
    assertThat(Calls.pinDeadline(m, "a")).isEqualTo(1000);
    assertThat(code(adminPin(m, OptionalLong.of(-1)))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(codes(adminPin(m, OptionalLong.empty()))).startsWith(Codes.OK);
    assertThat(m.view().softPinnedCount()).isZero();
    m.assertReplayAgrees();
  }

  private static Reply adminPin(MasterFixture m, OptionalLong ttlMs) {
    Pending pending = new Pending();
    m.master().softPin(List.of("a", "w", "x"), TENANT, ttlMs, Origin.ADMIN, pending);
    return pending.reply;
  }
}
