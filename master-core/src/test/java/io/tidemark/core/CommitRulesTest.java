package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.MasterFixture.Pending;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.core.table.ScopedKey;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** COR-01 and COR-02: nothing uncommitted is told, neither presence nor absence nor refusal. */
class CommitRulesTest {
  private MasterFixture m;

  @BeforeEach
  void oneSegmentOnDisk() {
    m = MasterFixture.onDisk(TestConfig.defaults());
    m.send(new Request.MountSegment(m.segment("m1", 16 * MIB), C1));
    m.log().force();
  }

  private static Request.WriteStart start(String key) {
    return new Request.WriteStart(Rpc.PUT_START, C1, key, KIB, ReplicateConfig.DEFAULT, TENANT);
  }

  private static Request.WriteEnd end(String key) {
    OptionalLong none = OptionalLong.empty();
    return new Request.WriteEnd(Rpc.PUT_END, C1, key, none, ReplicaType.MEMORY, TENANT);
  }

  private static Request.GetReplicaList read(String key) {
    return new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, key, TENANT);
  }

  private void putCommitted(String key) {
    m.send(start(key));
    m.send(end(key));
    m.log().force();
  }

  private void assertAnsweredByForce(Pending pending, int code) {
    assertThat(pending.reply).as("answer before the commit").isNull();
    m.log().force();
    assertThat(code(pending.reply)).isEqualTo(code);
  }

  // ---- COR-01

  @Test
  @DisplayName("COR-01 a success leaves only after its commit")
  void successWaits() {
    assertAnsweredByForce(m.send(start("a")), Codes.OK);
    assertAnsweredByForce(m.send(end("a")), Codes.OK);
    assertAnsweredByForce(m.send(new Request.Remove("a", false, TENANT)), Codes.OK);
  }

  @Test
  @DisplayName("COR-01 a refusal waits for what it was decided on")
  void refusalWaits() {
    m.send(start("a"));
    Request.WriteStart other =
        new Request.WriteStart(Rpc.PUT_START, C2, "a", KIB, ReplicateConfig.DEFAULT, TENANT);
    assertAnsweredByForce(m.send(other), Codes.EXISTS);
  }

  @Test
  @DisplayName("COR-01 a refusal waits also for commands it has nothing to do with")
  void refusalWaitsForAll() {
    m.send(start("a"));
    assertAnsweredByForce(m.send(new Request.Remove("b", false, TENANT)), Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("COR-01 the idempotent success of a repeated unmount waits for the first one")
  void repeatedUnmountWaits() {
    Request.UnmountSegment unmount = new Request.UnmountSegment(m.segment("m1", 0).id(), C1);
    m.send(unmount);
    m.tick();
    assertAnsweredByForce(m.send(unmount), Codes.OK);
  }

  @Test
  @DisplayName("COR-01 the success of a repeated end without events waits")
  void repeatedEndWaits() {
    m.send(start("a"));
    m.log().force();
    m.send(end("a"));
    long index = m.log().end().index();
    Pending again = m.send(end("a"));
    assertThat(m.log().end().index()).as("entries of the repeated end").isEqualTo(index);
    assertAnsweredByForce(again, Codes.OK);
  }

  @Test
  @DisplayName("COR-01 pings, segment queries and counts wait as well")
  void everythingElseWaits() {
    m.send(start("a"));
    Pending ping = m.send(new Request.Ping(C1));
    Pending status = m.send(new Request.QuerySegmentStatus("m1"));
    Pending byId = m.send(new Request.QuerySegmentStatusById(m.segment("m1", 0).id()));
    Pending all = m.send(new Request.RemoveAll(true, ""));
    Pending regex = m.send(new Request.RemoveByRegex("x", true, TENANT));
    Pending batch = m.send(Calls.batchRemove(true, "x", "y"));
    List<Pending> pending = List.of(ping, status, byId, all, regex, batch);
    pending.forEach(p -> assertThat(p.reply).isNull());
    m.log().force();
    pending.forEach(p -> assertThat(p.reply).isNotNull());
    assertThat(all.reply).isEqualTo(new Reply.Bare(0L));
  }

  @Test
  @DisplayName("COR-01 with nothing in flight a refusal leaves at once")
  void nothingToWaitFor() {
    assertThat(code(m.call(new Request.Remove("b", false, TENANT)))).isEqualTo(Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("COR-01 after a restart no answer was given that the log does not hold")
  void unansweredIsLost() {
    Pending start = m.send(start("a"));
    assertThat(start.reply).isNull();
    m.crashAndRestart();
    assertThat(start.reply).isNull();
  }

  // ---- COR-02

  @Test
  @DisplayName("COR-02 an uncommitted object is not shown, and not called absent")
  void presenceWaits() {
    m.send(start("a"));
    m.log().force();
    m.send(end("a"));
    Pending get = m.send(read("a"));
    Pending exists = m.send(new Request.ExistKey(Rpc.EXIST_KEY, "a", TENANT));
    assertThat(get.reply).isNull();
    assertThat(exists.reply).isNull();
    m.log().force();
    assertThat(code(get.reply)).isZero();
    assertThat(MasterFixture.<Boolean>value(exists.reply)).isTrue();
    assertThat(m.metric(CoreMetric.READS_PARKED)).isEqualTo(2);
  }

  @Test
  @DisplayName("COR-02 a removed key is not called absent before the removal is committed")
  void absenceWaits() {
    putCommitted("a");
    m.send(new Request.Remove("a", false, TENANT));
    Pending batch = m.send(Calls.batchGet("a", "b"));
    assertAnsweredByForce(m.send(read("a")), Codes.NOT_FOUND);
    assertThat(MasterFixture.codes(batch.reply)).containsExactly(Codes.NOT_FOUND, Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("COR-02 a revoked write is not called absent before the revoke is committed")
  void revokeWaits() {
    m.send(start("a"));
    m.log().force();
    m.send(new Request.WriteRevoke(Rpc.PUT_REVOKE, C1, "a", ReplicaType.MEMORY, TENANT));
    assertAnsweredByForce(m.send(read("a")), Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("COR-02 an unmount hides replicas from readers only once it is committed")
  void unmountWaits() {
    putCommitted("a");
    m.send(new Request.UnmountSegment(m.segment("m1", 0).id(), C1));
    assertAnsweredByForce(m.send(read("a")), Codes.NOT_FOUND);
  }

  @Test
  @DisplayName("COR-02 a key in a stripe without changes is answered at once")
  void untouchedKeysAreAnswered() {
    putCommitted("a");
    String other = keyInAnotherStripe("a");
    m.send(start(other));
    assertThat(code(m.call(read("a")))).isZero();
  }

  private String keyInAnotherStripe(String key) {
    var objects = m.state().objects();
    for (int i = 0; ; i++) {
      String other = "other-" + i;
      if (objects.stripeOf(ScopedKey.of(TENANT, other))
          != objects.stripeOf(ScopedKey.of(TENANT, key))) {
        return other;
      }
    }
  }

  @Test
  @DisplayName("COR-02 a scan waits for the newest entry of its view")
  void scanWaits() {
    putCommitted("a");
    m.send(new Request.Remove("a", false, TENANT));
    Pending scan = m.send(new Request.GetReplicaListByRegex(".*", TENANT));
    assertThat(scan.reply).isNull();
    m.log().force();
    assertThat(MasterFixture.<List<?>>value(scan.reply)).isEmpty();
  }

  @Test
  @DisplayName("COR-04 a read that waits too long is told that the master can't say")
  void parkedReadTimesOut() {
    putCommitted("a");
    m.send(new Request.Remove("a", false, TENANT));
    Pending get = m.send(read("a"));
    m.advanceSilently(5001).tick();
    assertThat(code(get.reply)).isEqualTo(Codes.UNAVAILABLE);
  }

  @Test
  @DisplayName("reads beyond the bound are refused and counted")
  void parkedReadsAreBounded() {
    putCommitted("a");
    m.send(new Request.Remove("a", false, TENANT));
    for (int i = 0; i < 1024; i++) {
      assertThat(m.send(read("a")).reply).isNull();
    }
    assertThat(code(m.call(read("a")))).isEqualTo(Codes.UNAVAILABLE);
    assertThat(m.metric(CoreMetric.READS_PARK_REFUSED)).isEqualTo(1);
  }
}
