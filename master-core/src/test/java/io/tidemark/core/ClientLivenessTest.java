package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.event.ClientState;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.event.Reason;
import io.tidemark.api.rpc.ClientStatus;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.metrics.CoreMetric;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Scenarios SEG-058 to SEG-063, SEG-112 and SEG-113 with v0.3.14's states and times: active 10 s,
 * suspected for 20 s more, then offline.
 */
class ClientLivenessTest {
  private MasterFixture m;

  @BeforeEach
  void twoStores() {
    TestConfig config = new TestConfig();
    config.clientActiveTtlMs = 10_000;
    m = MasterFixture.with(config.build(), 0);
    assertThat(m.remount(C1, m.segment("m1", 16 * MIB))).isZero();
    assertThat(m.remount(C2, m.segment("m2", 16 * MIB))).isZero();
    m.put("on1", KIB, Ask.forReplicas(1).preferred("m1").build());
    m.put("on2", KIB, Ask.forReplicas(1).preferred("m2").build());
    m.put("both", KIB, MasterFixture.replicas(2));
  }

  /** Only C1 pings. */
  private void silenceOfC2(long ms) {
    for (long left = ms; left > 0; left -= 1000) {
      m.ping(C1);
      m.advance(Math.min(left, 1000));
    }
  }

  @Test
  @DisplayName("SEG-058 a fresh client is told to remount; after the remount it is alive")
  void needsRemount() {
    io.tidemark.api.Uuid fresh = new io.tidemark.api.Uuid(3, 3);
    SegmentInfo info = m.segment("m3", 16 * MIB);
    assertThat(m.ping(fresh).clientStatus()).isEqualTo(ClientStatus.NEED_REMOUNT);
    m.mount(fresh, "m3", 16 * MIB);
    assertThat(m.ping(fresh).clientStatus()).isEqualTo(ClientStatus.NEED_REMOUNT);
    assertThat(m.view().clients()).isEqualTo(new MasterView.ClientCounts(1, 2, 0));
    assertThat(m.remount(fresh, info)).isZero();
    assertThat(m.ping(fresh).clientStatus()).isEqualTo(ClientStatus.OK);
    assertThat(m.ping(fresh).viewVersionId()).isZero();
    assertThat(m.view().clients()).isEqualTo(new MasterView.ClientCounts(0, 3, 0));
    long digest = m.view().stateDigest();
    assertThat(m.remount(fresh, info)).isZero();
    assertThat(m.view().stateDigest()).isEqualTo(digest);
    assertThat(m.view().segments()).hasSize(3);
  }

  @Test
  @DisplayName("SEG-059 a remount without segments makes a client alive")
  void emptyRemount() {
    io.tidemark.api.Uuid reader = new io.tidemark.api.Uuid(3, 3);
    assertThat(m.remount(reader)).isZero();
    assertThat(m.ping(reader).clientStatus()).isEqualTo(ClientStatus.OK);
  }

