package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.value;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaDescriptor;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.core.segment.AllocationStrategy;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenario OBJ-186 through the calls, and the same-node chaining of batches. */
class LocalFirstTest {

  private static MasterFixture hosts(AllocationStrategy strategy, int... hosts) {
    TestConfig config = new TestConfig();
    config.allocationStrategy = strategy;
    MasterFixture m = MasterFixture.with(config.build(), 0);
    for (int host : hosts) {
      long base = (host + 1) * 64 * MIB;
      SegmentInfo info =
          new SegmentInfo(
              new Uuid(8, host), "on" + host, base, 16 * MIB, "on" + host, "tcp", "host" + host);
      assertThat(m.mount(C1, info)).isZero();
    }
    return m;
  }

  private static String placed(MasterFixture m, Ask ask) {
    List<ReplicaDescriptor> replicas = value(m.putStart(C2, "a", KIB, ask.build()));
    return Calls.endpoints(replicas).get(0);
  }

  private static Ask fromHost1() {
    return Ask.forReplicas(1).host("host1");
  }

  private static void fill(MasterFixture m, String segment) {
    ReplicateConfig there = Ask.forReplicas(1).preferred(segment).host("host9").build();
    assertThat(Calls.endpoints(value(m.putStart(C1, "filler", 16 * MIB, there))))
        .containsExactly(segment);
  }

  @Test
  @DisplayName("OBJ-186 the writer's own host comes first, then the next ones")
  void ownHost() {
    assertThat(placed(hosts(AllocationStrategy.LOCAL_FIRST, 0, 1), fromHost1())).isEqualTo("on1");
    assertThat(placed(hosts(AllocationStrategy.LOCAL_FIRST, 0, 2), fromHost1())).isEqualTo("on2");
    MasterFixture full = hosts(AllocationStrategy.LOCAL_FIRST, 1, 2);
    fill(full, "on1");
    assertThat(placed(full, fromHost1())).isEqualTo("on2");
  }

  @Test
  @DisplayName("OBJ-186 explicit preferences come before the host")
  void preferredFirst() {
    MasterFixture m = hosts(AllocationStrategy.LOCAL_FIRST, 0, 1);
    assertThat(placed(m, fromHost1().preferred("on0"))).isEqualTo("on0");
    MasterFixture full = hosts(AllocationStrategy.LOCAL_FIRST, 0, 1);
    fill(full, "on0");
    assertThat(placed(full, fromHost1().preferred("on0"))).isEqualTo("on1");
  }

  @Test
  @DisplayName("OBJ-186 with another strategy the flag for the same node does it")
  void sameNodeFlag() {
    for (int i = 0; i < 10; i++) {
      MasterFixture m = hosts(AllocationStrategy.RANDOM, 0, 1, 2);
      assertThat(placed(m, fromHost1().sameNode())).isEqualTo("on1");
    }
  }

  @Test
  @DisplayName("the host of a client is remembered from its mount and its writes")
  void hostIsRemembered() {
    MasterFixture m = hosts(AllocationStrategy.LOCAL_FIRST, 0, 1, 2);
    assertThat(m.state().segments().client(C1).hostId()).isEqualTo("host2");
    List<ReplicaDescriptor> first = value(m.putStart(C1, "a", KIB));
    assertThat(Calls.endpoints(first)).containsExactly("on2");
    m.putStart(C1, "b", KIB, Ask.forReplicas(1).host("host1").build());
    List<ReplicaDescriptor> second = value(m.putStart(C1, "c", KIB));
    assertThat(Calls.endpoints(second)).containsExactly("on1");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("a batch for one node stays on the node of its first success")
  void batchChains() {
    MasterFixture m = MasterFixture.withSegments(5);
    ReplicateConfig sameNode = Ask.forReplicas(1).sameNode().build();
    List<String> keys = List.of("", "a", "b", "c", "d", "e");
    Reply reply = m.call(Calls.batchStart(Rpc.BATCH_PUT_START, C1, keys, sameNode));
    assertThat(MasterFixture.codes(reply)).startsWith(Codes.INVALID_PARAMS, Codes.OK);
    List<String> endpoints =
        ((Reply.Many) reply)
            .results().stream()
                .skip(1)
                .map(r -> Calls.endpoints(replicasOf(r.value())).get(0))
                .toList();
    assertThat(endpoints).hasSize(5).containsOnly(endpoints.get(0));
  }

  @SuppressWarnings("unchecked")
  private static List<ReplicaDescriptor> replicasOf(Object value) {
    return (List<ReplicaDescriptor>) value;
  }
}
