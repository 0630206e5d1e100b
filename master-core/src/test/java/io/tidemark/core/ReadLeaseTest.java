package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.codes;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.metrics.CoreMetric;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-057 to OBJ-073: reads, what they lease, what a lease blocks. */
class ReadLeaseTest {
  private static final List<String> NAMES =
      List.of(
          "test_key_1",
          "test_key_2",
          "test_key_3",
          "data_part_1_chunk_a",
          "data_part_2_chunk_b",
          "data_part_3_chunk_10",
          "another_key",
          "key_special!@#",
          "prod_key_1",
          "prod_key_2",
          "my_key.json",
          "server.log",
          "other");

  private static MasterFixture withLease(long ms) {
    TestConfig config = new TestConfig();
    config.leaseTtlMs = ms;
    return MasterFixture.with(config.build(), 1);
  }

  @Test
  @DisplayName("OBJ-057 a batch read answers each key by itself, in order, duplicates included")
  void batchGet() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.putStart(C1, "w", KIB);
    Reply reply = m.call(Calls.batchGet("w", "missing", "a", "a"));
    assertThat(codes(reply)).containsExactly(Codes.NOT_READY, Codes.NOT_FOUND, Codes.OK, Codes.OK);
    assertThat(m.metric(CoreMetric.TOTAL_GETS)).isEqualTo(4);
    assertThat(m.metric(CoreMetric.VALID_GETS)).isEqualTo(2);
    assertThat(m.metric(CoreMetric.MEM_CACHE_HIT_BYTES)).isEqualTo(2 * KIB);
    assertThat(codes(m.call(Calls.batchGet()))).isEmpty();
  }

  @Test
  @DisplayName("OBJ-058 a batch existence check keeps order and duplicates; an empty one is empty")
  void batchExist() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.putStart(C1, "w", KIB);
    assertThat(Calls.booleans(m.call(Calls.batchExist("missing", "a", "w", "a"))))
        .containsExactly(false, true, false, true);
    assertThat(Calls.booleans(m.call(Calls.batchExist()))).isEmpty();
    assertThat(m.metric(CoreMetric.TOTAL_GETS)).isZero();
  }

  @Test
  @DisplayName("OBJ-059 keys are found by search with an ECMAScript pattern; a bad one is refused")
  void byRegex() {
    MasterFixture m = MasterFixture.base();
    NAMES.forEach(m::put);
    m.putStart(C1, "test_key_unfinished", KIB);
    assertThat(Calls.matching(m, "^test_key_")).hasSize(3);
    assertThat(Calls.matching(m, "^data_part_\\d_chunk_.$")).hasSize(2);
    assertThat(Calls.matching(m, "key")).hasSize(8);
    assertThat(Calls.matching(m, "\\.log$")).containsExactly("server.log");
    assertThat(Calls.matching(m, "^prod|\\.json$")).hasSize(3);
    assertThat(Calls.matching(m, "no match")).isEmpty();
    assertThat(code(m.call(new Request.GetReplicaListByRegex("(", TENANT))))
        .isEqualTo(Codes.INVALID_PARAMS);
    assertThat(code(Calls.removeByRegex(m, "(", true))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(m.metric(CoreMetric.REGEX_REFUSED)).isEqualTo(2);
    assertThat(m.remove("server.log", false))
        .as("a listed key is leased")
        .isEqualTo(Codes.HAS_LEASE);
    assertThat(m.remove("other", false)).isZero();
  }

  @Test
  @DisplayName("OBJ-060 a read lease blocks the removal until it is over")
  void leaseBlocksRemoval() {
    MasterFixture m = withLease(50);
    m.put("a");
    m.get("a");
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
    m.advanceSilently(49);
    assertThat(m.remove("a", false)).isEqualTo(Codes.HAS_LEASE);
    m.advanceSilently(1);
    assertThat(m.remove("a", false)).isZero();
  }

  @Test
  @DisplayName("OBJ-061 an object that was never read is removed at once")
  void neverRead() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    assertThat(m.remove("a", false)).isZero();
  }

  @Test
  @DisplayName("OBJ-062 an existence check grants the lease of a read; a probe does not")
  void existenceLeases() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.put("b");
    assertThat(
            MasterFixture.<Boolean>value(m.call(new Request.ExistKey(Rpc.PROBE_KEY, "a", TENANT))))
        .isTrue();
    assertThat(m.remove("a", false)).isZero();
    m.exists("b");
    assertThat(m.remove("b", false)).isEqualTo(Codes.HAS_LEASE);
  }

  @Test
  @DisplayName(
      "a batch probe leases nothing, or with policy 1 the last group of keys that is whole")
  void batchProbe() {
    MasterFixture m = MasterFixture.base();
    List.of("a", "b", "c", "d").forEach(m::put);
    assertThat(Calls.booleans(m.call(Calls.batchProbe(0, 2, "a", "b", "x"))))
        .containsExactly(true, true, false);
    assertThat(m.remove("a", false)).isZero();
    m.put("a");
    m.call(Calls.batchProbe(1, 2, "a", "b", "c", "d", "c", "x"));
    assertThat(m.remove("a", false)).isZero();
    assertThat(m.remove("c", false)).isEqualTo(Codes.HAS_LEASE);
    assertThat(m.remove("d", false)).isEqualTo(Codes.HAS_LEASE);
    for (long size : new long[] {0, -1, Long.MAX_VALUE}) {
      assertThat(Calls.booleans(m.call(Calls.batchProbe(1, size, "b")))).containsExactly(true);
    }
  }

  @Test
  @DisplayName("OBJ-063 the admin form of the read grants no lease")
  void adminRead() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    assertThat(m.readable("a")).hasSize(1);
    assertThat(m.remove("a", false)).isZero();
  }

  @Test
  @DisplayName("OBJ-064 remove-all skips leased objects")
  void removeAllSkipsLeased() {
    MasterFixture m = MasterFixture.base();
    for (int i = 0; i < 10; i++) {
      m.put("k" + i);
      if (i < 5) {
        m.get("k" + i);
      }
    }
    assertThat(Calls.removeAll(m, false)).isEqualTo(5);
    m.advance(10_000);
    assertThat(Calls.removeAll(m, false)).isEqualTo(5);
    assertThat(m.view().objectCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-065 a forced removal takes a leased object")
  void forced() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.get("a");
    assertThat(m.remove("a", true)).isZero();
    assertThat(code(m.get("a"))).isEqualTo(Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("OBJ-066, OBJ-067 leased objects leave by pattern and by remove-all only with force")
  void forcedScans() {
    for (boolean all : new boolean[] {false, true}) {
      MasterFixture m = MasterFixture.base();
      for (int i = 0; i < 10; i++) {
        m.put("k" + i);
        m.get("k" + i);
      }
      m.put("other");
      assertThat(MasterFixture.<Long>value(Calls.removeByRegex(m, "^k\\d$", false))).isZero();
      if (all) {
        assertThat(Calls.removeAll(m, true)).isEqualTo(11);
      } else {
        assertThat(MasterFixture.<Long>value(Calls.removeByRegex(m, "^k\\d$", true))).isEqualTo(10);
      }
      m.assertReplayAgrees();
    }
  }

  @Test
  @DisplayName("a removal of more keys than a slice holds counts them all")
  void manySlices() {
    MasterFixture m = MasterFixture.base();
    for (int i = 0; i < 1000; i++) {
      m.put("k" + i, 16, ReplicateConfig.DEFAULT);
    }
    assertThat(MasterFixture.<Long>value(Calls.removeByRegex(m, "[0-4]$", false))).isEqualTo(500);
    assertThat(Calls.removeAll(m, false)).isEqualTo(500);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-068 an upsert of a leased object is written elsewhere, as in v0.3.14")
  void upsertOfLeased() {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> before = m.put("a");
    m.get("a");
    List<ReplicaDescriptor> upsert = value(m.upsertStart(C2, "a", KIB));
    assertThat(Calls.address(upsert)).isNotEqualTo(Calls.address(before));
    assertThat(code(m.get("a"))).isEqualTo(Codes.NOT_READY);
    assertThat(m.upsertEnd(C2, "a")).isZero();
    assertThat(m.remove("a", false)).as("the lease was the old object's").isZero();
    m.put("b", 15 * MIB, ReplicateConfig.DEFAULT);
    m.get("b");
    assertThat(code(m.upsertStart(C1, "b", 15 * MIB))).isEqualTo(Codes.NO_MEMORY);
    assertThat(code(m.get("b"))).as("kept for lack of room").isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-068 an upsert of a leased object with a disk replica is refused, as in v0.3.14")
  void upsertOfLeasedWithDisk() {
    TestConfig config = new TestConfig();
    config.rootFsDir = "/mnt/store";
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.put("a");
    m.get("a");
    assertThat(code(m.upsertStart(C1, "a", KIB))).isEqualTo(Codes.HAS_LEASE);
    assertThat(code(m.get("a"))).isZero();
  }

  @Test
  @DisplayName("OBJ-069 a batch removal sees its own effects")
  void batchRemoveTwice() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    assertThat(codes(m.call(Calls.batchRemove(false, "a", "a", "missing"))))
        .containsExactly(Codes.OK, Codes.NOT_FOUND, Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("OBJ-070 a batch removal judges each key by itself")
  void batchRemove() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.put("b");
    m.get("b");
    m.putStart(C1, "w", KIB);
    assertThat(codes(m.call(Calls.batchRemove(false, "a", "b", "w"))))
        .containsExactly(Codes.OK, Codes.HAS_LEASE, Codes.NOT_READY);
    assertThat(codes(m.call(Calls.batchRemove(true, "a", "b", "w"))))
        .containsExactly(Codes.NOT_FOUND, Codes.OK, Codes.NOT_READY);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-072, OBJ-073 a read leases the whole group, in full, as in v0.3.14")
  void groupLease() {
    MasterFixture m = withLease(200);
    m.put("a", KIB, Ask.grouped("g"));
    m.put("b", KIB, Ask.grouped("g"));
    m.put("c", KIB, Ask.grouped("h"));
    m.get("a");
    m.advanceSilently(120);
    m.get("a");
    m.advanceSilently(100);
    assertThat(m.remove("b", false)).isEqualTo(Codes.HAS_LEASE);
    assertThat(m.remove("c", false)).isZero();
    m.put("late", KIB, Ask.grouped("g"));
    assertThat(m.remove("late", false)).as("inherits the lease").isEqualTo(Codes.HAS_LEASE);
    m.advanceSilently(100);
    assertThat(m.remove("b", false)).isZero();
    m.assertReplayAgrees();
  }
}
