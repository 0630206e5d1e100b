package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.testkit.etcd.Certificates;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Getting at etcd: not at all, with a login, with certificates (HA-REQ-076). */
@Tag("process")
@Timeout(120)
class EtcdAccessTest {
  private static final UUID CLUSTER = new UUID(0xC, 1);
  private static final Member A = new Member(new UUID(0xA, 1), new UUID(1, 1));

  @TempDir Path folder;

  @Test
  void anEtcdThatIsNotThereIsUnavailableInTimeAndNamed() {
    try (EtcdCoordinator coordinator = open(EtcdSettings.of("127.0.0.1:1", "c1"))) {
      long begin = System.nanoTime();
      assertThat(Waiting.value(coordinator.read()).verdict()).isEqualTo(Verdict.UNAVAILABLE);
      long tookMs = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
      Outcome<ClusterView> read =
          lastUntil(coordinator, outcome -> outcome.detail().contains("refused"));
      assertThat(read.verdict()).isEqualTo(Verdict.UNAVAILABLE);
      assertThat(read.detail()).contains("http://127.0.0.1:1");
      System.out.println("unreachable, after " + tookMs + " ms: " + read.detail());
      // Nothing was sent, so nothing is unclear.
      assertThat(Waiting.value(coordinator.createCluster(CLUSTER, A)).verdict())
          .isEqualTo(Verdict.UNAVAILABLE);
      assertThat(coordinator.figures().unclearCalls()).isZero();
    }
  }

