package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.event.Event;
import io.tidemark.api.event.EventCodec;
import io.tidemark.api.event.Reason;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.rpc.SegmentInfo;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** COR-12: who may mount an endpoint or an id that is mounted already. */
class EndpointTakeoverTest {
  private MasterFixture m;
  private SegmentInfo first;

  @BeforeEach
  void oneAliveOwner() {
    TestConfig config = new TestConfig();
    config.clientActiveTtlMs = 10_000;
    m = MasterFixture.with(config.build(), 1);
    first = m.segment("m1", 16 * MIB);
    assertThat(m.remount(C1, first)).isZero();
    m.put("a");
  }

  /** A new process on the same endpoint: another client and id, memory elsewhere. */
  private SegmentInfo reborn() {
    return new SegmentInfo(
        new Uuid(8, 8), "m1", first.base() + (1L << 40), 16 * MIB, first.teEndpoint(), "tcp", "");
  }

  @Test
  @DisplayName(
      "COR-12 mounting the endpoint of a suspected client expires that client in the same batch")
  void suspectedIsExpired() {
    m.advance(11_000);
    assertThat(m.view().clients().suspected()).isEqualTo(1);
    long index = m.log().end().index();
    assertThat(m.mount(C2, reborn())).isZero();
    LogEntry entry = m.entries().get((int) index);
    assertThat(entry.header().batchEnd()).isTrue();
    List<Event> events = EventCodec.readAll(entry.payload());
    assertThat(events)
        .anyMatch(
            e -> e instanceof Event.SegmentUnmounting u && u.reason() == Reason.ENDPOINT_TAKEN_OVER)
        .anyMatch(e -> e instanceof Event.ClientChanged c && c.clientId().equals(C1))
        .anyMatch(Event.SegmentMounted.class::isInstance);
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
    m.tick();
    assertThat(m.view().segments()).hasSize(1);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-12 mounting the endpoint of a client not yet heard in this term expires it")
  void unheardIsExpired() {
    m.crashAndRestart();
    assertThat(m.peek("a")).isZero();
    assertThat(m.remount(C2, reborn())).isZero();
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
    assertThat(m.state().segments().client(C1)).isNull();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-12 a client that was heard in this term keeps its endpoint's objects")
  void aliveStays() {
    assertThat(m.mount(C2, reborn())).isZero();
    assertThat(m.peek("a")).isZero();
    m.crashAndRestart();
    m.ping(C1);
    assertThat(m.mount(C2, reborn())).isZero();
    assertThat(m.peek("a")).isZero();
  }

  @Test
  @DisplayName("COR-12 a silent client is not expired by a mount of another endpoint")
  void otherEndpoint() {
    m.advance(11_000);
    assertThat(m.mount(C2, "m2", 16 * MIB)).isZero();
    assertThat(m.state().segments().client(C1)).isNotNull();
  }

  @Test
  @DisplayName("COR-12 mounting a mounted id with any other field different is refused")
  void sameIdOtherField() {
    SegmentInfo s = first;
    List<UnaryOperator<SegmentInfo>> changes =
        List.of(
            x -> new SegmentInfo(s.id(), "m9", s.base(), s.sizeBytes(), s.teEndpoint(), "tcp", ""),
            x ->
                new SegmentInfo(
                    s.id(), "m1", s.base() + 1, s.sizeBytes(), s.teEndpoint(), "tcp", ""),
            x ->
                new SegmentInfo(
                    s.id(), "m1", s.base(), s.sizeBytes() - 1, s.teEndpoint(), "tcp", ""),
            x -> new SegmentInfo(s.id(), "m1", s.base(), s.sizeBytes(), "m9", "tcp", ""),
            x -> new SegmentInfo(s.id(), "m1", s.base(), s.sizeBytes(), s.teEndpoint(), "rdma", ""),
            x ->
                new SegmentInfo(s.id(), "m1", s.base(), s.sizeBytes(), s.teEndpoint(), "tcp", "h"));
    long digest = m.view().stateDigest();
    for (UnaryOperator<SegmentInfo> change : changes) {
      assertThat(m.mount(C1, change.apply(s))).isEqualTo(Codes.INVALID_PARAMS);
      assertThat(m.remount(C1, change.apply(s))).isEqualTo(Codes.INVALID_PARAMS);
    }
    assertThat(m.mount(C2, s)).as("by another client").isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, s)).as("just so").isZero();
    assertThat(m.view().stateDigest()).isEqualTo(digest);
  }

  @Test
  @DisplayName("COR-12 the range of an unfinished write to the old process stays reserved")
  void takeoverKeepsWritersRanges() {
    m.putStart(C2, "w", KIB);
    m.advance(11_000);
    assertThat(m.mount(C2, reborn())).isZero();
    m.tick();
    assertThat(m.state().discards().size()).isEqualTo(1);
    m.assertReplayAgrees();
  }
}
