package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.code;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.core.metrics.CoreMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Scenarios OBJ-147 and SEG-075, and when an eviction runs. */
class EvictionTriggerTest {
  private static final int HOUR_MS = 3_600_000;

  private static MasterFixture evicting(double ratio) {
    TestConfig config = new TestConfig();
    config.evictionRatio = ratio;
    config.highWatermarkRatio = 1.0;
    config.leaseTtlMs = HOUR_MS;
    return MasterFixture.with(config.build(), 1);
  }

  private static void putMany(MasterFixture m, int from, int to, ReplicateConfig config) {
    for (int i = from; i < to; i++) {
      m.advanceSilently(1);
      m.put("#" + i, KIB, config);
    }
  }

  /** One run of the eviction. */
  private static void evict(MasterFixture m) {
    assertThat(code(m.putStart(C1, "too large", 17 * MIB))).isEqualTo(Codes.NO_MEMORY);
    m.tick();
  }

  @Test
  @DisplayName("OBJ-147 memory full of abandoned writes comes back although nothing is evictable")
  void neverWedged() {
    TestConfig config = new TestConfig();
    config.discardTimeoutMs = 1000;
    config.releaseTimeoutMs = 2000;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    for (int i = 0; i < 16; i++) {
      m.putStart(C1, "w" + i, MIB);
    }
    for (int s = 0; s < 125; s++) {
      m.putStart(C1, "b", MIB);
      m.advance(1000);
    }
    assertThat(code(m.putStart(C1, "c", MIB))).isZero();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("the watermark is passed only above it; then the least recently leased object goes")
  void watermarkIsStrict() {
    MasterFixture m = MasterFixture.withSegments(0);
    m.mount(C1, "m1", 20 * MIB);
    for (int i = 0; i < 18; i++) {
      m.advanceSilently(1);
      m.put("#" + i, MIB, ReplicateConfig.DEFAULT);
    }
    m.advance(1000);
    assertThat(Calls.listed(m)).as("exactly 0.9").hasSize(18);
    m.put("one byte more", 1, ReplicateConfig.DEFAULT);
    m.tick();
    assertThat(Calls.listed(m)).hasSize(18).doesNotContain("#0");
  }

  @Test
  @DisplayName("reads renew: what was read last goes last")
  void leastRecentlyRead() {
    TestConfig config = new TestConfig();
    config.evictionRatio = 0.5;
    config.highWatermarkRatio = 1.0;
    config.leaseTtlMs = 10;
    MasterFixture m = MasterFixture.with(config.build(), 1);
    putMany(m, 0, 4, ReplicateConfig.DEFAULT);
    m.advanceSilently(10);
    m.get("#0");
    m.advanceSilently(1);
    m.exists("#2");
    m.advanceSilently(11);
    evict(m);
    assertThat(Calls.listed(m)).isEqualTo(Set.of("#0", "#2"));
  }

  @Test
  @DisplayName(
      "with nothing evictable the attempts back off, and the first object to qualify goes soon")
  void backOff() {
    MasterFixture m = evicting(0.05);
    m.put("leased");
    m.get("leased");
    evict(m);
    for (int i = 0; i < 200; i++) {
      m.advance(10);
    }
    long attempts = m.metric(CoreMetric.ATTEMPTED_EVICTIONS);
    assertThat(attempts).isBetween(2L, 12L);
    List<String> young = new ArrayList<>(List.of("young"));
    young.forEach(m::put);
    m.advance(1010);
    assertThat(m.peek("young")).isEqualTo(Codes.NOT_FOUND);
    assertThat(m.peek("leased")).isZero();
  }

  @Test
  @DisplayName("SEG-075 a hard-pinned object survives 20 fillers; only a removal takes it")
  void hardPinnedSurvives() {
    MasterFixture m = MasterFixture.base();
    m.put("hard", MIB, Ask.forReplicas(1).hardPin().build());
    for (int i = 0; i < 20; i++) {
      while (code(m.putStart(C1, "f" + i, MIB)) != 0) {
        m.advance(10);
      }
      m.putEnd(C1, "f" + i);
      m.advance(10);
    }
    assertThat(m.peek("hard")).isZero();
    assertThat(m.remove("hard", true)).isZero();
    m.assertReplayAgrees();
  }
}