  /** HA-REQ-071: how long it was away has no influence on how soon it is found again. */
  @Test
  void anEtcdThatComesLateIsFoundSoon() {
    EtcdProcess etcd = EtcdProcess.start(folder);
    etcd.kill();
    try (etcd;
        EtcdCoordinator coordinator = open(EtcdSettings.of(etcd.endpoint(), "c1"))) {
      Waiting.until(
          "connecting anew",
          30_000,
          () -> {
            assertThat(Waiting.value(coordinator.read()).verdict()).isEqualTo(Verdict.UNAVAILABLE);
            return coordinator.figures().reconnects() > 0;
          });
      etcd.startAgain();
      long begin = System.nanoTime();
      Waiting.until("found", 15_000, () -> Waiting.value(coordinator.read()).isDone());
      System.out.println(
          "found again after "
              + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin)
              + " ms, connections made anew: "
              + coordinator.figures().reconnects());
    }
  }

  @Test
  void aLoginIsUsedAndAWrongOneDenied() {
    try (EtcdProcess etcd = EtcdProcess.start(folder)) {
      etcd.ctl("user", "add", "root:secret");
      etcd.ctl("user", "grant-role", "root", "root");
      etcd.ctl("user", "add", "nobody:secret");
      EtcdSettings settings = EtcdSettings.of(etcd.endpoint(), "c1");
      denied(settings.with(new EtcdSettings.Login("root", "secret")), "authentication is not");
      etcd.ctl("auth", "enable");
      elects(settings.with(new EtcdSettings.Login("root", "secret")));
      denied(settings.with(new EtcdSettings.Login("root", "wrong")), "authentication failed");
      denied(settings.with(new EtcdSettings.Login("nobody", "secret")), "permission denied");
      denied(settings, "user name is empty");
    }
  }

  /** HA-REQ-076: what is wrong from the start is told from what is taken away later. */
  @Test
  void rightsThatAreTakenAwayLaterAreCountedAndTriedAgain() {
    try (EtcdProcess etcd = EtcdProcess.start(folder)) {
      etcd.ctl("user", "add", "root:secret");
      etcd.ctl("user", "grant-role", "root", "root");
      etcd.ctl("user", "add", "master:secret");
      etcd.ctl("user", "grant-role", "master", "root");
      etcd.ctl("auth", "enable");
      EtcdSettings settings =
          EtcdSettings.of(etcd.endpoint(), "c1").with(new EtcdSettings.Login("master", "secret"));
      try (EtcdCoordinator coordinator = open(settings)) {
        Waiting.until("connected", 30_000, () -> Waiting.value(coordinator.read()).isDone());
        etcd.ctl("user", "revoke-role", "master", "root", "--user", "root:secret");
        Waiting.until(
            "denied",
            15_000,
            () ->
                coordinator.figures().deniedCalls() > 0
                    || Waiting.value(coordinator.read()).verdict() == Verdict.DENIED);
        assertThat(coordinator.figures().deniedCalls()).isPositive();
        assertThat(coordinator.deniedAtFirst()).as("it was let in once").isEmpty();
        etcd.ctl("user", "grant-role", "master", "root", "--user", "root:secret");
        Waiting.until("let in", 15_000, () -> Waiting.value(coordinator.read()).isDone());
      }
      try (EtcdCoordinator wrong = open(settings.with(new EtcdSettings.Login("master", "wrong")))) {
        Waiting.until(
            "denied", 15_000, () -> Waiting.value(wrong.read()).verdict() == Verdict.DENIED);
        assertThat(wrong.deniedAtFirst().orElseThrow()).contains("authentication failed");
      }
    }
  }

  /** etcd forgets its tokens when it starts; the client takes a new one. */
  @Test
  void aLoginOutlivesARestartOfEtcd() {
    try (EtcdProcess etcd = EtcdProcess.start(folder)) {
      etcd.ctl("user", "add", "root:secret");
      etcd.ctl("user", "grant-role", "root", "root");
      etcd.ctl("auth", "enable");
      EtcdSettings settings =
          EtcdSettings.of(etcd.endpoint(), "c1").with(new EtcdSettings.Login("root", "secret"));
      try (EtcdCoordinator coordinator = open(settings)) {
        Waiting.until("connected", 30_000, () -> Waiting.value(coordinator.read()).isDone());
        assertThat(Waiting.value(coordinator.createCluster(CLUSTER, A)).isDone()).isTrue();
        assertThat(win(coordinator).isDone()).isTrue();
        etcd.kill();
        etcd.startAgain("--user", "root:secret");
        Waiting.until("read", 15_000, () -> Waiting.value(coordinator.read()).isDone());
        Waiting.until("renewed", 15_000, () -> coordinator.figures().renewals() > 0);
        Leadership held =
            new Leadership(
                1,
                A,
                Waiting.value(coordinator.read()).value().leader().orElseThrow().createRevision(),
                Waiting.value(coordinator.read()).value().membership().orElseThrow());
        assertThat(Waiting.value(coordinator.resign(held)).verdict()).isEqualTo(Verdict.DONE);
        assertThat(win(coordinator).isDone()).isTrue();
      }
    }
  }

  @Test
  void certificatesAreUsedOnBothSides() {
    Certificates authority = new Certificates(folder, "ca");
    Certificates stranger = new Certificates(folder, "stranger");
    try (EtcdProcess etcd = EtcdProcess.start(folder, authority.server("server"))) {
      EtcdSettings settings = EtcdSettings.of(etcd.endpoint(), "c1");
      elects(settings.with(client(authority, "client")));
      denied(settings.with(client(stranger, "other")), "PKIX");
      EtcdSettings.Tls noClient =
          new EtcdSettings.Tls(Optional.of(authority.ca()), Optional.empty());
      denied(settings.with(noClient), "certificate");
    }
  }

  @Test
  void aCertificateThatCannotBeReadIsNamed() {
    EtcdSettings.Tls missing =
        new EtcdSettings.Tls(Optional.of(folder.resolve("absent.pem")), Optional.empty());
    assertThatThrownBy(() -> open(EtcdSettings.of("https://127.0.0.1:1", "c1").with(missing)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("absent.pem");
  }

  private static EtcdSettings.Tls client(Certificates authority, String name) {
    Certificates.Pair pair = authority.pair(name);
    return new EtcdSettings.Tls(
        Optional.of(authority.ca()),
        Optional.of(new EtcdSettings.KeyPair(pair.certificate(), pair.key())));
  }

  private static EtcdCoordinator open(EtcdSettings settings) {
    return new EtcdCoordinator(settings, System::nanoTime);
  }

  private static void elects(EtcdSettings settings) {
    EtcdSettings patient =
        settings.with(Duration.ofSeconds(10), 5, EtcdSettings.DEFAULT_FENCE_MARGIN);
    try (EtcdCoordinator coordinator = open(patient)) {
      Outcome<?> created = Waiting.value(coordinator.createCluster(CLUSTER, A));
      assertThat(created.verdict()).as(created.detail()).isEqualTo(Verdict.DONE);
      Outcome<Leadership> won = win(coordinator);
      assertThat(won.verdict()).as(won.detail()).isEqualTo(Verdict.DONE);
      Waiting.until("a renewal", 10_000, () -> coordinator.figures().renewals() > 0);
      assertThat(Waiting.value(coordinator.resign(won.value())).isDone()).isTrue();
    }
  }

  private static void denied(EtcdSettings settings, String words) {
    try (EtcdCoordinator coordinator = open(settings)) {
      Outcome<ClusterView> read =
          lastUntil(coordinator, outcome -> outcome.verdict() != Verdict.UNAVAILABLE);
      System.out.println("denied: " + read.detail());
      assertThat(read.verdict()).as(read.detail()).isEqualTo(Verdict.DENIED);
      assertThat(read.detail()).contains(words);
      assertThat(coordinator.figures().unclearCalls()).isZero();
    }
  }

  /** Reads until an outcome is as wanted; the first one is, on a machine that is not busy. */
  private static Outcome<ClusterView> lastUntil(
      EtcdCoordinator coordinator, Predicate<Outcome<ClusterView>> wanted) {
    AtomicReference<Outcome<ClusterView>> last = new AtomicReference<>();
    Waiting.until(
        "an outcome as wanted",
        30_000,
        () -> {
          last.set(Waiting.value(coordinator.read()));
          return wanted.test(last.get());
        });
    return last.get();
  }

  private static Outcome<Leadership> win(EtcdCoordinator coordinator) {
    return Waiting.value(coordinator.campaign(new Candidate(A, CLUSTER, 0, "10.0.0.1:50052")));
  }
}