  @Test
  @DisplayName("SEG-060 a remount of a mounted id with another size is refused whole")
  void otherSize() {
    long digest = m.view().stateDigest();
    assertThat(m.remount(C1, m.segment("new", MIB), m.segment("m1", 8 * MIB)))
        .isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.view().stateDigest()).isEqualTo(digest);
  }

  @Test
  @DisplayName("SEG-061, SEG-112 within the active TTL nothing happens")
  void active() {
    silenceOfC2(10_000);
    assertThat(m.peek("on2")).isZero();
    assertThat(m.view().clients().active()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "SEG-112, SEG-113 a suspected client's replicas are hidden, nothing is placed there or"
          + " deleted")
  void suspected() {
    silenceOfC2(11_000);
    assertThat(m.view().clients()).isEqualTo(new MasterView.ClientCounts(0, 1, 1));
    assertThat(m.peek("on2")).isEqualTo(Codes.NOT_READY);
    assertThat(m.exists("on2")).isFalse();
    assertThat(Calls.endpoints(m.readable("both"))).containsExactly("m1");
    assertThat(code(m.putStart(C1, "on2", KIB))).isEqualTo(Codes.EXISTS);
    assertThat(Calls.status(m, "m2")).isEqualTo(SegmentStatus.OK);
    assertThat(Calls.endpoints(m.put("x", KIB, Ask.forReplicas(1).preferred("m2").build())))
        .containsExactly("m1");
    assertThat(m.view().objectCount()).isEqualTo(4);
    silenceOfC2(19_000);
    assertThat(m.view().clients().suspected()).as("at 30 s").isEqualTo(1);
    assertThat(m.metric(CoreMetric.OFFLINE_TRANSITIONS)).isZero();
  }

  @Test
  @DisplayName(
      "SEG-113 a suspected client that pings is told to remount, and has everything back unchanged")
  void returns() {
    var before = m.readable("on2");
    silenceOfC2(12_000);
    assertThat(m.ping(C2).clientStatus()).isEqualTo(ClientStatus.NEED_REMOUNT);
    assertThat(m.peek("on2")).isEqualTo(Codes.NOT_READY);
    assertThat(m.remount(C2, m.segment("m2", 16 * MIB))).isZero();
    assertThat(m.ping(C2).clientStatus()).isEqualTo(ClientStatus.OK);
    assertThat(m.readable("on2")).isEqualTo(before);
    assertThat(Calls.endpoints(m.put("x", KIB, Ask.forReplicas(1).preferred("m2").build())))
        .containsExactly("m2");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("a suspected client that only pings stays suspected and is not expired")
  void pingsOnly() {
    silenceOfC2(12_000);
    for (int s = 0; s < 60; s++) {
      m.ping(C1);
      m.ping(C2);
      m.advance(1000);
    }
    assertThat(m.view().clients().suspected()).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "SEG-061, SEG-112 after the suspicion TTL the client is gone, and its objects with it")
  void offline() {
    silenceOfC2(31_000);
    assertThat(m.peek("on2")).isEqualTo(Codes.NOT_FOUND);
    assertThat(Calls.endpoints(m.readable("both"))).containsExactly("m1");
    assertThat(Calls.status(m, "m2")).isEqualTo(SegmentStatus.UNDEFINED);
    assertThat(code(m.putStart(C1, "on2", KIB))).isZero();
    assertThat(m.view().clients()).isEqualTo(new MasterView.ClientCounts(0, 1, 0));
    assertThat(m.ping(C2).clientStatus()).isEqualTo(ClientStatus.NEED_REMOUNT);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("every transition is a logged event with its reason")
  void transitionsAreLogged() {
    silenceOfC2(12_000);
    m.remount(C2, m.segment("m2", 16 * MIB));
    silenceOfC2(32_000);
    List<String> seen = new ArrayList<>();
    m.entries().stream()
        .flatMap(e -> EventCodec.readAll(e.payload()).stream())
        .filter(e -> e instanceof Event.ClientChanged c && c.clientId().equals(C2))
        .map(Event.ClientChanged.class::cast)
        .forEach(c -> seen.add(c.state() + " " + c.reason()));
    assertThat(seen)
        .containsExactly(
            ClientState.JOINING + " " + Reason.RETURNED,
            ClientState.ACTIVE + " " + Reason.RETURNED,
            ClientState.SUSPECTED + " " + Reason.SILENT,
            ClientState.ACTIVE + " " + Reason.RETURNED,
            ClientState.SUSPECTED + " " + Reason.SILENT,
            ClientState.OFFLINE + " " + Reason.CLIENT_EXPIRED);
  }

  @Test
  @DisplayName(
      "SEG-063 a client that dies in its grace takes the segment along; the old deadline is"
          + " forgotten")
  void diesInGrace() {
    assertThat(Calls.graceful(m, C2, "m2", 60_000)).isZero();
    silenceOfC2(32_000);
    assertThat(Calls.status(m, "m2")).isEqualTo(SegmentStatus.UNDEFINED);
    assertThat(m.remount(C2, m.segment("m2", 16 * MIB))).isZero();
    for (int s = 0; s < 60; s++) {
      m.ping(C1);
      m.ping(C2);
      m.advance(1000);
    }
    assertThat(Calls.status(m, "m2")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  @DisplayName(
      "COR-23 (restart) owners are not expired before the reclaim timeout; the first ping asks for"
          + " a remount")
  void restartGivesTime() {
    m.crashAndRestart();
    assertThat(m.ping(C1).clientStatus()).isEqualTo(ClientStatus.NEED_REMOUNT);
    assertThat(m.remount(C1, m.segment("m1", 16 * MIB))).isZero();
    assertThat(m.ping(C1).clientStatus()).isEqualTo(ClientStatus.OK);
    silenceOfC2(179_000);
    assertThat(m.peek("on2")).as("not heard in this term").isZero();
    silenceOfC2(2_000);
    assertThat(m.peek("on2")).isEqualTo(Codes.NOT_FOUND);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("liveness transitions are counted")
  void counted() {
    silenceOfC2(11_000);
    m.remount(C2, m.segment("m2", 16 * MIB));
    silenceOfC2(31_000);
    assertThat(m.metric(CoreMetric.SUSPECTED_TRANSITIONS)).isEqualTo(2);
    assertThat(m.metric(CoreMetric.LIVENESS_RECOVERIES)).isEqualTo(1);
    assertThat(m.metric(CoreMetric.OFFLINE_TRANSITIONS)).isEqualTo(1);
  }

  @Test
  @DisplayName(
      "a segment whose owner is suspected counts as suspected also when it is mounted then")
  void mountWhileSuspected() {
    silenceOfC2(12_000);
    assertThat(m.mount(C2, "m3", 16 * MIB)).isZero();
    assertThat(Calls.endpoints(m.put("x", KIB, Ask.forReplicas(1).preferred("m3").build())))
        .containsExactly("m1");
    assertThat(m.remount(C2, m.segment("m2", 16 * MIB), m.segment("m3", 16 * MIB))).isZero();
    assertThat(Calls.endpoints(m.put("y", KIB, Ask.forReplicas(1).preferred("m3").build())))
        .containsExactly("m3");
    assertThat(m.call(new io.tidemark.api.rpc.Request.FetchTasks(C2, 10)))
        .isEqualTo(io.tidemark.api.rpc.Reply.ok(List.of()));
  }
}
