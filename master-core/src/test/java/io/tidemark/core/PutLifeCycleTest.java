package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.memory;
import static io.tidemark.core.MasterFixture.replicas;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.Reply;
import io.tidemark.core.metrics.CoreMetric;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-001 to OBJ-025 of the objects specification: what a put goes through. */
class PutLifeCycleTest {

  @Test
  @DisplayName("OBJ-001 a put start reserves one processing memory replica")
  void putStartReserves() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> replicas = value(m.putStart(C1, "a", KIB));
    assertThat(replicas).hasSize(1);
    ReplicaDescriptor.Memory replica = memory(replicas.get(0));
    assertThat(replica.status()).isEqualTo(ReplicaStatus.PROCESSING.code());
    assertThat(replica.sizeBytes()).isEqualTo(KIB);
    assertThat(replica.transportEndpoint()).isEqualTo("m1");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-002 an unfinished write can be neither read nor removed")
  void unfinishedIsInvisible() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    assertThat(code(m.get("a"))).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY.value());
    assertThat(m.exists("a")).isFalse();
    assertThat(m.remove("a", false)).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY.value());
    assertThat(m.remove("a", true)).isEqualTo(ErrorCode.REPLICA_IS_NOT_READY.value());
  }

  @Test
  @DisplayName("OBJ-003 only the writer may end or revoke its write")
  void onlyWriterEnds() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    assertThat(m.putEnd(C2, "a")).isEqualTo(ErrorCode.ILLEGAL_CLIENT.value());
    assertThat(m.putRevoke(C2, "a", ReplicaType.MEMORY))
        .isEqualTo(ErrorCode.ILLEGAL_CLIENT.value());
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(m.readable("a")).hasSize(1);
  }

  @Test
  @DisplayName("OBJ-004 a finished put is read with its lease time and without a checksum")
  void finishedIsRead() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    Reply.ReplicaList list = value(m.get("a"));
    assertThat(list.replicas()).hasSize(1);
    assertThat(list.leaseTtlMs()).isEqualTo(10_000);
    assertThat(list.objectChecksum()).isEmpty();
  }

  @Test
  @DisplayName("OBJ-005 nothing asked, no key and no length are refused")
  void emptyRequestsAreRefused() {
    MasterFixture m = MasterFixture.base();
    int invalid = ErrorCode.INVALID_PARAMS.value();
    assertThat(code(m.putStart(C1, "a", KIB, replicas(0)))).isEqualTo(invalid);
    assertThat(code(m.putStart(C1, "", KIB))).isEqualTo(invalid);
    assertThat(code(m.putStart(C1, "a", 0))).isEqualTo(invalid);
    assertThat(m.view().objectCount()).isZero();
  }

  @Test
  @DisplayName("OBJ-006 replicas lie on as many different segments")
  void replicasSpread() {
    MasterFixture m = MasterFixture.withSegments(5);
    for (int n = 1; n <= 5; n++) {
      List<ReplicaDescriptor> placed = m.put("key-" + n, KIB, replicas(n));
      assertThat(placed.stream().map(r -> memory(r).transportEndpoint()).distinct()).hasSize(n);
      assertThat(m.readable("key-" + n)).hasSize(n);
    }
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-008 fewer segments than replicas gives a partial allocation")
  void partialAllocation() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> placed = value(m.putStart(C1, "a", KIB, replicas(2)));
    assertThat(placed).hasSize(1);
    assertThat(m.view().metrics().get(CoreMetric.PUT_START_PARTIAL_ALLOCATIONS)).isEqualTo(1);
    assertThat(m.view().metrics().get(CoreMetric.PUT_START_ALLOC_FAILURES)).isZero();
  }

  @Test
  @DisplayName("OBJ-010 without a segment a put fails for lack of memory and leaves nothing")
  void noSegment() {
    MasterFixture m = MasterFixture.withSegments(0);
    assertThat(code(m.putStart(C1, "a", KIB))).isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE.value());
    assertThat(m.view().metrics().get(CoreMetric.PUT_START_ALLOC_FAILURES)).isEqualTo(1);
    assertThat(m.peek("a")).isEqualTo(ErrorCode.OBJECT_NOT_FOUND.value());
  }

  @Test
  @DisplayName("OBJ-012 a second put start finds the object there")
  void secondStart() {
    MasterFixture m = MasterFixture.base();
    int exists = ErrorCode.OBJECT_ALREADY_EXISTS.value();
    assertThat(code(m.putStart(C1, "a", KIB))).isZero();
    assertThat(code(m.putStart(C1, "a", KIB))).isEqualTo(exists);
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(code(m.putStart(C1, "a", KIB))).isEqualTo(exists);
  }

  @Test
  @DisplayName("OBJ-015, COR-09 a revoked range is free only after the writer's quarantine")
  void revokedRangeIsQuarantined() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", 16 * MIB);
    assertThat(m.putRevoke(C1, "a", ReplicaType.MEMORY)).isZero();
    assertThat(code(m.get("a"))).isEqualTo(ErrorCode.OBJECT_NOT_FOUND.value());
    assertThat(code(m.putStart(C1, "b", 16 * MIB)))
        .isEqualTo(ErrorCode.NO_AVAILABLE_HANDLE.value());
    m.advance(120_000);
    assertThat(code(m.putStart(C1, "b", 16 * MIB))).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-019 a write older than the discard timeout gives way to a newer put")
  void abandonedWriteGivesWay() {
    TestConfig config = new TestConfig();
    config.discardTimeoutMs = 0;
    config.releaseTimeoutMs = 1000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    assertThat(code(m.putStart(C1, "a", KIB))).isZero();
    m.advanceSilently(2);
    assertThat(code(m.putStart(C2, "a", KIB))).isZero();
    assertThat(m.putEnd(C1, "a")).isEqualTo(ErrorCode.ILLEGAL_CLIENT.value());
    assertThat(m.putEnd(C2, "a")).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-022 a disk replica that was never ended is given up, the memory one stays")
  void diskReplicaExpires() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    config.discardTimeoutMs = 3000;
    config.releaseTimeoutMs = 5000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    List<ReplicaDescriptor> started = value(m.putStart(C1, "a", 16 * MIB));
    assertThat(started).hasSize(2);
    assertThat(m.putEnd(C1, "a")).isZero();
    m.get("a");
    m.advance(4000);
    assertThat(code(m.putStart(C1, "a", 16 * MIB)))
        .isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS.value());
    m.get("a");
    m.advance(6000);
    assertThat(m.putEnd(C1, "a", ReplicaType.DISK, OptionalLong.empty()))
        .isEqualTo(ErrorCode.INVALID_WRITE.value());
    assertThat(m.readable("a")).hasSize(1).first().isInstanceOf(ReplicaDescriptor.Memory.class);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "a crash between start and end keeps the range, and the end succeeds afterwards (OBJ-195)")
  void endAfterRestart() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> started = value(m.putStart(C1, "a", KIB));
    m.crashAndRestart();
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(memory(m.readable("a").get(0)).bufferAddress())
        .isEqualTo(memory(started.get(0)).bufferAddress());
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-11 after a restart the same writer gets the same descriptors again")
  void samePutAfterRestart() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> started = value(m.putStart(C1, "a", KIB));
    m.crashAndRestart();
    assertThat(code(m.putStart(C2, "a", KIB))).isEqualTo(ErrorCode.OBJECT_ALREADY_EXISTS.value());
    List<ReplicaDescriptor> again = value(m.putStart(C1, "a", KIB));
    assertThat(again).isEqualTo(started);
    assertThat(m.putEnd(C1, "a")).isZero();
    m.assertReplayAgrees();
  }
}
