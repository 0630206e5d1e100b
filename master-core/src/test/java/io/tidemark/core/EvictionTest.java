package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.Cause;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.metrics.CoreMetric;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Scenarios OBJ-130 to OBJ-146 and SEG-065, 072 to 074: who is evicted. A run is asked for by a put
 * that can't fit; objects have distinct lease times that rise with their number.
 */
class EvictionTest {
  private static final int HOUR_MS = 3_600_000;

  private static MasterFixture evicting(double ratio) {
    return evicting(ratio, true);
  }

  private static MasterFixture evicting(double ratio, boolean softToo) {
    TestConfig config = new TestConfig();
    config.evictionRatio = ratio;
    config.highWatermarkRatio = 1.0;
    config.allowEvictSoftPinned = softToo;
    config.leaseTtlMs = HOUR_MS;
    return MasterFixture.with(config.build(), 1);
  }

  private static void putMany(MasterFixture m, int from, int to, ReplicateConfig config) {
    for (int i = from; i < to; i++) {
      m.advanceSilently(1);
      m.put("#" + i, KIB, config);
    }
  }

  /** One run of the eviction. */
  private static void evict(MasterFixture m) {
    assertThat(code(m.putStart(C1, "too large", 17 * MIB))).isEqualTo(Codes.NO_MEMORY);
    m.tick();
  }

