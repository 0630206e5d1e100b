package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.codes;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.object.WriteStartRules;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Scenarios OBJ-026 to OBJ-037: what a Start is refused for, and in which order. */
class StartChecksTest {

  private static MasterFixture multiTenant() {
    TestConfig config = new TestConfig();
    config.multiTenants = true;
    return MasterFixture.with(config.build(), 1);
  }

  private static int start(MasterFixture m, String tenant, ReplicateConfig config) {
    return code(m.call(new Request.WriteStart(Rpc.PUT_START, C1, "a", KIB, config, tenant)));
  }

  @Test
  @DisplayName(
      "OBJ-026 two DFS replicas are refused; one without memory has no service, as in v0.3.14")
  void dfsCounts() {
    MasterFixture m = MasterFixture.base();
    assertThat(code(m.putStart(C1, "a", KIB, Ask.forReplicas(1).dfs(2).build())))
        .isEqualTo(Codes.INVALID_PARAMS);
    assertThat(code(m.putStart(C1, "a", KIB, Ask.forReplicas(0).dfs(1).build())))
        .isEqualTo(Codes.DFS_UNAVAILABLE);
  }

  @Test
  @DisplayName("OBJ-027 without DFS a DFS replica has no service")
  void dfsDisabled() {
    MasterFixture m = MasterFixture.base();
    assertThat(code(m.putStart(C1, "a", KIB, Ask.forReplicas(1).dfs(1).build())))
        .isEqualTo(Codes.DFS_UNAVAILABLE);
  }

  @Test
  @DisplayName(
      "OBJ-028 a DFS replica outside the default tenant is refused before availability is looked"
          + " at")
  void dfsOfTenant() {
    assertThat(start(multiTenant(), "t", Ask.forReplicas(1).dfs(1).build()))
        .isEqualTo(Codes.INVALID_PARAMS);
    assertThat(start(multiTenant(), "default", Ask.forReplicas(1).dfs(1).build()))
        .isEqualTo(Codes.DFS_UNAVAILABLE);
  }

  @Test
  @DisplayName("OBJ-029, OBJ-030 NoF replicas are refused, alone and with same-node allocation")
  void nof() {
    MasterFixture m = MasterFixture.base();
    for (ReplicateConfig config :
        List.of(
            Ask.forReplicas(1).nof(1).build(),
            Ask.forReplicas(0).nof(1).build(),
            Ask.forReplicas(1).nof(1).sameNode().build())) {
      assertThat(code(m.putStart(C1, "a", KIB, config))).isEqualTo(Codes.INVALID_PARAMS);
    }
  }

  @Test
  @DisplayName("OBJ-031 a single put names exactly one group, which may be empty")
  void groupsOfOnePut() {
    MasterFixture m = MasterFixture.base();
    int invalid = Codes.INVALID_PARAMS;
    assertThat(code(m.putStart(C1, "a", KIB, Ask.forReplicas(1).groups().build())))
        .isEqualTo(invalid);
    assertThat(code(m.putStart(C1, "a", KIB, Ask.forReplicas(1).groups("g", "h").build())))
        .isEqualTo(invalid);
    assertThat(code(m.putStart(C1, "a", KIB, Ask.grouped("")))).isZero();
    assertThat(Calls.groupOf(m, "a")).isEmpty();
    m.assertReplayAgrees();
  }

  @ParameterizedTest(name = "OBJ-032 {0} with more keys than lengths is refused for every key")
  @EnumSource(
      names = {"BATCH_PUT_START", "BATCH_UPSERT_START"},
      value = Rpc.class)
  void lengthsMissing(Rpc rpc) {
    for (MasterFixture m : List.of(MasterFixture.base(), multiTenant())) {
      for (String tenant : List.of(TENANT, "", "_bad")) {
        Reply reply =
            m.call(
                new Request.BatchWriteStart(
                    rpc, C1, List.of("a", "b"), new long[] {KIB}, ReplicateConfig.DEFAULT, tenant));
        assertThat(codes(reply))
            .as("tenant '%s'", tenant)
            .containsExactly(Codes.INVALID_PARAMS, Codes.INVALID_PARAMS);
      }
    }
  }

  @ParameterizedTest(name = "OBJ-033 {0} with fewer groups than keys is refused for every key")
  @EnumSource(
      names = {"BATCH_PUT_START", "BATCH_UPSERT_START"},
      value = Rpc.class)
  void groupsMissing(Rpc rpc) {
    MasterFixture m = MasterFixture.base();
    ReplicateConfig twoGroups = Ask.forReplicas(1).groups("g", "h").build();
    Reply reply = m.call(Calls.batchStart(rpc, C1, List.of("a", "b", "c"), twoGroups));
    assertThat(codes(reply)).hasSize(3).containsOnly(Codes.INVALID_PARAMS);
  }

