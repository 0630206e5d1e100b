package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.etcd.jetcd.Client;
import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.api.ha.MembershipRecord;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What a leadership and a watch do when etcd itself has trouble. */
@Tag("process")
@Timeout(120)
class EtcdOutageTest {
  private static final UUID CLUSTER = new UUID(0xC, 1);
  private static final Member A = new Member(new UUID(0xA, 1), new UUID(1, 1));

  @TempDir Path folder;

  /** HA-REQ-070: with the default TTL of 5 s a change of etcd's leader is not noticed. */
  @Test
  void theLeaseSurvivesTheDeathOfEtcdsLeader() {
    List<EtcdProcess> members = EtcdProcess.startThree(folder);
    try (EtcdCoordinator coordinator = open(members)) {
      Leadership won = lead(coordinator);
      assertThat(coordinator.grantedTtlSeconds()).isEqualTo(5);
      EtcdProcess leader = members.stream().filter(EtcdProcess::leads).findFirst().orElseThrow();
      leader.kill();
      surviveAPeriod(coordinator, won, "killed");
      leader.startAgain();
      // C014: the connection stays open, and nothing comes back over it.
      EtcdProcess next = members.stream().filter(EtcdProcess::leads).findFirst().orElseThrow();
      next.suspend(true);
      try {
        surviveAPeriod(coordinator, won, "suspended");
      } finally {
        next.suspend(false);
      }
    } finally {
      members.forEach(EtcdProcess::close);
    }
  }

  /** Watches the fence until it is later than any renewal before the trouble could bring it. */
  private static void surviveAPeriod(EtcdCoordinator coordinator, Leadership won, String how) {
    long begin = System.nanoTime();
    long target = begin + TimeUnit.SECONDS.toNanos(7);
    long least = Long.MAX_VALUE;
    while (coordinator.fencedAtNanos(won) < target) {
      long left = coordinator.fencedAtNanos(won) - System.nanoTime();
      least = Math.min(least, left);
      assertThat(left).as("time to the fence after etcd's leader was " + how).isPositive();
      Waiting.pause();
    }
    System.out.printf(
        "etcd's leader %s: at least %d ms to the fence, renewals failed so far: %d%n",
        how, TimeUnit.NANOSECONDS.toMillis(least), coordinator.figures().failedRenewals());
    AtomicReference<Outcome<ClusterView>> read = new AtomicReference<>();
    Waiting.until(
        "a look at the store",
        10_000,
        () -> {
          read.set(Waiting.value(coordinator.read()));
          return read.get().isDone();
        });
    assertThat(read.get().value().leader().orElseThrow().createRevision())
        .isEqualTo(won.leaderCreateRevision());
  }

  /** HA-REQ-075. */
  @Test
  void aWatchGoesOnBehindRestartsAndCompaction() {
    try (EtcdProcess etcd = EtcdProcess.start(folder);
        EtcdCoordinator coordinator = patient(etcd);
        EtcdCoordinator other = patient(etcd)) {
      AtomicInteger told = new AtomicInteger();
      other.listen(counting(told));
      Leadership won = lead(coordinator);
      Waiting.until("the win is told", 5_000, () -> told.get() > 0);
      long threads = 0;
      for (int round = 0; round < 3; round++) {
        long restarts = other.figures().watchRestarts();
        etcd.kill();
        etcd.startAgain();
        etcd.ctl("put", "unrelated", "x");
        etcd.ctl("compaction", "--physical", Integer.toString(revision(other)));
        Waiting.until("begun again", 10_000, () -> other.figures().watchRestarts() > restarts);
        Waiting.until("connected", 10_000, () -> Waiting.value(coordinator.read()).isDone());
        told.set(0);
        change(coordinator, won);
        Waiting.until("the change is told", 10_000, () -> told.get() > 0);
        threads = round == 0 ? etcdThreads() : threads;
      }
      assertThat(etcdThreads()).isLessThanOrEqualTo(threads + 4);
      assertThat(other.figures().watchRestarts()).isGreaterThanOrEqualTo(3);
    }
  }

