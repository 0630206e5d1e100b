package io.tidemark.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.ErrorCode;
import io.tidemark.api.rpc.ReplicaStatus;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.api.rpc.SegmentStatus;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.client.ClientOptions;
import io.tidemark.client.MasterConnection;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was acknowledged outlives the process, and no range is given out twice (COR-05, 09, 11). */
@RealProcesses
class KillMinusNineTest {
  private static final int WRITERS = 16;
  private static final int KILLS = Integer.getInteger("tidemark.kills", 20);
  private static final int LEAST_RUN_MS = 150;
  private static final int MORE_RUN_MS = 600;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final Gate gate = new Gate();
  private final RangeBook ranges = new RangeBook();
  private final List<Writer> writers = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private MasterProcess master;
  private Lender lender;

  @Test
  @Timeout(600)
  void whatWasAcknowledgedIsThereAfterEachOfTwentyKills(Evidence evidence) throws Exception {
    long seed = Long.getLong("tidemark.seed", 20_261_130L);
    System.out.println("kill -9 test: seed " + seed);
    SplittableRandom random = new SplittableRandom(seed);
    Map<String, String> flags = Map.of("default_kv_lease_ttl", "50");
    master = MasterProcess.start(evidence, "master", MasterProgram.TIDEMARK, Host.LOOPBACK, flags);
    Path data = evidence.folder("master-data");
    begin(seed);
    for (int kill = 1; kill <= KILLS; kill++) {
      TimeUnit.MILLISECONDS.sleep(LEAST_RUN_MS + random.nextInt(MORE_RUN_MS));
      gate.close();
      master.kill();
      if (kill % 7 == 0) {
        LogVerify.sound(evidence, "verify-" + kill, data);
      }
      master.start();
      checkAll("after kill " + kill);
      gate.open();
    }
    end();
    checkAll("at the end");
    long acknowledged = writers.stream().mapToLong(Writer::acknowledged).sum();
    System.out.println(
        "kill -9 test: " + acknowledged + " acknowledged, " + ranges.claims() + " ranges given");
    assertThat(acknowledged).isGreaterThan(KILLS * 100L);
    assertThat(master.terminate(STOP_LIMIT)).isZero();
    JsonNode verified = LogVerify.sound(evidence, "verify-end", data);
    assertThat(verified.get("clean_stop").asBoolean()).isTrue();
    assertThat(verified.get("digests_compared").asLong()).isPositive();
  }

  private void begin(long seed) throws Exception {
    lender = new Lender(address(), gate);
    lender.mount();
    lender.mount();
    lender.join();
    threads.add(new Thread(lender, "lender"));
    for (int i = 0; i < WRITERS; i++) {
      Writer writer = new Writer(i, seed, address(), gate, ranges);
      writers.add(writer);
      threads.add(new Thread(writer, "writer-" + i));
    }
    threads.forEach(thread -> thread.setDaemon(true));
    threads.forEach(Thread::start);
  }

  private void end() throws InterruptedException {
    writers.forEach(Writer::stop);
    lender.stop();
    for (Thread thread : threads) {
      thread.join(STOP_LIMIT.toMillis());
      assertThat(thread.isAlive()).isFalse();
    }
    requireNoFailure();
  }

  private void requireNoFailure() {
    assertThat(ranges.violations()).isEmpty();
    for (Writer writer : writers) {
      if (writer.failure() != null) {
        throw new AssertionError("a writer gave up", writer.failure());
      }
    }
    if (lender.failure() != null) {
      throw new AssertionError("the lender gave up", lender.failure());
    }
  }

  private InetSocketAddress address() {
    String[] hostAndPort = master.address().split(":", 2);
    return new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1]));
  }

  /** Asks for everything that anybody was told, while nobody writes. */
  private void checkAll(String when) throws Exception {
    requireNoFailure();
    List<String> wrong = new ArrayList<>();
    try (MasterConnection connection = MasterConnection.open(address(), ClientOptions.DEFAULT)) {
      for (SegmentInfo segment : lender.mounted()) {
        Reply reply = connection.call(new Request.QuerySegmentStatusById(segment.id()));
        if (!reply.equals(Reply.ok(SegmentStatus.OK))) {
          wrong.add(segment.name() + " was mounted and is " + reply);
        }
      }
      for (Writer writer : writers) {
        List<String> keys = writer.keys().stream().map(record -> record.key).toList();
        Reply.Many reply =
            (Reply.Many)
                connection.call(
                    new Request.BatchGetReplicaList(Rpc.BATCH_GET_REPLICA_LIST, keys, "default"));
        for (int i = 0; i < keys.size(); i++) {
          check(writer.keys().get(i), reply.results().get(i), wrong);
        }
      }
    }
    assertThat(wrong).as(when).isEmpty();
  }

  private static void check(KeyRecord key, Result<?> result, List<String> wrong) {
    if (result.isOk()) {
      Reply.ReplicaList list = (Reply.ReplicaList) result.value();
      boolean whole =
          list.replicas().size() == 1
              && list.replicas().get(0).status() == ReplicaStatus.COMPLETE.code();
      boolean expected =
          key.isUnsure()
              || key.state() == KeyRecord.State.STORED
                  && key.range()
                      .filter(RangeBook.Range.of(list.replicas().get(0))::equals)
                      .isPresent();
      if (!whole || !expected) {
        wrong.add(key + " is " + list);
      }
      return;
    }
    boolean expected =
        switch (key.state()) {
          case ABSENT -> result.code() == ErrorCode.OBJECT_NOT_FOUND.value();
          case OPEN -> result.code() == ErrorCode.REPLICA_IS_NOT_READY.value();
          case STORED -> false;
        };
    if (!expected && !key.isUnsure()) {
      wrong.add(key + " is " + ErrorCode.nameOf(result.code()));
    }
  }
}
