package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.replicas;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.core.segment.AllocatorKind;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios SEG-001 to SEG-022: mount, unmount, names, addresses. */
class SegmentLifeCycleTest {

  private static MasterFixture cachelib() {
    TestConfig config = new TestConfig();
    config.allocatorKind = AllocatorKind.CACHELIB;
    return MasterFixture.with(config.build(), 0);
  }

  private static SegmentInfo info(long id, String name, long base, long size) {
    return new SegmentInfo(new Uuid(8, id), name, base, size, name, "tcp", "");
  }

  @Test
  @DisplayName("SEG-001 base 0 and size 0 are refused with both allocators")
  void shapeless() {
    for (MasterFixture m : List.of(MasterFixture.withSegments(0), cachelib())) {
      assertThat(m.mount(C1, info(1, "m1", 0, 16 * MIB))).isEqualTo(Codes.INVALID_PARAMS);
      assertThat(m.mount(C1, info(1, "m1", 16 * MIB, 0))).isEqualTo(Codes.INVALID_PARAMS);
      assertThat(m.view().segments()).isEmpty();
    }
  }

  @Test
  @DisplayName("SEG-002 CACHELIB wants base and size in slabs of 16 MiB")
  void alignment() {
    MasterFixture m = cachelib();
    assertThat(m.mount(C1, info(1, "m1", 16 * MIB + 1, 16 * MIB))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, info(1, "m1", 16 * MIB, 16 * MIB + 1))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, info(1, "m1", 16 * MIB, 16 * MIB))).isZero();
  }

  @Test
  @DisplayName("wrapping and overlapping ranges and endless texts are refused")
  void absurdRanges() {
    MasterFixture m = MasterFixture.withSegments(0);
    assertThat(m.mount(C1, info(1, "m1", -MIB, 2 * MIB))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, info(1, "m1", 1, -1))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, info(1, "m".repeat(20_000), MIB, MIB))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, info(1, "m1", 16 * MIB, 16 * MIB))).isZero();
    assertThat(m.mount(C1, info(2, "m1", 31 * MIB, 16 * MIB))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, info(2, "m1", 1, 16 * MIB))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.mount(C1, info(2, "m1", 32 * MIB, 16 * MIB))).as("neighbours").isZero();
    assertThat(m.mount(C1, info(3, "m1", -16 * MIB, 16 * MIB))).as("top of memory").isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("SEG-003 the same mount twice is one segment")
  void mountedTwice() {
    MasterFixture m = MasterFixture.base();
    assertThat(m.mount(C1, "m1", 16 * MIB)).isZero();
    assertThat(m.view().segments()).hasSize(1);
    assertThat(m.view().capacityBytes()).isEqualTo(16 * MIB);
  }

  @Test
  @DisplayName(
      "SEG-004 an unmount can be repeated, an unknown id is success, and the segment comes back")
  void unmountedTwice() {
    MasterFixture m = MasterFixture.base();
    assertThat(m.unmount(C1, "m1")).isZero();
    assertThat(m.unmount(C1, "m1")).as("being swept").isEqualTo(Codes.UNAVAILABLE);
    m.tick();
    assertThat(m.unmount(C1, "m1")).isZero();
    assertThat(m.unmount(C1, "never")).isZero();
    assertThat(m.mount(C1, "m1", 16 * MIB)).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("SEG-005 an id is mounted and unmounted ten times with rising sizes")
  void tenRounds() {
    MasterFixture m = MasterFixture.withSegments(0);
    for (int i = 1; i <= 10; i++) {
      assertThat(m.mount(C1, "m1", i * 16 * MIB)).isZero();
      assertThat(code(m.putStart(C1, "k" + i, KIB))).isZero();
      assertThat(m.unmount(C1, "m1")).isZero();
      m.tick();
    }
    assertThat(m.view().objectCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "SEG-007, SEG-008 an unmount hides its keys at once; the sweep drops them; a put goes"
          + " elsewhere")
  void unmountHidesAtOnce() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("key1", KIB, Ask.forReplicas(1).preferred("m1").build());
    m.put("key2", KIB, Ask.forReplicas(1).preferred("m2").build());
    m.unmount(C1, "m1");
    assertThat(m.view().objectCount()).isEqualTo(2);
    assertThat(code(m.get("key1"))).isEqualTo(Codes.NOT_FOUND);
    assertThat(Calls.booleans(m.call(Calls.batchExist("key1", "key2"))))
        .containsExactly(false, true);
    assertThat(Calls.listed(m)).containsExactly("key2");
    assertThat(Calls.matching(m, "key")).containsExactly("key2");
    m.tick();
    assertThat(m.view().objectCount()).isEqualTo(1);
    assertThat(Calls.endpoints(m.put("key1"))).containsExactly("m2");
    assertThat(m.view().objectCount()).isEqualTo(2);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "a put over a key whose segment left needs no sweep: it is not lost as a success (U2)")
  void putOverStaleKey() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("a", KIB, Ask.forReplicas(1).preferred("m1").build());
    m.put("b", KIB, Ask.forReplicas(1).preferred("m1").build());
    m.unmount(C1, "m1");
    assertThat(Calls.endpoints(m.put("a"))).containsExactly("m2");
    assertThat(code(m.upsertStart(C2, "b", 2 * KIB))).isZero();
    m.tick();
    assertThat(m.peek("a")).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("SEG-011 of two replicas the one on the other segment is left")
  void oneOfTwo() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("a", KIB, replicas(2));
    m.unmount(C1, "m2");
    assertThat(Calls.endpoints(m.readable("a"))).containsExactly("m1");
  }

  @Test
  @DisplayName("SEG-014 a remount of a segment that is being swept is refused; afterwards it works")
  void remountWhileUnmounting() {
    MasterFixture m = MasterFixture.base();
    m.unmount(C1, "m1");
    SegmentInfo info = m.segment("m1", 16 * MIB);
    assertThat(m.remount(C1, info)).isEqualTo(Codes.UNAVAILABLE);
    assertThat(m.mount(C1, info)).isEqualTo(Codes.UNAVAILABLE);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.UNMOUNTING);
    m.tick();
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.UNDEFINED);
    assertThat(m.remount(C1, info)).isZero();
  }

  @Test
  @DisplayName("REQ-024 only the owner unmounts; a foreign unmount changes nothing")
  void foreignUnmount() {
    MasterFixture m = MasterFixture.base();
    m.mount(C2, "m2", 16 * MIB);
    assertThat(m.unmount(C2, "m1")).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(Calls.status(m, "m1")).isEqualTo(SegmentStatus.OK);
  }

  @Test
  @DisplayName("SEG-018 used and capacity of each segment are told, whatever its name")
  void usage() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("a", KIB, Ask.forReplicas(1).preferred("m2").build());
    assertThat(m.view().segments())
        .extracting(MasterView.SegmentView::allocatedBytes)
        .containsExactly(0L, KIB);
    assertThat(m.view().capacityBytes()).isEqualTo(32 * MIB);
    assertThat(m.view().allocatedBytes()).isEqualTo(KIB);
  }

  @Test
  @DisplayName(
      "SEG-016, SEG-032, REQ-023 siblings of one name: it lives until the last of them leaves")
  void siblings() {
    for (int first = 0; first < 3; first++) {
      MasterFixture m = MasterFixture.withSegments(0);
      for (int i = 0; i < 3; i++) {
        assertThat(m.mount(C1, info(i, "host", (i + 1) * 64 * MIB, 16 * MIB))).isZero();
        m.put("k" + i, 16 * MIB, ReplicateConfig.DEFAULT);
        m.get("k" + i);
      }
      unmountById(m, first);
      assertThat(Calls.status(m, "host")).isEqualTo(SegmentStatus.OK);
      m.tick();
      assertThat(Calls.listed(m)).hasSize(2).doesNotContain("k" + first);
      unmountById(m, (first + 1) % 3);
      m.tick();
      assertThat(Calls.status(m, "host")).isEqualTo(SegmentStatus.OK);
      unmountById(m, (first + 2) % 3);
      m.tick();
      assertThat(Calls.status(m, "host")).isEqualTo(SegmentStatus.UNDEFINED);
      assertThat(code(m.putStart(C1, "x", KIB))).isEqualTo(Codes.NO_MEMORY);
      m.assertReplayAgrees();
    }
  }

  private static void unmountById(MasterFixture m, long id) {
    assertThat(code(m.call(new Request.UnmountSegment(new Uuid(8, id), C1)))).isZero();
  }

  @Test
  @DisplayName("SEG-021 the addresses of clients are the host parts of their endpoints")
  void addresses() {
    MasterFixture m = MasterFixture.withSegments(0);
    List<String> endpoints = List.of("127.0.0.1:12345", "127.0.0.1:12346", "192.168.1.1:12345");
    for (int i = 0; i < 3; i++) {
      mountAt(m, C1, i, endpoints.get(i));
    }
    Uuid scoped = new Uuid(3, 3);
    mountAt(m, scoped, 4, "[::1]:17813");
    mountAt(m, scoped, 5, "fe80::a236:bcff:fecb:a1be%eno2:15773");
    Uuid bare = new Uuid(4, 4);
    mountAt(m, bare, 6, "::1");
    Uuid nameless = new Uuid(5, 5);
    mountAt(m, nameless, 7, "");
    assertThat(addresses(m, C1, C2, scoped, bare, nameless))
        .containsExactly(
            new Reply.ClientAddresses(C1, List.of("127.0.0.1", "192.168.1.1")),
            new Reply.ClientAddresses(scoped, List.of("::1", "fe80::a236:bcff:fecb:a1be%eno2")),
            new Reply.ClientAddresses(bare, List.of("::1")),
            new Reply.ClientAddresses(nameless, List.of()));
    assertThat(addresses(m)).isEmpty();
    assertThat(addresses(m, C1, C1)).hasSize(1);
  }

  private static void mountAt(MasterFixture m, Uuid client, long id, String endpoint) {
    SegmentInfo info =
        new SegmentInfo(new Uuid(8, id), "s", (id + 1) * 64 * MIB, MIB, endpoint, "tcp", "");
    assertThat(m.mount(client, info)).isZero();
  }

  private static List<Reply.ClientAddresses> addresses(MasterFixture m, Uuid... ids) {
    return value(m.call(new Request.BatchQueryIp(List.of(ids))));
  }
}
