package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.SegmentInfo;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * COR-09 and COR-10: a range that somebody may still write to or read from is not given to anybody
 * else. The segment is as large as one object, so a put succeeds exactly when the range is free.
 */
class QuarantineTest {
  private static final long ALL = 16 * MIB;
  private static final long QUARANTINE_MS = 120_000;

  private static void assertHeldFor(MasterFixture m, long ms) {
    m.advance(ms - 20);
    assertThat(code(m.putStart(C2, "next", ALL)))
        .as("before the deadline")
        .isEqualTo(Codes.NO_MEMORY);
    m.advance(40);
    assertThat(code(m.putStart(C2, "next", ALL))).as("after the deadline").isZero();
    m.assertReplayAgrees();
  }

  private static MasterFixture longTimeouts() {
    TestConfig config = new TestConfig();
    config.discardTimeoutMs = 3000;
    config.releaseTimeoutMs = 5000;
    return MasterFixture.with(config.build(), 1);
  }

  @Test
  @DisplayName("COR-09 a revoked range is held")
  void revoked() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", ALL);
    m.putRevoke(C1, "a", ReplicaType.ALL);
    assertHeldFor(m, QUARANTINE_MS);
  }

  @Test
  @DisplayName("COR-09 the range of an expired write is held from its expiry on")
  void expired() {
    MasterFixture m = longTimeouts();
    m.putStart(C1, "a", ALL);
    m.advance(5010);
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
    assertHeldFor(m, QUARANTINE_MS);
  }

  @Test
  @DisplayName("COR-09 the range of an upsert in place that was revoked is held")
  void revokedUpsert() {
    MasterFixture m = MasterFixture.base();
    m.put("a", ALL, ReplicateConfig.DEFAULT);
    assertThat(code(m.upsertStart(C1, "a", ALL))).isZero();
    assertThat(m.putRevoke(C1, "a", ReplicaType.MEMORY)).isZero();
    assertHeldFor(m, QUARANTINE_MS);
  }

  @Test
  @DisplayName("COR-09 the range of a write that gave way to a newer put is held")
  void replacedByPut() {
    MasterFixture m = longTimeouts();
    m.mount(C1, "m2", ALL);
    m.putStart(C1, "a", ALL, Ask.forReplicas(1).preferred("m1").build());
    m.advance(4000);
    assertThat(code(m.putStart(C2, "a", ALL, Ask.forReplicas(1).preferred("m2").build()))).isZero();
    assertThat(m.putEnd(C2, "a")).isZero();
    m.get("a");
    m.advance(100);
    assertThat(code(m.putStart(C1, "b", ALL))).isEqualTo(Codes.NO_MEMORY);
    assertThat(m.state().discards().nextDeadlineMs()).isEqualTo(4000 + QUARANTINE_MS);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-09 the range of a write that an upsert pre-empted is held")
  void preempted() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.putStart(C1, "a", ALL, Ask.forReplicas(1).preferred("m1").build());
    assertThat(code(m.upsertStart(C2, "a", ALL))).isZero();
    assertThat(m.putEnd(C2, "a")).isZero();
    m.get("a");
    assertThat(code(m.putStart(C1, "b", ALL))).isEqualTo(Codes.NO_MEMORY);
    assertThat(m.state().discards().nextDeadlineMs()).isEqualTo(QUARANTINE_MS);
  }

  @Test
  @DisplayName("COR-09 the deadline is in the event: a crash loop neither shortens nor forgets it")
  void deadlineSurvivesCrashes() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", ALL);
    m.putRevoke(C1, "a", ReplicaType.MEMORY);
    for (int i = 0; i < 11; i++) {
      m.advance(10_000).crashAndRestart();
      assertThat(code(m.putStart(C2, "next", ALL))).isEqualTo(Codes.NO_MEMORY);
    }
    m.advance(12_000);
    assertThat(code(m.putStart(C2, "next", ALL))).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-09 a forced removal frees a leased object's range at the end of the lease")
  void forcedRemovalOfLeased() {
    MasterFixture m = MasterFixture.base();
    m.put("a", ALL, ReplicateConfig.DEFAULT);
    m.get("a");
    assertThat(m.remove("a", true)).isZero();
    assertHeldFor(m, 10_000);
  }

  @Test
  @DisplayName("COR-09 forced remove-all and remove-by-regex hold leased ranges as well")
  void forcedScansOfLeased() {
    for (boolean regex : new boolean[] {false, true}) {
      MasterFixture m = MasterFixture.base();
      m.put("a", ALL, ReplicateConfig.DEFAULT);
      m.exists("a");
      if (regex) {
        assertThat(MasterFixture.<Long>value(Calls.removeByRegex(m, "a", true))).isEqualTo(1);
      } else {
        assertThat(Calls.removeAll(m, true)).isEqualTo(1);
      }
      assertHeldFor(m, 10_000);
    }
  }

  @Test
  @DisplayName("COR-09 an unleased object's range is free at once after its removal")
  void unleasedRemoval() {
    MasterFixture m = MasterFixture.base();
    m.put("a", ALL, ReplicateConfig.DEFAULT);
    assertThat(m.remove("a", false)).isZero();
    assertThat(code(m.putStart(C2, "next", ALL))).isZero();
  }

  @Test
  @DisplayName(
      "COR-09 a range issued twice is held after the removal: the first writer may be late")
  void issuedTwice() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", ALL);
    m.closeConnection();
    assertThat(code(m.putStart(C1, "a", ALL))).isZero();
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(m.remove("a", false)).isZero();
    assertHeldFor(m, QUARANTINE_MS);
  }

  @Test
  @DisplayName("COR-09 a range issued twice is held also after eviction, clear and upsert")
  void issuedTwiceAndEvicted() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", ALL);
    m.closeConnection();
    m.putStart(C1, "a", ALL);
    m.putEnd(C1, "a");
    m.advance(1000);
    assertThat(m.peek("a")).as("evicted: memory is full").isEqualTo(Codes.NOT_FOUND);
    assertHeldFor(m, QUARANTINE_MS - 1000);

    MasterFixture cleared = MasterFixture.base();
    cleared.putStart(C1, "a", ALL);
    cleared.closeConnection();
    cleared.putStart(C1, "a", ALL);
    cleared.putEnd(C1, "a");
    assertThat(Calls.clear(cleared, C1, "", "a")).containsExactly("a");
    assertHeldFor(cleared, QUARANTINE_MS);
  }

  @Test
  @DisplayName("COR-09 a range that was issued twice long ago is free at once after the removal")
  void issuedTwiceLongAgo() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", MIB);
    m.closeConnection();
    m.putStart(C1, "a", MIB);
    m.putEnd(C1, "a");
    m.advance(QUARANTINE_MS);
    assertThat(m.remove("a", false)).isZero();
    assertThat(m.state().discards().size()).isZero();
  }

  // ---- COR-10

  private static SegmentInfo again(MasterFixture m, long id, long baseShift, long size) {
    SegmentInfo s = m.segment("m1", size);
    return new SegmentInfo(
        new Uuid(8, id), "m1", s.base() + baseShift, size, s.teEndpoint(), "tcp", "");
  }

  @Test
  @DisplayName(
      "COR-10 an unmount keeps an unfinished writer's range; a mount over it starts with it taken")
  void unmountKeepsRanges() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", ALL);
    assertThat(m.unmount(C1, "m1")).isZero();
    m.tick();
    assertThat(m.mount(C1, again(m, 1, 0, ALL))).isZero();
    assertHeldFor(m, QUARANTINE_MS);
  }

  @Test
  @DisplayName("COR-10 entries that were on the list before the unmount outlive it")
  void unmountKeepsDiscarded() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", ALL);
    m.putRevoke(C1, "a", ReplicaType.MEMORY);
    m.unmount(C1, "m1");
    m.tick();
    m.advance(1000);
    assertThat(m.mount(C1, "m1", ALL)).isZero();
    assertHeldFor(m, QUARANTINE_MS - 1000);
  }

  @Test
  @DisplayName("COR-10 a client's expiry keeps its unfinished writers' ranges, over a restart too")
  void expiryKeepsRanges() {
    TestConfig config = new TestConfig();
    config.clientActiveTtlMs = 10_000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.putStart(C2, "a", ALL);
    m.advance(31_000);
    assertThat(m.state().segments().snapshot()).isEmpty();
    m.stopAndRestart(patient -> TestConfig.defaults());
    assertThat(m.mount(C2, "m1", ALL)).isZero();
    assertThat(m.state().discards().size()).isEqualTo(1);
    assertHeldFor(m, m.state().discards().nextDeadlineMs() - m.state().lastLogTimeMs());
  }

  @Test
  @DisplayName("COR-10 a mount over a part of the range starts with that part taken")
  void partlyCovered() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", 8 * MIB);
    m.unmount(C1, "m1");
    m.tick();
    assertThat(m.mount(C1, again(m, 1, 4 * MIB, 8 * MIB))).isZero();
    assertThat(m.state().segments().snapshot().get(0).takenBytes()).isEqualTo(4 * MIB);
    assertThat(code(m.putStart(C1, "b", 4 * MIB))).isZero();
    assertThat(code(m.putStart(C1, "c", 4 * MIB))).isEqualTo(Codes.NO_MEMORY);
    m.advance(QUARANTINE_MS);
    assertThat(code(m.putStart(C1, "c", 4 * MIB))).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-10 another endpoint's memory at the same addresses is not held")
  void otherEndpoint() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", ALL);
    m.unmount(C1, "m1");
    m.tick();
    SegmentInfo s = m.segment("m1", ALL);
    SegmentInfo other =
        new SegmentInfo(new Uuid(8, 1), "m1", s.base(), ALL, "elsewhere:1", "tcp", "");
    assertThat(m.mount(C1, other)).isZero();
    assertThat(code(m.putStart(C1, "b", ALL))).isZero();
    m.assertReplayAgrees();
  }
}
