package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * COR-06 and COR-07 as far as one thread can show them: a lease protects what it was granted on,
 * through every change of the record, and growth hides no key.
 */
class ReadLaneTest {

  private static MasterFixture withDisk() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    return MasterFixture.with(config.build(), 1);
  }

  @Test
  @DisplayName("COR-06 a refused removal leaves no mark: the object is read and leased as before")
  void rejectionLeavesNoMark() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.get("a");
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
    assertThat(code(m.get("a"))).isZero();
    m.advance(9000);
    assertThat(code(m.get("a"))).isZero();
    m.advance(9000);
    assertThat(m.remove("a", false))
        .as("the second read's lease counts")
        .isEqualTo(Codes.HAS_LEASE);
    m.advance(1000);
    assertThat(m.remove("a", false)).isZero();
  }

  @Test
  @DisplayName("COR-06 a leased object is not evicted, its range not given away")
  void leasedIsNotEvicted() {
    MasterFixture m = MasterFixture.base();
    var read = m.put("a", 15 * MIB, ReplicateConfig.DEFAULT);
    m.get("a");
    m.advance(9000);
    assertThat(m.readable("a")).hasSize(1);
    assertThat(Calls.address(m.readable("a"))).isEqualTo(Calls.address(read));
    m.advance(2000);
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
  }

  @Test
  @DisplayName(
      "COR-06 the end of a second replica keeps the lease that a reader of the first one has")
  void endKeepsLease() {
    MasterFixture m = withDisk();
    m.put("a");
    m.get("a");
    assertThat(m.putEnd(C1, "a", ReplicaType.DISK, OptionalLong.empty())).isZero();
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
  }

  @Test
  @DisplayName("COR-06 a replica that leaves keeps the lease on the others")
  void revokeKeepsLease() {
    MasterFixture m = withDisk();
    m.put("a");
    m.get("a");
    assertThat(m.putRevoke(C1, "a", ReplicaType.DISK)).isZero();
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
  }

  @Test
  @DisplayName("COR-06 an unmount of one replica's segment keeps the lease on the other")
  void sweepKeepsLease() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("a", KIB, MasterFixture.replicas(2));
    m.get("a");
    m.unmount(C1, "m1");
    m.tick();
    assertThat(m.readable("a")).hasSize(1);
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
  }

  @Test
  @DisplayName("COR-06 a soft pin set by an operator keeps the lease")
  void pinKeepsLease() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.get("a");
    m.master().softPin(List.of("a"), TENANT, OptionalLong.of(1000), Origin.ADMIN, reply -> {});
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
  }

  @Test
  @DisplayName("COR-06 an upsert under a lease leaves the readers' range alone until they are gone")
  void upsertUnderLease() {
    MasterFixture m = MasterFixture.base();
    var read = m.put("a", 6 * MIB, ReplicateConfig.DEFAULT);
    m.get("a");
    var written =
        MasterFixture.<List<io.tidemark.api.rpc.ReplicaDescriptor>>value(
            m.upsertStart(C1, "a", 6 * MIB));
    assertThat(Calls.address(written)).isNotEqualTo(Calls.address(read));
    assertThat(code(m.putStart(C1, "b", 6 * MIB))).isEqualTo(Codes.NO_MEMORY);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-07 no key is missed while stripes grow and shrink")
  void noFalseMiss() {
    MasterFixture m = MasterFixture.withSegments(0);
    m.mount(C1, "m1", 1024 * MIB);
    int keys = 20_000;
    for (int i = 0; i < keys; i++) {
      m.put("k" + i, 64, ReplicateConfig.DEFAULT);
      assertThat(m.peek("k" + i / 2)).isZero();
      assertThat(m.peek("absent" + i)).isEqualTo(Codes.NOT_FOUND);
    }
    for (int i = 0; i < keys; i += 2) {
      assertThat(m.remove("k" + i, false)).isZero();
      assertThat(m.peek("k" + (i + 1))).isZero();
    }
    for (int i = 0; i < keys; i++) {
      assertThat(m.peek("k" + i)).isEqualTo(i % 2 == 0 ? Codes.NOT_FOUND : Codes.OK);
    }
    assertThat(Calls.listed(m)).hasSize(keys / 2);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("an admin read grants no lease and counts nothing")
  void adminReadHasNoEffect() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    long end = m.log().end().index();
    assertThat(m.peek("a")).isZero();
    Reply batch =
        m.call(
            new io.tidemark.api.rpc.Request.BatchGetReplicaList(
                io.tidemark.api.rpc.Rpc.BATCH_GET_REPLICA_LIST_FOR_ADMIN,
                List.of("a", "b"),
                TENANT));
    assertThat(MasterFixture.codes(batch)).containsExactly(Codes.OK, Codes.NOT_FOUND);
    assertThat(m.metric(io.tidemark.core.metrics.CoreMetric.TOTAL_GETS)).isZero();
    assertThat(m.log().end().index()).isEqualTo(end);
    assertThat(m.remove("a", false)).isZero();
  }
}
