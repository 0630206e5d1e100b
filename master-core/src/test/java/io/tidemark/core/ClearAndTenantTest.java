package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.code;
import static io.tidemark.core.MasterFixture.replicas;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-153 to OBJ-156, SEG-022, OBJ-172, 173 and OBJ-179 to OBJ-181. */
class ClearAndTenantTest {

  @Test
  @DisplayName("OBJ-153 an owner clears its objects")
  void clearAll() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.put("b");
    assertThat(Calls.clear(m, C1, "", "a", "b")).containsExactly("a", "b");
    assertThat(m.view().objectCount()).isZero();
    assertThat(m.view().allocatedBytes()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-154 a clear of one segment leaves the replica on the other")
  void clearOneSegment() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("a", KIB, replicas(2));
    assertThat(Calls.clear(m, C1, "m1", "a")).containsExactly("a");
    assertThat(Calls.endpoints(m.readable("a"))).containsExactly("m2");
    assertThat(Calls.clear(m, C1, "m1", "a")).isEmpty();
    assertThat(Calls.clear(m, C1, "m2", "a")).containsExactly("a");
    assertThat(m.peek("a")).isEqualTo(Codes.NOT_FOUND);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-155 leased, foreign, missing, unfinished and empty keys are skipped")
  void skipped() {
    MasterFixture m = MasterFixture.base();
    m.put("leased");
    m.get("leased");
    m.upsertStart(C2, "foreign", KIB);
    m.upsertEnd(C2, "foreign");
    m.putStart(C1, "unfinished", KIB);
    assertThat(Calls.clear(m, C1, "", "leased", "foreign", "missing", "unfinished", "")).isEmpty();
    assertThat(Calls.clear(m, C1, "m1", "leased", "foreign", "unfinished")).isEmpty();
    assertThat(Calls.clear(m, C1, "nowhere", "foreign")).isEmpty();
    assertThat(Calls.clear(m, C1, "")).isEmpty();
  }

  @Test
  @DisplayName("OBJ-156, SEG-022 of a mixed list the valid keys are cleared, in order")
  void mixed() {
    MasterFixture m = MasterFixture.base();
    List.of("a", "b", "c", "d", "e").forEach(m::put);
    m.get("b");
    assertThat(Calls.clear(m, C1, "", "e", "b", "missing", "a")).containsExactly("e", "a");
    assertThat(Calls.clear(m, C2, "", "c", "d")).isEmpty();
    m.advance(10_000);
    assertThat(Calls.clear(m, C1, "", "a", "b", "c", "d", "e")).containsExactly("b", "c", "d");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-172 with its only segment unmounted an object is gone at once")
  void onlySegmentUnmounted() {
    MasterFixture m = MasterFixture.base();
    m.put("a");
    m.get("a");
    m.unmount(C1, "m1");
    assertThat(code(m.get("a"))).isEqualTo(Codes.NOT_FOUND);
    assertThat(m.exists("a")).isFalse();
    assertThat(m.remove("a", true)).isEqualTo(Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("OBJ-173 with one of two segments unmounted the other replica is left")
  void oneSegmentUnmounted() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.put("a", KIB, replicas(2));
    m.unmount(C1, "m1");
    assertThat(Calls.endpoints(m.readable("a"))).containsExactly("m2");
    m.tick();
    assertThat(Calls.endpoints(m.readable("a"))).containsExactly("m2");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-179 without multi-tenancy tenants share one name space")
  void tenantsOff() {
    MasterFixture m = MasterFixture.base();
    put(m, "tenant-a", "k");
    Request exist = new Request.ExistKey(Rpc.EXIST_KEY, "k", "tenant-b");
    assertThat(MasterFixture.<Boolean>value(m.call(exist))).isTrue();
    assertThat(start(m, "tenant-b", "k")).isEqualTo(Codes.EXISTS);
    m.advance(10_000);
    assertThat(code(m.call(new Request.Remove("k", false, "tenant-b")))).isZero();
  }

  @Test
  @DisplayName(
      "OBJ-180 a tenant's removals leave the other tenant's objects; without a tenant all go")
  void removalsOfTenants() {
    MasterFixture m = multiTenant();
    for (String tenant : List.of("a", "b")) {
      put(m, tenant, "k");
      put(m, tenant, "l");
    }
    assertThat(code(m.call(new Request.Remove("k", false, "a")))).isZero();
    assertThat(found(m, "b", "k")).isZero();
    assertThat(Calls.removeAll(m, true, "a")).isEqualTo(1);
    assertThat(found(m, "b", "l")).isZero();
    assertThat(Calls.removeAll(m, true)).isEqualTo(2);
    assertThat(m.view().objectCount()).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("OBJ-181 remove-all without a tenant counts the objects of all tenants")
  void removeAllTenants() {
    MasterFixture m = multiTenant();
    List.of("a", "b", "default").forEach(tenant -> put(m, tenant, "k"));
    assertThat(Calls.removeAll(m, false)).isEqualTo(3);
  }

  @Test
  @DisplayName("patterns and listings keep to the caller's tenant")
  void scansKeepToTheTenant() {
    MasterFixture m = multiTenant();
    put(m, "a", "k1");
    put(m, "default", "k2");
    assertThat(Calls.matching(m, "k")).containsExactly("k2");
    assertThat(Calls.listed(m)).containsExactly("k2");
    Request remove = new Request.RemoveByRegex("k", true, "a");
    assertThat(MasterFixture.<Long>value(m.call(remove))).isEqualTo(1);
    assertThat(found(m, "default", "k2")).isZero();
  }

  private static MasterFixture multiTenant() {
    TestConfig config = new TestConfig();
    config.multiTenants = true;
    return MasterFixture.with(config.build(), 1);
  }

  private static int start(MasterFixture m, String tenant, String key) {
    ReplicateConfig config = ReplicateConfig.DEFAULT;
    return code(m.call(new Request.WriteStart(Rpc.PUT_START, C1, key, KIB, config, tenant)));
  }

  private static void put(MasterFixture m, String tenant, String key) {
    assertThat(start(m, tenant, key)).isZero();
    OptionalLong none = OptionalLong.empty();
    Request end = new Request.WriteEnd(Rpc.PUT_END, C1, key, none, ReplicaType.MEMORY, tenant);
    assertThat(code(m.call(end))).isZero();
  }

  private static int found(MasterFixture m, String tenant, String key) {
    return code(m.call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST_FOR_ADMIN, key, tenant)));
  }
}
