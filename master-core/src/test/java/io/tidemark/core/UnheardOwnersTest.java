package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.C2;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicaDescriptor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** After a start, owners that have not come back yet (COR-23, HA-REQ-046). */
class UnheardOwnersTest {
  private static final int LARGE = 16;
  private static final int SMALL = 4;

  private final TestConfig config = new TestConfig();
  private MasterFixture m;

  /** C1 lends 16 MiB, of which 14 are in use; C2 lends 4 MiB, of which 1 is. */
  @BeforeEach
  void twoOwners() {
    config.highWatermarkRatio = 1.0;
    config.clientActiveTtlMs = 10_000;
    m = MasterFixture.with(config.build(), 0);
    m.remount(C1, m.segment("m1", LARGE * MIB));
    m.remount(C2, m.segment("m2", SMALL * MIB));
    for (int i = 0; i < 14; i++) {
      m.put("large" + i, MIB, Ask.forReplicas(1).preferred("m1").build());
    }
    m.put("small", MIB, Ask.forReplicas(1).preferred("m2").build());
  }

  private void restartWithWatermark(double ratio) {
    config.highWatermarkRatio = ratio;
    m.stopAndRestart(before -> config.build());
  }

  private void live(long seconds) {
    for (int s = 0; s < seconds; s++) {
      m.ping(C2);
      m.advance(1000);
    }
  }

  @Test
  @DisplayName("what an owner holds that has not come back is no reason to evict from the others")
  void watermark() {
    restartWithWatermark(0.6);
    m.remount(C2, m.segment("m2", SMALL * MIB));
    live(60);
    assertThat(m.peek("small")).isZero();
    for (int i = 0; i < 14; i++) {
      assertThat(m.peek("large" + i)).isZero();
    }

    m.remount(C1, m.segment("m1", LARGE * MIB));
    m.ping(C1);
    live(2);
    assertThat(Calls.listed(m)).as("15 of 20 MiB are too many once it is back").hasSizeLessThan(15);
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "new objects go to owners that have come back, to the others only if there is no room")
  void placement() {
    restartWithWatermark(1.0);
    m.remount(C2, m.segment("m2", SMALL * MIB));
    for (int i = 0; i < 3; i++) {
      assertThat(segmentOf("new" + i)).isEqualTo("m2");
    }
    assertThat(segmentOf("more")).as("m2 is full").isEqualTo("m1");
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("before anybody has come back all memory is used as ever")
  void nobody() {
    restartWithWatermark(1.0);
    assertThat(code(m.putStart(C1, "new", MIB))).isZero();
  }

  private String segmentOf(String key) {
    ReplicaDescriptor placed = m.put(key, MIB, Ask.forReplicas(1).build()).get(0);
    return MasterFixture.memory(placed).transportEndpoint().equals(m.segment("m1", 1).teEndpoint())
        ? "m1"
        : "m2";
  }
}