  @Test
  @DisplayName("OBJ-034 a batch puts each key into its own group")
  void groupsOfBatch() {
    MasterFixture m = MasterFixture.base();
    ReplicateConfig groups = Ask.forReplicas(1).groups("g1", "", "g2").build();
    Reply reply = m.call(Calls.batchStart(Rpc.BATCH_PUT_START, C1, List.of("a", "b", "c"), groups));
    assertThat(codes(reply)).containsExactly(Codes.OK, Codes.OK, Codes.OK);
    assertThat(List.of(Calls.groupOf(m, "a"), Calls.groupOf(m, "b"), Calls.groupOf(m, "c")))
        .containsExactly("g1", "", "g2");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-035 with multi-tenancy an empty or invalid tenant can't start a write")
  void illegalTenantOfStart() {
    MasterFixture m = multiTenant();
    for (String tenant : List.of("", "_x", "a\u0001", "a\u007f")) {
      assertThat(start(m, tenant, ReplicateConfig.DEFAULT)).isEqualTo(Codes.UNREGISTERED);
    }
    assertThat(start(m, "t", ReplicateConfig.DEFAULT)).isZero();
  }

  @Test
  @DisplayName(
      "OBJ-036 with multi-tenancy a read with an invalid tenant is refused, an empty one is the"
          + " default")
  void illegalTenantOfRead() {
    MasterFixture m = multiTenant();
    m.put("a");
    assertThat(code(m.call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "a", "_x"))))
        .isEqualTo(Codes.INVALID_PARAMS);
    assertThat(code(m.call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "a", "")))).isZero();
    assertThat(code(m.call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "a", "t"))))
        .isEqualTo(Codes.NOT_FOUND);
    assertThat(Calls.removeAll(m, true, "_x")).isZero();
  }

  @Test
  @DisplayName("OBJ-037 without multi-tenancy any tenant text means the default one")
  void tenantsOff() {
    MasterFixture m = MasterFixture.base();
    assertThat(start(m, "_bad", ReplicateConfig.DEFAULT)).isZero();
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(code(m.call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "a", "\u0001"))))
        .isZero();
  }

  @Test
  @DisplayName("parameters are checked before memory, pins before groups")
  void order() {
    MasterFixture m = MasterFixture.withSegments(0);
    assertThat(code(m.putStart(C1, "", KIB))).isEqualTo(Codes.INVALID_PARAMS);
    ReplicateConfig badPinAndGroups = Ask.forReplicas(1).softPin(9).groups().build();
    assertThat(code(m.putStart(C1, "a", KIB, badPinAndGroups))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(code(m.upsertStart(C1, "a", KIB))).isEqualTo(Codes.NO_MEMORY);
  }

  @Test
  @DisplayName("absurd sizes, counts and keys are answers, not accidents")
  void absurd() {
    MasterFixture m = MasterFixture.base();
    assertThat(code(m.putStart(C1, "a", -1))).as("2^64 - 1 bytes").isEqualTo(Codes.NO_MEMORY);
    assertThat(code(m.putStart(C1, "b", Long.MIN_VALUE))).isEqualTo(Codes.NO_MEMORY);
    assertThat(code(m.putStart(C1, "c", KIB, Ask.forReplicas(-1).build()))).isZero();
    assertThat(code(m.putStart(C1, "d", KIB, Ask.forReplicas(1 << 20).build()))).isZero();
    String longest = "k".repeat(WriteStartRules.MAX_KEY_BYTES);
    assertThat(code(m.putStart(C1, longest, KIB))).isZero();
    assertThat(code(m.putStart(C1, longest + "k", KIB))).isEqualTo(Codes.INVALID_PARAMS);
    assertThat(code(m.putStart(C1, "\u00ff\u0000\u0080", KIB))).as("not UTF-8").isZero();
    List<String> keys = Collections.nCopies(10_000, "same");
    Reply batch = m.call(Calls.batchStart(Rpc.BATCH_PUT_START, C1, keys, ReplicateConfig.DEFAULT));
    assertThat(codes(batch)).startsWith(Codes.OK, Codes.EXISTS).hasSize(10_000);
    m.assertReplayAgrees();
  }
}
