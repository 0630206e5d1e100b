package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.replicas;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.segment.AllocatorKind;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-007 to OBJ-025 that the life cycle test leaves: ends, revokes, expiry. */
class WriteEndingTest {

  @Test
  @DisplayName("OBJ-007 ten replicas lie on ten segments")
  void tenReplicas() {
    MasterFixture m = MasterFixture.withSegments(12);
    assertThat(Calls.endpoints(m.put("a", KIB, replicas(10)))).doesNotHaveDuplicates().hasSize(10);
    assertThat(m.readable("a")).hasSize(10);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-009 two segments for three replicas give two")
  void twoOfThree() {
    MasterFixture m = MasterFixture.withSegments(2);
    assertThat(m.put("a", KIB, replicas(3))).hasSize(2);
    assertThat(m.metric(CoreMetric.PUT_START_PARTIAL_ALLOCATIONS)).isEqualTo(1);
  }

  @Test
  @DisplayName("OBJ-011 an object larger than memory fails and wakes the eviction")
  void tooLarge() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    assertThat(code(m.putStart(C1, "b", 17 * MIB))).isEqualTo(Codes.NO_MEMORY);
    m.tick();
    assertThat(m.metric(CoreMetric.ATTEMPTED_EVICTIONS)).isEqualTo(1);
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("OBJ-010 without enough segments a failure does not wake the eviction")
  void noSegmentNoEviction() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    assertThat(code(m.putStart(C1, "b", 17 * MIB, replicas(2)))).isEqualTo(Codes.NO_MEMORY);
    m.tick();
    assertThat(m.metric(CoreMetric.ATTEMPTED_EVICTIONS)).isZero();
  }

