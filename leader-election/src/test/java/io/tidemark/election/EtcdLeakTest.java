package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.File;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HA-REQ-083: leaderships come and go and nothing of them stays. */
@Tag("process")
class EtcdLeakTest {
  private static final UUID CLUSTER = new UUID(0xC, 1);
  private static final Member A = new Member(new UUID(0xA, 1), new UUID(1, 1));
  private static final Member B = new Member(new UUID(0xA, 2), new UUID(1, 2));

  @TempDir Path folder;

  @Test
  @Timeout(120)
  void fiveHundredChangesOfLeaderLeaveNothing() {
    change(500);
  }

  @Test
  @Tag("long")
  @Timeout(3600)
  void tenThousandChangesOfLeaderLeaveNothing() {
    change(10_000);
  }

  @Test
  @Timeout(60)
  void coordinatorsThatWereClosedLeaveNothing() {
    try (EtcdProcess etcd = EtcdProcess.start(folder)) {
      openAndClose(etcd, 3);
      Usage before = Usage.now(etcd);
      openAndClose(etcd, 25);
      Waiting.until(
          "threads and handles as before: " + before,
          20_000,
          () -> Usage.now(etcd).isWithin(before));
    }
  }

  private static void openAndClose(EtcdProcess etcd, int times) {
    for (int i = 0; i < times; i++) {
      try (EtcdCoordinator coordinator = open(etcd)) {
        coordinator.listen(new Silent());
        value(Waiting.value(coordinator.read()));
      }
    }
  }

  private void change(int times) {
    try (EtcdProcess etcd = EtcdProcess.start(folder);
        EtcdCoordinator a = open(etcd);
        EtcdCoordinator b = open(etcd)) {
      a.listen(new Silent());
      b.listen(new Silent());
      assertThat(Waiting.value(a.createCluster(CLUSTER, A)).isDone()).isTrue();
      lead(a, A, List.of(A, B));
      lead(b, B, List.of(B, A));
      Usage before = Usage.now(etcd);
      long begin = System.nanoTime();
      long epoch = 0;
      for (int i = 0; i < times; i++) {
        epoch = i % 2 == 0 ? lead(a, A, List.of(A, B)) : lead(b, B, List.of(B, A));
      }
      System.out.printf(
          "%d leaderships in %d ms; before %s, after %s%n",
          times, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin), before, Usage.now(etcd));
      assertThat(epoch).isEqualTo(times + 2);
      Waiting.until("usage as before: " + before, 20_000, () -> Usage.now(etcd).isWithin(before));
    }
  }

  private static long lead(EtcdCoordinator by, Member self, List<Member> inSync) {
    Candidate candidate = new Candidate(self, CLUSTER, 0, "10.0.0.1:50052");
    Leadership won = value(Waiting.value(by.campaign(candidate)));
    value(Waiting.value(by.publishView(won, "10.0.0.1:50051", 0)));
    MembershipRecord record = won.membership();
    value(Waiting.value(by.changeInSync(won, record, inSync)));
    assertThat(Waiting.value(by.resign(won)).isDone()).isTrue();
    return won.epoch();
  }

  private static <T> T value(Outcome<T> outcome) {
    assertThat(outcome.isDone()).as(outcome.detail()).isTrue();
    return outcome.value();
  }

  private static EtcdCoordinator open(EtcdProcess etcd) {
    return new EtcdCoordinator(
        EtcdSettings.of(etcd.endpoint(), "c1")
            .with(Duration.ofSeconds(10), 30, EtcdSettings.DEFAULT_FENCE_MARGIN),
        System::nanoTime);
  }

  /** What could leak, in this process and in etcd. */
  private record Usage(int threads, int handles, int leases) {
    static Usage now(EtcdProcess etcd) {
      String[] handles = new File("/proc/self/fd").list();
      long leases = etcd.ctl("lease", "list").lines().count() - 1; // the first line counts them
      return new Usage(
          Thread.getAllStackTraces().size(), handles == null ? 0 : handles.length, (int) leases);
    }

    /** A few more are pools that had not filled yet. */
    boolean isWithin(Usage before) {
      return threads <= before.threads + 8
          && handles <= before.handles + 8
          && leases <= before.leases;
    }
  }

  private static final class Silent implements Coordinator.Listener {
    @Override
    public void changed() {}

    @Override
    public void connection(boolean healthy) {}
  }
}
