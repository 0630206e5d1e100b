package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** COR-13, COR-24, COR-25: what a new term believes of the old one. */
class TermStartTest {

  private static List<Event> events(MasterFixture m) {
    return m.entries().stream().flatMap(e -> EventCodec.readAll(e.payload()).stream()).toList();
  }

  // ---- COR-13

  @Test
  @DisplayName(
      "COR-13 after a host restart that may have lost the log's end, memory replicas are dropped")
  void hostRestartDropsMemory() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.putStart(C1, "w", KIB);
    m.restartAfterHostReboot();
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
    m.tick();
    assertThat(m.view().objectCount()).isZero();
    assertThat(m.view().segments()).isEmpty();
    assertThat(events(m))
        .anyMatch(
            e -> e instanceof Event.SegmentUnmounting u && u.reason() == Reason.HOST_RESTARTED)
        .anyMatch(
            e ->
                e instanceof Event.ReplicasDropped d
                    && d.key().key().equals("a")
                    && d.reason() == Reason.HOST_RESTARTED);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-13 disk replicas outlive the host restart; the owner mounts and puts again")
  void hostRestartKeepsDisk() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.put("a");
    assertThat(m.putEnd(C1, "a", ReplicaType.DISK, OptionalLong.empty())).isZero();
    m.restartAfterHostReboot().tick();
    assertThat(m.readable("a")).hasSize(1).first().isInstanceOf(ReplicaDescriptor.Disk.class);
    assertThat(m.remount(C1, m.segment("m1", 16 * MIB))).isZero();
    assertThat(m.put("b", KIB, ReplicateConfig.DEFAULT)).hasSize(2);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-13 the range of an unfinished writer stays reserved over the host restart")
  void hostRestartKeepsWritersRanges() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "w", 16 * MIB);
    m.restartAfterHostReboot().tick();
    assertThat(m.mount(C1, "m1", 16 * MIB)).isZero();
    assertThat(code(m.putStart(C1, "w", 16 * MIB))).isEqualTo(Codes.NO_MEMORY);
    m.advance(120_000);
    assertThat(code(m.putStart(C1, "w", 16 * MIB))).isZero();
  }

  @Test
  @DisplayName("COR-13 a mere process restart keeps everything")
  void processRestartKeepsAll() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.crashAndRestart();
    assertThat(m.readable("a")).hasSize(1);
  }

  // ---- COR-24

  @Test
  @DisplayName(
      "COR-24, OBJ-197 after a restart every object counts as leased for the lease TTL in the log")
  void leaseFloor() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.put("never-read");
    m.get("a");
    m.crashAndRestart();
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
    assertThat(m.remove("never-read", false)).isEqualTo(Codes.HAS_LEASE);
    assertThat(Calls.removeAll(m, false)).isZero();
    assertThat(Calls.clear(m, C1, "", "a")).isEmpty();
    m.advance(9_990);
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
    m.advance(10);
    assertThat(m.remove("a", false)).isZero();
  }

  @Test
  @DisplayName("COR-24 the floor keeps eviction and upsert in place away too")
  void leaseFloorStopsEviction() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> a = m.put("a", 15 * MIB, ReplicateConfig.DEFAULT);
    m.crashAndRestart();
    m.ping(C1);
    m.advance(5000);
    assertThat(m.peek("a")).as("above the watermark, but leased").isZero();
    m.advance(6000);
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);

    m = MasterFixture.base();
    a = m.put("a", KIB, ReplicateConfig.DEFAULT);
    m.crashAndRestart();
    List<ReplicaDescriptor> upsert = MasterFixture.value(m.upsertStart(C1, "a", KIB));
    assertThat(Calls.address(upsert)).isNotEqualTo(Calls.address(a));
  }

  @Test
  @DisplayName("COR-24 a TTL that was lowered meanwhile does not lower the floor")
  void leaseFloorTakesTheLargestTtl() {
    TestConfig longer = new TestConfig();
    longer.leaseTtlMs = 60_000;
    MasterFixture m = MasterFixture.with(longer.build(), 1);
    m.put("a");
    m.get("a");
    TestConfig shorter = new TestConfig();
    shorter.leaseTtlMs = 10;
    m.stopAndRestart(c -> shorter.build());
    m.advance(30_000).crashAndRestart();
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
    m.advance(60_000);
    assertThat(m.remove("a", false)).isZero();
  }

  @Test
  @DisplayName("COR-24 the lease TTL of a term is in its first event")
  void ttlIsLogged() {
    TestConfig config = new TestConfig();
    config.leaseTtlMs = 12_345;
    MasterFixture m = MasterFixture.with(config.build(), 0);
    assertThat(((Event.EpochStarted) events(m).get(0)).leaseTtlMs()).isEqualTo(12_345);
    assertThat(((Event.EpochStarted) events(m).get(0)).epoch()).isEqualTo(1);
    m.crashAndRestart();
    assertThat(m.view().epoch()).isEqualTo(2);
  }

  // ---- COR-25

  @Test
  @DisplayName(
      "COR-25 log time goes on where the log ended, whatever the clock of the new process says")
  void logTimeContinues() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    m.advance(20_000);
    long logged = m.state().lastLogTimeMs();
    m.crashAndRestart();
    assertThat(m.state().lastLogTimeMs()).isBetween(logged, 20_000L);
    m.advance(5_000);
    assertThat(code(m.putStart(C2, "a", KIB))).isEqualTo(Codes.EXISTS);
    m.advance(6_000);
    assertThat(code(m.putStart(C2, "a", KIB))).isZero();
  }

  @Test
  @DisplayName(
      "COR-25 while deadlines are pending and nothing else is logged there is a tick a second")
  void tickASecond() {
    MasterFixture m = MasterFixture.withSegments(0);
    m.mount(C1, "m1", 16 * MIB);
    m.putStart(C1, "a", KIB);
    long before = ticks(m);
    m.advance(10_000);
    assertThat(ticks(m) - before).isEqualTo(10);
  }

  @Test
  @DisplayName("COR-25 without anything pending nothing is logged")
  void noTickWhenIdle() {
    MasterFixture m = MasterFixture.withSegments(0);
    long end = m.log().end().index();
    m.advance(10_000);
    assertThat(m.log().end().index()).isEqualTo(end);
  }

  private static long ticks(MasterFixture m) {
    return events(m).stream().filter(Event.Tick.class::isInstance).count();
  }

  @Test
  @DisplayName(
      "COR-25 a crash loop loses at most the last second of log time: deadlines do not freeze")
  void crashLoopDoesNotFreezeDeadlines() {
    TestConfig config = new TestConfig();
    config.releaseTimeoutMs = 40_000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.putStart(C1, "a", KIB);
    for (int i = 0; i < 20; i++) {
      m.advance(1000).advance(1000).advance(1000).crashAndRestart();
    }
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("COR-25, OBJ-071 a wall clock that jumps changes no decision and no lease")
  void wallClockIsInformation() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.get("a");
    long now = 1_700_000_000_000L;
    for (long jump : new long[] {-3_600_000, 3_600_000, -now}) {
      m.wallClock(now + jump);
      assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
      m.putStart(C1, "w" + jump, KIB);
      assertThat(code(m.putStart(C2, "w" + jump, KIB))).isEqualTo(Codes.EXISTS);
    }
    m.wallClock(now + 86_400_000);
    m.crashAndRestart();
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
    m.advance(10_000);
    assertThat(m.remove("a", false)).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-25 log time never goes back, and the wall clock stands beside it")
  void logTimeIsMonotonic() {
    MasterFixture m = MasterFixture.base();
    m.wallClock(5);
    m.put("a");
    m.advance(3000).crashAndRestart();
    m.put("b");
    long last = 0;
    for (LogEntry entry : m.entries()) {
      assertThat(entry.header().logTimeMs()).isGreaterThanOrEqualTo(last);
      last = entry.header().logTimeMs();
    }
    assertThat(m.entries().get(m.entries().size() - 1).header().wallTimeMs()).isEqualTo(5);
  }
}
