package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.KeyWatch;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * etcd is away, suspended or killed: for less than the lease nobody notices, for longer the leader
 * stops answering in time, and somebody leads soon after it is back (HA-REQ-070, HA-REQ-071).
 */
@RealProcesses
@Timeout(600)
class EtcdAwayTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final int CHANGES = 100;

  private static final long SHORT_MS = 1_500;

  /** As long as a renewal that was about to be made can wait: TTL - margin - TTL / 3. */
  private static final long SHORT_LIMIT_MS = 2_300;

  /** The fence's margin. */
  private static final long MARGIN_SEC = 1;

  /** What a busy machine may add to the 5 s that are asked for. */
  private static final Duration AGAIN_LIMIT = Duration.ofSeconds(15);

  @Test
  void aShortOutageIsNotNoticed(Evidence evidence) throws Exception {
    long seed = Long.getLong("tidemark.seed", 20_261_130L);
    HaCluster cluster = HaCluster.start(evidence, ClusterLoad.plan(5));
    ClusterLoad load = ClusterLoad.begin(cluster, seed);
    load.awaitMore(CHANGES);
    KeyWatch.Sight view = cluster.watch().now();

    cluster.etcd().suspend(true);
    long begun = System.nanoTime();
    Await.until(
        "changes for a while without etcd",
        LIMIT,
        () -> {
          load.awaitMore(10);
          return System.nanoTime() - begun > TimeUnit.MILLISECONDS.toNanos(SHORT_MS);
        });
    cluster.etcd().suspend(false);
    long away = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
    load.awaitMore(CHANGES);

    cluster.etcd().kill();
    long killed = System.nanoTime();
    cluster.etcd().startAgain();
    long restart = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - killed);
    load.awaitMore(CHANGES);
    System.out.printf("etcd suspended for about %d ms, restarted in %d ms%n", away, restart);
    if (away < SHORT_LIMIT_MS && restart < SHORT_LIMIT_MS) {
      assertThat(cluster.watch().now()).as("the same leadership").isEqualTo(view);
    }
    load.check(evidence, "two short outages of etcd");
  }

  @Test
  void aLongOutageStopsTheLeaderInTimeAndSomebodyLeadsSoonAfter(Evidence evidence)
      throws Exception {
    long seed = Long.getLong("tidemark.seed", 20_261_130L);
    int ttlSec = 2;
    HaCluster cluster = HaCluster.start(evidence, ClusterLoad.plan(ttlSec));
    ClusterLoad load = ClusterLoad.begin(cluster, seed);
    for (boolean kill : new boolean[] {false, true}) {
      load.awaitMore(CHANGES);
      outage(cluster, load, ttlSec, kill);
      cluster.awaitInSync(cluster.size(), LIMIT);
    }
    load.check(evidence, "two long outages of etcd");
    ElectionRecord.check(cluster);
  }

  /** It says so, stays, and joins once etcd is there. */
  @Test
  void aMemberThatStartsWithoutEtcdWaitsForIt(Evidence evidence) throws Exception {
    HaCluster cluster =
        HaCluster.start(evidence, HaCluster.Plan.of(2, Map.of("ha_leader_lease_ttl_sec", "2")));
    int other = 1 - cluster.awaitLeader(LIMIT);
    assertThat(cluster.member(other).terminate(LIMIT)).isZero();
    cluster.etcd().kill();
    cluster.member(other).start();
    Path output = evidence.folder().resolve("master-" + other + "-2.out");
    Await.until(
        "it says that etcd is away",
        LIMIT,
        () -> {
          cluster.member(other).process().requireAlive();
          return read(output).contains("event=etcd_unreachable");
        });
    assertThat(cluster.serves(other)).isFalse();
    cluster.etcd().startAgain();
    cluster.awaitInSync(2, LIMIT);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void outage(HaCluster cluster, ClusterLoad load, int ttlSec, boolean kill) {
    if (kill) {
      cluster.etcd().kill();
    } else {
      cluster.etcd().suspend(true);
    }
    long gone = System.nanoTime();
    long fenced = gone + TimeUnit.SECONDS.toNanos(ttlSec - MARGIN_SEC);
    Await.until(
        "nobody serves",
        LIMIT,
        () -> !cluster.serves(0) && !cluster.serves(1) && !cluster.serves(2));
    Await.until(
        "much longer than the lease",
        LIMIT,
        () -> System.nanoTime() - gone > TimeUnit.SECONDS.toNanos(3L * ttlSec));
    long returns = System.nanoTime();
    if (kill) {
      cluster.etcd().startAgain();
    } else {
      cluster.etcd().suspend(false);
    }
    long back = System.nanoTime();
    load.awaitMore(1);
    long again = System.nanoTime() - back;
    System.out.printf(
        "etcd was %s for %d ms; a change was acknowledged %d ms after it was back%n",
        kill ? "killed" : "suspended",
        TimeUnit.NANOSECONDS.toMillis(back - gone),
        TimeUnit.NANOSECONDS.toMillis(again));
    assertThat(load.readsSentBetween(fenced, returns))
        .as("answers to calls that were sent when the lease may have been over")
        .isEmpty();
    assertThat(Duration.ofNanos(again)).isLessThan(AGAIN_LIMIT);
  }
}
