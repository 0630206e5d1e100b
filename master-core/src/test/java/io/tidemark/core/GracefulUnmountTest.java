package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios SEG-023 to SEG-031 and SEG-115: segments that leave in grace. */
class GracefulUnmountTest {

  @Test
  @DisplayName("SEG-023 a graceful unmount changes the status at once")
  void status() {
    MasterFixture m = MasterFixture.base();
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.OK);
    assertThat(Calls.graceful(m, C1, "m1", 1000)).isZero();
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
  }

  @Test
  @DisplayName(
      "SEG-024 a client without segments finds none; one with others is refused; the owner"
          + " succeeds")
  void ownership() {
    MasterFixture m = MasterFixture.base();
    assertThat(Calls.graceful(m, C2, "m1", 1000)).isEqualTo(Codes.SEGMENT_NOT_FOUND);
    m.mount(C2, "m2", MIB);
    assertThat(Calls.graceful(m, C2, "m1", 1000)).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(Calls.graceful(m, C1, "m1", 1000)).isZero();
  }

  @Test
  @DisplayName("SEG-025 a graceful unmount can be repeated; the earlier deadline counts")
  void repeated() {
    MasterFixture m = MasterFixture.base();
    assertThat(Calls.graceful(m, C1, "m1", 500)).isZero();
    assertThat(Calls.graceful(m, C1, "m1", 5000)).isZero();
    m.advance(510);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.UNDEFINED);
    m.mount(C1, "m1", 16 * MIB);
    Calls.graceful(m, C1, "m1", 5000);
    Calls.graceful(m, C1, "m1", 500);
    m.advance(510);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.UNDEFINED);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("SEG-026 at the end of its grace a segment is gone; without grace at the next tick")
  void deadline() {
    MasterFixture m = MasterFixture.withSegments(2);
    Calls.graceful(m, C1, "m1", 50);
    Calls.graceful(m, C1, "m2", 0);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
    m.tick();
    assertThat(Calls.status(m, "m2")).isEqualTo(SegmentStatus.UNDEFINED);
    m.advance(300);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.UNDEFINED);
  }

  @Test
  @DisplayName("a grace beyond all time never ends")
  void endlessGrace() {
    MasterFixture m = MasterFixture.base();
    assertThat(Calls.graceful(m, C1, "m1", -1)).isZero();
    m.advance(100_000);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
  }

  @Test
  @DisplayName("SEG-027 a leaving segment and a new one of the same name are told apart")
  void sameName() {
    MasterFixture m = MasterFixture.base();
    SegmentInfo old = m.segment("m1", 16 * MIB);
    Uuid newId = new Uuid(8, 1);
    Calls.graceful(m, C1, "m1", 50);
    SegmentInfo young = new SegmentInfo(newId, "m1", old.base() + (1L << 40), MIB, "m1", "tcp", "");
    assertThat(m.mount(C1, young)).isZero();
    assertThat(Calls.statusById(m, old.id())).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
    assertThat(Calls.statusById(m, newId)).isEqualTo(SegmentStatus.OK);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.OK);
    m.advance(300);
    assertThat(Calls.statusById(m, old.id())).isEqualTo(SegmentStatus.UNDEFINED);
    assertThat(Calls.statusById(m, newId)).isEqualTo(SegmentStatus.OK);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  @DisplayName(
      "SEG-028, SEG-030 each segment leaves at its own deadline, in the order of the deadlines")
  void ownDeadlines() {
    MasterFixture m = MasterFixture.withSegments(4);
    Calls.graceful(m, C1, "m1", 1000);
    Calls.graceful(m, C1, "m2", 90);
    Calls.graceful(m, C1, "m3", 30);
    Calls.graceful(m, C1, "m4", 60);
    for (String next : new String[] {"m3", "m4", "m2"}) {
      m.advance(20);
      assertThat(Calls.status(m, next)).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
      m.advance(10);
      assertThat(Calls.status(m, next)).isEqualTo(SegmentStatus.UNDEFINED);
    }
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.GRACEFULLY_UNMOUNTING);
    m.advance(910);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.UNDEFINED);
  }

  @Test
  @DisplayName("SEG-029 in its grace a segment is read but not written")
  void readNotWritten() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("a", KIB, Ask.forReplicas(1).preferred("m1").build());
    Calls.graceful(m, C1, "m1", 1000);
    assertThat(m.readable("a")).hasSize(1);
    for (int i = 0; i < 10; i++) {
      assertThat(Calls.endpoints(m.put("b" + i, KIB, Ask.forReplicas(1).preferred("m1").build())))
          .containsExactly("m2");
    }
    m.advance(1010);
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("SEG-031 after an explicit unmount a new mount of the id outlives the old deadline")
  void oldDeadlineIsForgotten() {
    MasterFixture m = MasterFixture.base();
    Calls.graceful(m, C1, "m1", 1000);
    assertThat(m.unmount(C1, "m1")).isZero();
    m.tick();
    assertThat(m.mount(C1, "m1", 16 * MIB)).isZero();
    m.advance(5000);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.OK);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "SEG-115 (restart) a grace goes on over a restart: readable until its deadline, gone then")
  void graceSurvivesRestart() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    Calls.graceful(m, C1, "m1", 60_000);
    m.advance(20_000).crashAndRestart();
    assertThat(m.peek("a")).isZero();
    m.advance(38_000);
    assertThat(m.peek("a")).isZero();
    m.advance(3_000);
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
    m.assertReplayAgrees();
  }
}