  @Test
  @DisplayName("OBJ-013 end and revoke of a missing key find nothing")
  void missingKey() {
    MasterFixture m = MasterFixture.base();
    assertThat(m.putEnd(C1, "a")).isEqualTo(Codes.NOT_FOUND);
    assertThat(m.putRevoke(C1, "a", ReplicaType.MEMORY)).isEqualTo(Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("OBJ-014 a repeated end changes nothing, a revoke after the end is refused")
  void afterTheEnd() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    m.putEnd(C1, "a", ReplicaType.MEMORY, OptionalLong.of(7));
    long digest = m.view().stateDigest();
    assertThat(m.putEnd(C1, "a", ReplicaType.MEMORY, OptionalLong.of(8))).isZero();
    assertThat(m.putEnd(C1, "a", ReplicaType.ALL, OptionalLong.empty())).isZero();
    assertThat(m.putEnd(C1, "a", ReplicaType.DISK, OptionalLong.empty()))
        .isEqualTo(Codes.INVALID_WRITE);
    assertThat(m.putRevoke(C1, "a", ReplicaType.MEMORY)).isEqualTo(Codes.INVALID_WRITE);
    assertThat(m.view().stateDigest()).isEqualTo(digest);
  }

  @Test
  @DisplayName("OBJ-016 the end of a kind that the write has not is accepted and completes nothing")
  void kindNotPresent() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    for (int kind : new int[] {ReplicaType.NOF_SSD, ReplicaType.DISK, ReplicaType.DFS, 7, 255}) {
      assertThat(m.putEnd(C1, "a", kind, OptionalLong.empty())).as("kind %d", kind).isZero();
      assertThat(m.putRevoke(C1, "a", kind)).as("kind %d", kind).isZero();
    }
    assertThat(code(m.get("a"))).isEqualTo(Codes.NOT_READY);
    assertThat(m.putEnd(C1, "a")).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-017 ten keys are put, read, removed and gone")
  void tenKeys() {
    MasterFixture m = MasterFixture.base();
    for (int i = 0; i < 10; i++) {
      m.put("k" + i);
      assertThat(m.peek("k" + i)).isZero();
      assertThat(m.remove("k" + i, false)).isZero();
      assertThat(m.peek("k" + i)).isEqualTo(Codes.NOT_FOUND);
    }
    assertThat(m.view().objectCount()).isZero();
    assertThat(m.view().allocatedBytes()).isZero();
  }

  private static MasterFixture threeSegments() {
    TestConfig config = new TestConfig();
    config.discardTimeoutMs = 3000;
    config.releaseTimeoutMs = 5000;
    return MasterFixture.with(config.build(), 3);
  }

  private static int startSix(MasterFixture m, String key) {
    return code(m.putStart(C1, key, 6 * MIB, replicas(3)));
  }

  @Test
  @DisplayName(
      "OBJ-020, SEG-078 memory of an abandoned write is held until the writer's quarantine is over")
  void abandonedMemoryIsHeld() {
    MasterFixture m = threeSegments();
    assertThat(startSix(m, "a")).isZero();
    assertThat(startSix(m, "a")).isEqualTo(Codes.EXISTS);
    m.advance(4000);
    assertThat(startSix(m, "a")).isZero();
    assertThat(m.putEnd(C1, "a")).isZero();
    m.get("a");
    assertThat(startSix(m, "b")).as("12 of 16 MiB are held").isEqualTo(Codes.NO_MEMORY);
    for (int s = 0; s < 117; s++) {
      m.advance(1000).get("a");
    }
    assertThat(startSix(m, "b")).as("ours holds 120 s, not 5").isEqualTo(Codes.NO_MEMORY);
    m.advance(3100).get("a");
    assertThat(startSix(m, "b")).isZero();
    assertThat(m.readable("a")).hasSize(3);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "OBJ-021 a leased object survives the pressure; the abandoned write comes back when there is"
          + " room")
  void abandonedIsReplacedWhenThereIsRoom() {
    MasterFixture m = threeSegments();
    startSix(m, "a");
    m.putEnd(C1, "a");
    assertThat(startSix(m, "b")).isZero();
    m.get("a");
    m.advance(6000).get("a");
    assertThat(m.peek("b")).as("expired").isEqualTo(Codes.NOT_FOUND);
    assertThat(startSix(m, "b")).isEqualTo(Codes.NO_MEMORY);
    for (int s = 0; s < 121; s++) {
      m.advance(1000).get("a");
    }
    assertThat(startSix(m, "b")).isZero();
    assertThat(m.readable("a")).hasSize(3);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-023 a memory replica that was never ended is given up, the disk one stays")
  void memoryReplicaExpires() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    config.discardTimeoutMs = 3000;
    config.releaseTimeoutMs = 5000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.putStart(C1, "a", 16 * MIB);
    assertThat(m.putEnd(C1, "a", ReplicaType.DISK, OptionalLong.empty())).isZero();
    m.advance(4000);
    assertThat(code(m.putStart(C1, "a", 16 * MIB))).isEqualTo(Codes.EXISTS);
    m.advance(6000);
    assertThat(m.putEnd(C1, "a")).isEqualTo(Codes.INVALID_WRITE);
    assertThat(m.readable("a")).hasSize(1).first().isInstanceOf(ReplicaDescriptor.Disk.class);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-024 a write whose segment was unmounted ends with not found")
  void segmentUnmounted() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    m.unmount(C1, "m1");
    assertThat(m.putEnd(C1, "a")).isEqualTo(Codes.NOT_FOUND);
    assertThat(m.state().writes().size()).isZero();
    m.tick();
    assertThat(m.view().objectCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-025 CACHELIB takes objects up to 16 MiB - 16 and pads small ones")
  void cachelib() {
    TestConfig config = new TestConfig();
    config.allocatorKind = AllocatorKind.CACHELIB;
    MasterFixture m = MasterFixture.with(config.build(), 0);
    var info = m.segment("m1", 32 * MIB);
    assertThat(m.mount(C1, info)).as("aligned base").isZero();
    assertThat(code(m.putStart(C1, "a", 16 * MIB - 15))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(code(m.putStart(C1, "a", 16 * MIB - 16))).isNotEqualTo(Codes.INVALID_PARAMS);
    long before = m.state().segments().snapshot().get(0).takenBytes();
    assertThat(code(m.putStart(C1, "b", 1))).isZero();
    assertThat(m.state().segments().snapshot().get(0).takenBytes() - before)
        .isGreaterThanOrEqualTo(64);
  }

  @Test
  @DisplayName("a late end of an older start of the same writer completes the newer write")
  void lateEnd() {
    TestConfig config = new TestConfig();
    config.discardTimeoutMs = 1000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.putStart(C1, "a", KIB);
    m.advanceSilently(1001);
    List<ReplicaDescriptor> newer = value(m.putStart(C1, "a", KIB));
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(m.readable("a").get(0).id()).isEqualTo(newer.get(0).id());
    assertThat(m.putRevoke(C2, "a", ReplicaType.MEMORY)).isEqualTo(Codes.ILLEGAL_CLIENT);
  }
}
