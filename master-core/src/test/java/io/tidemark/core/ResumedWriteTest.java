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
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.metrics.CoreMetric;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** COR-11: a writer whose answer was lost with the term or the connection gets it again. */
class ResumedWriteTest {

  static Stream<Named<Consumer<MasterFixture>>> losses() {
    return Stream.of(
        Named.of("a restart", MasterFixture::crashAndRestart),
        Named.of("a closed connection", MasterFixture::closeConnection));
  }

  @ParameterizedTest(name = "COR-11 after {0} the same put gets the same descriptors")
  @MethodSource("losses")
  void sameShape(Consumer<MasterFixture> loss) {
    MasterFixture m = MasterFixture.withSegments(3);
    List<ReplicaDescriptor> first = value(m.putStart(C1, "a", KIB, replicas(2)));
    loss.accept(m);
    assertThat(MasterFixture.<List<ReplicaDescriptor>>value(m.putStart(C1, "a", KIB, replicas(2))))
        .isEqualTo(first);
    assertThat(m.putEnd(C1, "a")).isZero();
    assertThat(m.readable("a")).hasSize(2);
    assertThat(m.metric(CoreMetric.WRITES_RESUMED)).isEqualTo(1);
    m.assertReplayAgrees();
  }

  @ParameterizedTest(name = "COR-11 after {0} the same upsert gets the same descriptors")
  @MethodSource("losses")
  void sameUpsert(Consumer<MasterFixture> loss) {
    MasterFixture m = MasterFixture.base();
    List<ReplicaDescriptor> put = value(m.upsertStart(C1, "a", KIB));
    loss.accept(m);
    assertThat(MasterFixture.<List<ReplicaDescriptor>>value(m.upsertStart(C1, "a", KIB)))
        .isEqualTo(put);
    assertThat(m.upsertEnd(C1, "a")).isZero();
    loss.accept(m);
    m.advance(20_000);
    List<ReplicaDescriptor> inPlace = value(m.upsertStart(C1, "a", KIB));
    assertThat(Calls.address(inPlace)).isEqualTo(Calls.address(put));
    loss.accept(m);
    assertThat(MasterFixture.<List<ReplicaDescriptor>>value(m.upsertStart(C1, "a", KIB)))
        .isEqualTo(inPlace);
    m.assertReplayAgrees();
  }

  @ParameterizedTest(name = "COR-11 after {0} a put of another shape gets other ranges")
  @MethodSource("losses")
  void otherShape(Consumer<MasterFixture> loss) {
    MasterFixture m = MasterFixture.withSegments(3);
    List<ReplicaDescriptor> first = value(m.putStart(C1, "a", KIB));
    loss.accept(m);
    List<ReplicaDescriptor> longer = value(m.putStart(C1, "a", 2 * KIB));
    assertThat(MasterFixture.memory(longer.get(0)).sizeBytes()).isEqualTo(2 * KIB);
    assertThat(longer.get(0).id()).isNotEqualTo(first.get(0).id());
    assertThat(m.state().discards().size()).isEqualTo(1);
    loss.accept(m);
    List<ReplicaDescriptor> more = value(m.putStart(C1, "a", 2 * KIB, replicas(2)));
    assertThat(more).hasSize(2).doesNotContainAnyElementsOf(longer);
    assertThat(m.state().discards().size()).isEqualTo(2);
    assertThat(m.putEnd(C1, "a")).isZero();
    m.assertReplayAgrees();
  }

  @ParameterizedTest(name = "COR-11 after {0} another client gets the usual answer")
  @MethodSource("losses")
  void otherClient(Consumer<MasterFixture> loss) {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    loss.accept(m);
    assertThat(code(m.putStart(C2, "a", KIB))).isEqualTo(Codes.EXISTS);
    m.advanceSilently(30_000);
    assertThat(code(m.putStart(C2, "a", KIB))).as("at the timeout").isEqualTo(Codes.EXISTS);
    m.advanceSilently(1);
    assertThat(code(m.putStart(C2, "a", KIB))).as("after the timeout").isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "COR-11 a restart does not make the other client wait longer than the logged timeout")
  void timeoutCountsFromTheFirstStart() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    m.advance(20_000).crashAndRestart().advance(10_100);
    assertThat(code(m.putStart(C2, "a", KIB))).isZero();
  }

  @Test
  @DisplayName(
      "COR-11 on the same connection of the same term a second start finds the object there")
  void connectionAlive() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    assertThat(code(m.putStart(C1, "a", KIB))).isEqualTo(Codes.EXISTS);
    m.master().connectionClosed(999);
    assertThat(code(m.putStart(C1, "a", KIB))).isEqualTo(Codes.EXISTS);
  }

  @Test
  @DisplayName("COR-11 a resumed write has a fresh start time and belongs to the new connection")
  void freshStartTime() {
    TestConfig config = new TestConfig();
    config.discardTimeoutMs = 3000;
    config.releaseTimeoutMs = 5000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    m.putStart(C1, "a", KIB);
    m.advance(4000).closeConnection();
    assertThat(code(m.putStart(C1, "a", KIB))).isZero();
    m.advance(2000);
    assertThat(code(m.putStart(C2, "a", KIB))).as("not abandoned").isEqualTo(Codes.EXISTS);
    assertThat(code(m.putStart(C1, "a", KIB))).as("its connection lives").isEqualTo(Codes.EXISTS);
    assertThat(m.putEnd(C1, "a")).as("not expired").isZero();
  }

  @Test
  @DisplayName("COR-11 batches resume key by key")
  void batch() {
    MasterFixture m = MasterFixture.base();
    List<String> keys = List.of("a", "b", "c");
    Reply first = m.call(Calls.batchStart(Rpc.BATCH_PUT_START, C1, keys, ReplicateConfig.DEFAULT));
    m.putEnd(C1, "b");
    m.closeConnection();
    Reply again = m.call(Calls.batchStart(Rpc.BATCH_PUT_START, C1, keys, ReplicateConfig.DEFAULT));
    assertThat(MasterFixture.codes(again)).containsExactly(Codes.OK, Codes.EXISTS, Codes.OK);
    assertThat(((Reply.Many) again).results().get(0))
        .isEqualTo(((Reply.Many) first).results().get(0));
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-11 with its memory gone a write starts anew elsewhere")
  void memoryGone() {
    MasterFixture m = MasterFixture.withSegments(2);
    m.putStart(C1, "a", KIB, Ask.forReplicas(1).preferred("m1").build());
    m.unmount(C1, "m1");
    m.crashAndRestart();
    List<ReplicaDescriptor> again = value(m.putStart(C1, "a", KIB));
    assertThat(Calls.endpoints(again)).containsExactly("m2");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("COR-11 without room for another shape the old write stays as it was")
  void noRoom() {
    MasterFixture m = MasterFixture.base();
    m.putStart(C1, "a", KIB);
    m.closeConnection();
    assertThat(code(m.putStart(C1, "a", 17 * MIB))).isEqualTo(Codes.NO_MEMORY);
    assertThat(m.putEnd(C1, "a")).isZero();
    m.assertReplayAgrees();
  }
}
