package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.MasterFixture.Pending;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * COR-06: a reader that gets its lease between the census of an eviction and the eviction itself
 * keeps its object. The reader comes in whenever the master looks at its clock.
 */
class ReadDuringEvictionTest {
  private static final int LOOKS = 8;

  private final List<Reply> reads = new ArrayList<>();
  private Master master;
  private int looksUntilRead;

  @Test
  @DisplayName(
      "COR-06 an object that is read at any instant of an eviction stays where the reader was told")
  void readAtAnyInstant() {
    int leased = 0;
    for (int look = 1; look <= LOOKS; look++) {
      reads.clear();
      looksUntilRead = 0;
      fill();
      looksUntilRead = look;
      master.tick();
      looksUntilRead = 0;
      assertThat(reads).as("read at look %d", look).hasSizeLessThanOrEqualTo(1);
      boolean granted = !reads.isEmpty() && MasterFixture.code(reads.get(0)) == 0;
      if (granted) {
        leased++;
        Reply now = call(new Request.GetReplicaList(Rpc.GET_REPLICA_LIST_FOR_ADMIN, "k0", TENANT));
        assertThat(now).as("after the read at look %d", look).isEqualTo(reads.get(0));
      }
      Invariants.check(master.state());
    }
    assertThat(leased).as("reads that came before the eviction").isGreaterThan(1);
  }

  /** Memory above the watermark, everything evictable. */
  private void fill() {
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.PAGE);
    MasterFixture names = MasterFixture.withSegments(0);
    Master.Ports ports =
        new Master.Ports(log, this::nanos, () -> 0, bound -> 0, Runnable::run, names);
    TestConfig config = new TestConfig();
    config.evictionRatio = 1.0;
    config.highWatermarkRatio = 0.1;
    master =
        Master.start(config.build(), ports, new Master.TermStart(new Uuid(9, 9), false, false));
    call(new Request.MountSegment(names.segment("m1", MIB), C1));
    List<String> keys = List.of("k0", "k1", "k2");
    long[] lengths = new long[keys.size()];
    Arrays.fill(lengths, 64 * KIB);
    call(
        new Request.BatchWriteStart(
            Rpc.BATCH_PUT_START, C1, keys, lengths, ReplicateConfig.DEFAULT, TENANT));
    for (String key : keys) {
      call(new Request.WriteEnd(Rpc.PUT_END, C1, key, OptionalLong.empty(), 0, TENANT));
    }
  }

  private long nanos() {
    if (looksUntilRead > 0 && --looksUntilRead == 0) {
      Pending read = new Pending();
      Request get = new Request.GetReplicaList(Rpc.GET_REPLICA_LIST, "k0", TENANT);
      master.submit(get, new Origin(1), read);
      if (read.reply != null) {
        reads.add(read.reply);
      }
    }
    return 0;
  }

  private Reply call(Request request) {
    Pending pending = new Pending();
    master.submit(request, new Origin(1), pending);
    assertThat(pending.reply).isNotNull();
    return pending.reply;
  }
}
