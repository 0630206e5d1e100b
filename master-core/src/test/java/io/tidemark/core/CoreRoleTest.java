package io.tidemark.core;

import static io.tidemark.core.MasterFixture.C1;
import static io.tidemark.core.MasterFixture.KIB;
import static io.tidemark.core.MasterFixture.MIB;
import static io.tidemark.core.MasterFixture.TENANT;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.port.RandomSource;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Reply;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.core.MasterFixture.Pending;
import io.tidemark.core.metrics.CoreMetric;
import io.tidemark.testkit.log.SimulatedLog;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** COR-05, and what many threads at once may expect of the single writer. */
class CoreRoleTest {
  private static final int THREADS = 16;
  private static final long PATIENCE_S = 60;

  /** Runs one task per thread, all at once. */
  private static void together(int threads, IntConsumer task) throws InterruptedException {
    CountDownLatch go = new CountDownLatch(1);
    List<Throwable> failures = java.util.Collections.synchronizedList(new ArrayList<>());
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread worker =
          new Thread(
              () -> {
                try {
                  go.await();
                  task.accept(number);
                } catch (Throwable failed) {
                  failures.add(failed);
                }
              });
      workers.add(worker);
      worker.start();
    }
    go.countDown();
    for (Thread worker : workers) {
      worker.join(TimeUnit.SECONDS.toMillis(PATIENCE_S));
      assertThat(worker.isAlive()).as("a thread hangs").isFalse();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  @DisplayName(
      "COR-05 whoever lets go of the core role looks at the inbox again: no command is stranded")
  void nothingIsStranded() throws InterruptedException {
    MasterFixture m = MasterFixture.base();
    int rounds = 20_000;
    int threads = 4;
    CountDownLatch answered = new CountDownLatch(rounds * threads);
    together(
        threads,
        number -> {
          Uuid client = new Uuid(50, number);
          for (int i = 0; i < rounds; i++) {
            m.master()
                .submit(new Request.Ping(client), new Origin(1), reply -> answered.countDown());
          }
        });
    assertThat(answered.await(PATIENCE_S, TimeUnit.SECONDS))
        .as("%d commands are stranded in the inbox", answered.getCount())
        .isTrue();
  }

  @Test
  @DisplayName("COR-05 a lone command between others is answered without a further one")
  void lastCommandIsAnswered() throws InterruptedException {
    MasterFixture m = MasterFixture.base();
    for (int round = 0; round < 500; round++) {
      CountDownLatch answered = new CountDownLatch(2);
      together(
          2,
          number ->
              m.master()
                  .submit(new Request.Ping(C1), new Origin(1), reply -> answered.countDown()));
      assertThat(answered.await(PATIENCE_S, TimeUnit.SECONDS)).as("round %d", round).isTrue();
    }
  }

  @Test
  @DisplayName("OBJ-018 of 16 writers of one absent key exactly one starts")
  void oneOfSixteen() throws InterruptedException {
    MasterFixture m = MasterFixture.base();
    for (int round = 0; round < 20; round++) {
      String key = "key-" + round;
      AtomicInteger started = new AtomicInteger();
      AtomicInteger existed = new AtomicInteger();
      CountDownLatch answered = new CountDownLatch(THREADS);
      together(
          THREADS,
          number -> {
            Request.WriteStart start =
                new Request.WriteStart(
                    Rpc.PUT_START, new Uuid(60, number), key, KIB, ReplicateConfig.DEFAULT, TENANT);
            m.master()
                .submit(
                    start,
                    new Origin(number + 1),
                    reply -> {
                      int code = ((Reply.One) reply).result().code();
                      (code == 0 ? started : existed).addAndGet(code == 0 ? 1 : code);
                      answered.countDown();
                    });
          });
      assertThat(answered.await(PATIENCE_S, TimeUnit.SECONDS)).isTrue();
      assertThat(started.get()).isEqualTo(1);
      assertThat(existed.get()).isEqualTo(15 * Codes.EXISTS);
      assertThat(m.view().objectCount()).isEqualTo(round + 1);
    }
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName("SEG-006 four threads mount and unmount 100 segments each")
  void concurrentMounts() throws InterruptedException {
    MasterFixture m = MasterFixture.withSegments(0);
    AtomicInteger failed = new AtomicInteger();
    together(
        4,
        number -> {
          Uuid client = new Uuid(70, number);
          for (int i = 0; i < 100; i++) {
            String name = "s-" + number + "-" + i;
            var info =
                new io.tidemark.api.rpc.SegmentInfo(
                    new Uuid(number, i), name, 4096L * (i + 1) << 30, MIB, name, "tcp", "");
            ReplySink counts =
                reply -> failed.addAndGet(((Reply.One) reply).result().code() == 0 ? 0 : 1);
            m.master().submit(new Request.MountSegment(info, client), new Origin(1), counts);
            m.master().submit(new Request.UnmountSegment(info.id(), client), new Origin(1), counts);
          }
        });
    assertThat(failed.get()).isZero();
    m.tick();
    assertThat(m.view().segments()).isEmpty();
    m.assertReplayAgrees();
  }

  @Test
  @DisplayName(
      "a command that finds the inbox full is refused and counted; the others are answered")
  void fullInbox() {
    AtomicInteger refused = new AtomicInteger();
    AtomicInteger served = new AtomicInteger();
    Master[] master = new Master[1];
    Runnable flood =
        () -> {
          for (int i = 0; i < 1500; i++) {
            ReplySink counts =
                reply -> (((Reply.One) reply).result().isOk() ? served : refused).incrementAndGet();
            master[0].submit(new Request.Ping(C1), new Origin(1), counts);
          }
        };
    RandomSource whileDeciding =
        bound -> {
          Thread other = new Thread(flood);
          other.start();
          joined(other);
          return 0;
        };
    master[0] = startWith(whileDeciding);
    Pending put = new Pending();
    mountTwo(master[0]);
    Request start =
        new Request.WriteStart(Rpc.PUT_START, C1, "a", KIB, ReplicateConfig.DEFAULT, TENANT);
    master[0].submit(start, new Origin(1), put);
    assertThat(MasterFixture.code(put.reply)).isZero();
    assertThat(refused.get()).isEqualTo(1500 - 1024);
    assertThat(served.get()).isEqualTo(1024);
    assertThat(master[0].view().metrics().get(CoreMetric.INBOX_FULL)).isEqualTo(1500 - 1024);
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException stopped) {
      throw new AssertionError(stopped);
    }
  }

  private static Master startWith(RandomSource random) {
    MasterFixture faults = MasterFixture.withSegments(0);
    SimulatedLog log = new SimulatedLog(SimulatedLog.Mode.PAGE);
    Master.Ports ports = new Master.Ports(log, () -> 0, () -> 0, random, Runnable::run, faults);
    return Master.start(
        TestConfig.defaults(), ports, new Master.TermStart(new Uuid(9, 9), false, false));
  }

  private static void mountTwo(Master master) {
    MasterFixture names = MasterFixture.withSegments(0);
    for (String name : List.of("m1", "m2")) {
      Request mount = new Request.MountSegment(names.segment(name, MIB), C1);
      master.submit(mount, new Origin(1), reply -> assertThat(MasterFixture.code(reply)).isZero());
    }
  }
}