  private static void assertGone(MasterFixture m, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(m.peek("#" + i)).as("#%d", i).isEqualTo(Codes.NOT_FOUND);
    }
  }

  private static void assertThere(MasterFixture m, int from, int to) {
    for (int i = from; i < to; i++) {
      assertThat(m.peek("#" + i)).as("#%d", i).isZero();
    }
  }

  private static void assertOldestGo(int objects, double ratio, int gone) {
    MasterFixture m = evicting(ratio);
    putMany(m, 0, objects, ReplicateConfig.DEFAULT);
    evict(m);
    assertGone(m, 0, gone);
    assertThere(m, gone, objects);
    assertThat(m.metric(CoreMetric.EVICTED_KEYS)).isEqualTo(gone);
    assertThat(m.metric(CoreMetric.EVICTED_BYTES)).isEqualTo(gone * KIB);
    assertThat(m.metric(CoreMetric.SUCCESSFUL_EVICTIONS)).isEqualTo(1);
    m.advance(500);
    assertThere(m, gone, objects);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-130, SEG-065 5 % of 400 objects are the 20 oldest")
  void twentyOldest() {
    assertOldestGo(400, 0.05, 20);
  }

  @Test
  @DisplayName("OBJ-131, SEG-065 10 % of 250 objects are the 25 oldest")
  void twentyFiveOldest() {
    assertOldestGo(250, 0.10, 25);
  }

  @Test
  @DisplayName("OBJ-132, SEG-065 80 % of 200 objects are the 160 oldest")
  void mostOfThem() {
    assertOldestGo(200, 0.80, 160);
  }

  @Test
  @DisplayName("OBJ-133, SEG-072 soft-pinned objects go only as far as half the target asks for")
  void softPinnedSecond() {
    MasterFixture m = evicting(0.80);
    putMany(m, 0, 10, ReplicateConfig.DEFAULT);
    putMany(m, 10, 20, Ask.pinned(HOUR_MS));
    evict(m);
    assertGone(m, 0, 10);
    assertThere(m, 10, 20);

    m = evicting(0.80);
    putMany(m, 0, 4, ReplicateConfig.DEFAULT);
    putMany(m, 4, 20, Ask.pinned(HOUR_MS));
    evict(m);
    assertGone(m, 0, 8);
    assertThere(m, 8, 20);
    assertThat(m.view().softPinnedCount()).isEqualTo(12);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("SEG-072 where soft-pinned objects may not be evicted none goes")
  void softPinnedNever() {
    MasterFixture m = evicting(0.80, false);
    putMany(m, 0, 4, ReplicateConfig.DEFAULT);
    putMany(m, 4, 20, Ask.pinned(HOUR_MS));
    evict(m);
    assertGone(m, 0, 4);
    assertThere(m, 4, 20);
  }

  @Test
  @DisplayName("OBJ-134, SEG-073 a group leaves whole")
  void groupLeavesWhole() {
    MasterFixture m = evicting(0.10);
    putMany(m, 0, 3, Ask.grouped("g"));
    putMany(m, 3, 10, ReplicateConfig.DEFAULT);
    evict(m);
    assertGone(m, 0, 3);
    assertThere(m, 3, 10);
    assertThat(reasons(m))
        .containsExactly(Reason.EVICTED_ALLOCATION, Reason.EVICTED_GROUP, Reason.EVICTED_GROUP);
    m.assertReplayAgrees();
  }

  private static List<Reason> reasons(MasterFixture m) {
    return m.entries().stream()
        .flatMap(e -> EventCodec.readAll(e.payload()).stream())
        .filter(Event.ReplicasDropped.class::isInstance)
        .map(e -> ((Event.ReplicasDropped) e).reason())
        .toList();
  }

  @Test
  @DisplayName("OBJ-135, SEG-073 a group with a leased member stays whole; the next object goes")
  void leasedGroupStays() {
    MasterFixture m = evicting(0.10);
    putMany(m, 0, 3, Ask.grouped("g"));
    putMany(m, 3, 10, ReplicateConfig.DEFAULT);
    m.get("#2");
    evict(m);
    assertThere(m, 0, 3);
    assertGone(m, 3, 4);
    assertThere(m, 4, 10);
  }

  @Test
  @DisplayName("OBJ-136, OBJ-137, SEG-074 a blocked group does not use up the number of victims")
  void blockedGroupIsMadeUpFor() {
    for (int[] sizes : new int[][] {{13, 1200, 61}, {1161, 200, 69}}) {
      MasterFixture m = evicting(0.05);
      putMany(m, 0, sizes[0], Ask.grouped("g"));
      putMany(m, sizes[0], sizes[0] + sizes[1], ReplicateConfig.DEFAULT);
      m.exists("#" + (sizes[0] - 1));
      evict(m);
      assertThere(m, 0, sizes[0]);
      assertGone(m, sizes[0], sizes[0] + sizes[2]);
      assertThat(m.metric(CoreMetric.EVICTED_KEYS)).isEqualTo(sizes[2]);
    }
  }

  @Test
  @DisplayName("OBJ-138 of a group with a hard-pinned member the others go")
  void hardPinnedMemberStays() {
    MasterFixture m = evicting(0.05);
    m.put("safe", 7 * MIB, Ask.grouped("g"));
    m.put("hard", 7 * MIB, Ask.forReplicas(1).groups("g").hardPin().build());
    assertThat(code(m.putStart(C1, "b", 7 * MIB))).isEqualTo(Codes.NO_MEMORY);
    m.tick();
    assertThat(Calls.listed(m)).containsExactly("hard");
    assertThat(code(m.putStart(C1, "b", 7 * MIB))).isZero();
  }

  @Test
  @DisplayName("SEG-072 soft-pinned members of a group stay while plain victims suffice")
  void softPinnedMemberStays() {
    MasterFixture m = evicting(0.10);
    m.put("#0", KIB, Ask.grouped("g"));
    m.put("#1", KIB, Ask.forReplicas(1).groups("g").softPin(1).ttl(HOUR_MS).build());
    putMany(m, 2, 10, ReplicateConfig.DEFAULT);
    evict(m);
    assertGone(m, 0, 1);
    assertThere(m, 1, 10);
  }

  @Test
  @DisplayName("OBJ-139 without quotas the oldest goes, whatever its tenant")
  void oldestOfAllTenants() {
    TestConfig config = new TestConfig();
    config.multiTenants = true;
    config.evictionRatio = 0.5;
    config.highWatermarkRatio = 1.0;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    for (String tenant : List.of("tenant-a", "tenant-b")) {
      m.advanceSilently(1);
      m.call(new Request.WriteStart(Rpc.PUT_START, C1, "k", KIB, ReplicateConfig.DEFAULT, tenant));
      m.call(
          new Request.WriteEnd(
              Rpc.PUT_END, C1, "k", java.util.OptionalLong.empty(), ReplicaType.ALL, tenant));
    }
    evict(m);
    assertThat(code(m.call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "k", "tenant-a"))))
        .isEqualTo(Codes.NOT_FOUND);
    assertThat(code(m.call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "k", "tenant-b"))))
        .isZero();
  }

  @Test
  @DisplayName("OBJ-146 the log names the evicted key, its tenant, the trigger and the reason")
  void evictionIsLogged() {
    MasterFixture m = evicting(1.0);
    m.put("cold");
    evict(m);
    LogEntry entry = m.entries().get(m.entries().size() - 1);
    Event.ReplicasDropped dropped =
        (Event.ReplicasDropped) EventCodec.readAll(entry.payload()).get(0);
    assertThat(dropped.key().key()).isEqualTo("cold");
    assertThat(dropped.key().tenant()).isEqualTo("default");
    assertThat(dropped.reason()).isEqualTo(Reason.EVICTED_ALLOCATION);
    assertThat(dropped.objectGone()).isTrue();
    assertThat(entry.header().causeCode()).isEqualTo(Cause.of(Cause.Trigger.EVICTION));
  }
}