  /** HA-REQ-073, without etcd's leader dying too: nobody waits longer than for the lease. */
  @Test
  void whoDiesIsFollowedWhenTheLeaseEnds() {
    try (EtcdProcess etcd = EtcdProcess.start(folder);
        EtcdCoordinator next = patient(etcd)) {
      try (EtcdCoordinator dying = patient(etcd)) {
        lead(dying);
        Waiting.until("a renewal", 10_000, () -> dying.figures().renewals() > 0);
      }
      long begin = System.nanoTime();
      Waiting.until(
          "the next leadership", 30_000, () -> Waiting.value(next.campaign(candidate())).isDone());
      System.out.printf(
          "granted TTL %d s; next leader %d ms after the death of the one before%n",
          next.grantedTtlSeconds(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
  }

  /** A transaction that arrives behind the end of its lease wins nothing. */
  @Test
  void aWinOnALeaseThatIsGoneIsNotDone() {
    try (EtcdProcess etcd = EtcdProcess.start(folder);
        EtcdCoordinator coordinator = patient(etcd)) {
      MembershipRecord record = Waiting.value(coordinator.createCluster(CLUSTER, A)).value();
      try (Client client = Client.builder().endpoints(etcd.endpoint()).build()) {
        long lease = Waiting.value(client.getLeaseClient().grant(5)).getID();
        Waiting.value(client.getLeaseClient().revoke(lease));
        Transactions transactions = new Transactions(new EtcdKeys("c1"));
        MembershipRecord next = Contest.won(candidate(), record);
        CompletableFuture<?> late = transactions.win(client, candidate(), record, next, lease);
        Waiting.until("an answer", 5_000, late::isDone);
        assertThat(late).isCompletedExceptionally();
      }
      assertThat(Waiting.value(coordinator.read()).value().leader()).isEmpty();
      assertThat(Waiting.value(coordinator.read()).value().membership()).contains(record);
    }
  }

  private static EtcdCoordinator open(List<EtcdProcess> members) {
    return new EtcdCoordinator(settings(members), System::nanoTime);
  }

  /** One whose calls have time, where time is not what is tested: a test machine may be busy. */
  private static EtcdCoordinator patient(EtcdProcess etcd) {
    return new EtcdCoordinator(
        settings(List.of(etcd))
            .with(
                Duration.ofSeconds(10),
                EtcdSettings.DEFAULT_LEASE_TTL_SECONDS,
                EtcdSettings.DEFAULT_FENCE_MARGIN),
        System::nanoTime);
  }

  private static EtcdSettings settings(List<EtcdProcess> members) {
    return EtcdSettings.of(
        members.stream().map(EtcdProcess::endpoint).collect(Collectors.joining(";")), "c1");
  }

  private static Candidate candidate() {
    return new Candidate(A, CLUSTER, 0, "10.0.0.1:50052");
  }

  private static Leadership lead(EtcdCoordinator coordinator) {
    Waiting.until("connected", 30_000, () -> Waiting.value(coordinator.read()).isDone());
    assertThat(Waiting.value(coordinator.createCluster(CLUSTER, A)).isDone()).isTrue();
    Outcome<Leadership> won = Waiting.value(coordinator.campaign(candidate()));
    assertThat(won.isDone()).as(won.detail()).isTrue();
    return won.value();
  }

  private static void change(EtcdCoordinator coordinator, Leadership won) {
    MembershipRecord seen = Waiting.value(coordinator.read()).value().membership().orElseThrow();
    Outcome<?> changed = Waiting.value(coordinator.changeInSync(won, seen, List.of(A)));
    assertThat(changed.isDone()).as(changed.detail()).isTrue();
  }

  private static int revision(EtcdCoordinator coordinator) {
    Waiting.until("read", 10_000, () -> Waiting.value(coordinator.read()).isDone());
    return (int) Waiting.value(coordinator.read()).value().revision();
  }

  private static long etcdThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("jetcd") || name.startsWith("tidemark"))
        .count();
  }

  private static Coordinator.Listener counting(AtomicInteger told) {
    return new Coordinator.Listener() {
      @Override
      public void changed() {
        told.incrementAndGet();
      }

      @Override
      public void connection(boolean healthy) {}
    };
  }
}
