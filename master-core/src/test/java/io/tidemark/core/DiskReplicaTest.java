package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.metrics.CoreMetric;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-042 to OBJ-046 and OBJ-049: an object with a memory and a disk replica. */
class DiskReplicaTest {
  private MasterFixture m;

  @BeforeEach
  void sharedFileSystem() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    m = MasterFixture.with(config.build(), 1);
  }

  private int endDisk(String key) {
    return m.putEnd(C1, key, ReplicaType.DISK, OptionalLong.empty());
  }

  @Test
  @DisplayName(
      "OBJ-042 memory and disk are ended apart; in between the object is read but not removed")
  void endedApart() {
    List<ReplicaDescriptor> started = value(m.putStart(C1, "a/b", KIB));
    assertThat(started.get(0)).isInstanceOf(ReplicaDescriptor.Memory.class);
    ReplicaDescriptor.Disk disk = (ReplicaDescriptor.Disk) started.get(1);
    assertThat(disk.filePath()).matches("/mnt/store/mooncake_cluster/[a-p]/[a-p]/a%2fb");
    assertThat(disk.objectSizeBytes()).isEqualTo(KIB);
    assertThat(m.putEnd(C1, "a/b")).isZero();
    assertThat(m.readable("a/b")).hasSize(1);
    assertThat(m.remove("a/b", false)).isEqualTo(Codes.NOT_READY);
    assertThat(m.remove("a/b", true)).isEqualTo(Codes.NOT_READY);
    m.get("a/b");
    assertThat(m.remove("a/b", false)).as("lease first").isEqualTo(Codes.HAS_LEASE);
    assertThat(endDisk("a/b")).isZero();
    assertThat(m.readable("a/b")).hasSize(2);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-043 a revoked disk replica leaves the memory one and no file")
  void diskRevoked() {
    m.putStart(C1, "a", KIB);
    assertThat(m.metric(CoreMetric.ALLOCATED_FILE_BYTES)).isEqualTo(KIB);
    m.putEnd(C1, "a");
    assertThat(m.putRevoke(C1, "a", ReplicaType.DISK)).isZero();
    assertThat(m.readable("a")).hasSize(1).first().isInstanceOf(ReplicaDescriptor.Memory.class);
    assertThat(m.metric(CoreMetric.ALLOCATED_FILE_BYTES)).isZero();
    assertThat(m.remove("a", false)).as("nothing is unfinished").isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-044 a revoked memory replica leaves the disk one")
  void memoryRevoked() {
    m.putStart(C1, "a", KIB);
    assertThat(endDisk("a")).isZero();
    assertThat(m.putRevoke(C1, "a", ReplicaType.MEMORY)).isZero();
    assertThat(m.readable("a")).hasSize(1).first().isInstanceOf(ReplicaDescriptor.Disk.class);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-045 with both replicas revoked the object is gone")
  void bothRevoked() {
    m.putStart(C1, "a", KIB);
    assertThat(m.putRevoke(C1, "a", ReplicaType.MEMORY)).isZero();
    assertThat(m.putRevoke(C1, "a", ReplicaType.DISK)).isZero();
    assertThat(code(m.get("a"))).isEqualTo(Codes.NOT_FOUND);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-046 revoking ALL leaves the disk replica unfinished")
  void allIsNotDisk() {
    m.putStart(C1, "a", KIB);
    assertThat(m.putRevoke(C1, "a", ReplicaType.ALL)).isZero();
    assertThat(code(m.get("a"))).isEqualTo(Codes.NOT_READY);
    assertThat(endDisk("a")).isZero();
    assertThat(m.readable("a")).hasSize(1);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "OBJ-047, OBJ-048 eviction of disk replicas by a client answers that it is not served yet")
  void clientEvictionIsLaterWork() {
    assertThat(code(m.call(new Request.Unserved(Rpc.EVICT_DISK_REPLICA, 1))))
        .isEqualTo(Codes.NOT_SUPPORTED);
    assertThat(MasterFixture.codes(m.call(new Request.Unserved(Rpc.BATCH_EVICT_DISK_REPLICA, 3))))
        .hasSize(3)
        .containsOnly(Codes.NOT_SUPPORTED);
  }

  @Test
  @DisplayName("OBJ-049 a forced removal takes the object out of both cache totals")
  void cacheTotals() {
    m.put("a");
    endDisk("a");
    assertThat(m.metric(CoreMetric.MEM_CACHE_OBJECTS)).isEqualTo(1);
    assertThat(m.metric(CoreMetric.FILE_CACHE_OBJECTS)).isEqualTo(1);
    m.get("a");
    assertThat(m.remove("a", true)).isZero();
    assertThat(m.metric(CoreMetric.MEM_CACHE_OBJECTS)).isZero();
    assertThat(m.metric(CoreMetric.FILE_CACHE_OBJECTS)).isZero();
    assertThat(m.metric(CoreMetric.ALLOCATED_FILE_BYTES)).isZero();
  }

  @Test
  @DisplayName(
      "the disk replica serves reads, and counts as a file hit, once the memory was evicted")
  void evictedToDisk() {
    m.put("a", 15 * MasterFixture.MIB, io.tidemark.api.rpc.ReplicateConfig.DEFAULT);
    endDisk("a");
    m.advance(100);
    assertThat(m.readable("a")).hasSize(1).first().isInstanceOf(ReplicaDescriptor.Disk.class);
    m.get("a");
    assertThat(m.metric(CoreMetric.FILE_CACHE_HITS)).isEqualTo(1);
    assertThat(m.metric(CoreMetric.MEM_CACHE_HITS)).isZero();
    m.assertReplayAgrees();
  }
}
