package io.tidemark.core;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenario OBJ-192: what is a tenant id, and what it means. */
class TenancyTest {
  private final Tenancy on = new Tenancy(true);
  private final Tenancy off = new Tenancy(false);

  @Test
  @DisplayName("OBJ-192 legal ids do not begin with an underscore and hold no control characters")
  void legalIds() {
    assertThat(Tenancy.isValid("a")).isTrue();
    assertThat(Tenancy.isValid("a_b \u00ff")).isTrue();
    assertThat(Tenancy.isValid("t".repeat(255))).isTrue();
    assertThat(Tenancy.isValid("t".repeat(256))).isFalse();
    assertThat(Tenancy.isValid("_a")).isFalse();
    assertThat(Tenancy.isValid("a\u007f")).isFalse();
    assertThat(Tenancy.isValid("a\u001f")).isFalse();
    assertThat(Tenancy.isValid("t\u0000k")).isFalse();
  }

  @Test
  @DisplayName("OBJ-192 an empty id is the default tenant")
  void emptyIsDefault() {
    assertThat(on.resolve("")).isEqualTo("default");
    assertThat(on.resolve("t")).isEqualTo("t");
    assertThat(off.resolve("t")).isEqualTo("default");
    assertThat(off.meansAll("t")).isTrue();
    assertThat(on.meansAll("")).isTrue();
    assertThat(on.meansAll("t")).isFalse();
  }

  @Test
  @DisplayName("reads with an illegal id are refused; with multi-tenancy off nothing is looked at")
  void checks() {
    Request read = new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "k", "_a");
    assertThat(on.check(read)).contains(ErrorCode.INVALID_PARAMS);
    assertThat(off.check(read)).isEmpty();
    assertThat(((Request.GetReplicaList) off.resolved(read)).tenant()).isEqualTo("default");
    Request same = new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "k", "t");
    assertThat(on.resolved(same)).isSameAs(same);
    Request ping = new Request.Ping(MasterFixture.C1);
    assertThat(on.check(ping)).isEmpty();
    assertThat(on.resolved(ping)).isSameAs(ping);
  }
}
