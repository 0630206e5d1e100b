package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import io.tidemark.chaos.process.UpstreamCluster;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * For how long an unmodified writer stores nothing after its leader was killed, beside what the
 * same writer sees with upstream's own masters and their log in etcd, in turn on one machine: two
 * masters and a cluster made anew each time (HA-REQ-040).
 *
 * <p>The client is in all figures: a call to a closed port keeps it for about 4 s, so that it looks
 * for the next leader after 4 s, and then after 8.5 s. A lease of 5 s, which is the default and
 * upstream's only one, often ends just behind the first look; one of 3 s ends before it, and is
 * printed beside.
 *
 * <p>{@code -Dtidemark.ha.wheel.rounds=N} for another number of rounds; each takes most of a
 * minute.
 */
@RealProcesses
@Tag("long")
@Timeout(value = 1, unit = TimeUnit.HOURS)
class FailoverGapTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.ha.wheel.rounds", 5);
  private static final Release RELEASE = Release.V0_3_13_POST1;
  private static final int THREADS = 16;
  private static final int KEYS_BEFORE = 500;
  private static final Duration LIMIT = Duration.ofSeconds(70);

  private Evidence evidence;

  @Test
  void aWriterWaitsLessThanWithUpstreamsMasters(Evidence given) {
    evidence = given;
    List<Duration> ours = new ArrayList<>();
    List<Duration> sooner = new ArrayList<>();
    List<Duration> theirs = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      ours.add(withTidemark("tidemark-" + i, Map.of()));
      sooner.add(withTidemark("sooner-" + i, Map.of("ha_leader_lease_ttl_sec", "3")));
      theirs.add(withUpstream("upstream-" + i));
    }
    print("Tidemark", ours);
    print("Tidemark with a lease of 3 s", sooner);
    print("upstream", theirs);
    assertThat(median(ours)).as("median").isLessThan(median(theirs));
    assertThat(median(sooner)).as("median, lease of 3 s").isLessThan(median(theirs));
  }

  private Duration withTidemark(String name, Map<String, String> flags) {
    EtcdProcess etcd = evidence.own(EtcdProcess.start(evidence.folder(name + "-etcd")));
    HaCluster cluster = HaCluster.join(evidence, etcd, HaCluster.Plan.of(2, flags).named(name));
    Duration gap = gap(name, etcd, cluster.member(cluster.awaitLeader(LIMIT)));
    for (int i = 0; i < cluster.size(); i++) {
      cluster.member(i).process().close();
    }
    etcd.close();
    return gap;
  }

  private Duration withUpstream(String name) {
    try (UpstreamCluster cluster = UpstreamCluster.start(evidence, name, RELEASE)) {
      return gap(name, cluster.etcd(), cluster.leader());
    }
  }

  private Duration gap(String name, EtcdProcess etcd, MasterProcess leader) {
    WheelClient.Life life =
        new WheelClient.Life(LIMIT.multipliedBy(3), Map.of("MC_STORE_CLUSTER_ID", name));
    WheelClient client =
        WheelClient.start(evidence, name + "-writer", RELEASE, Host.LOOPBACK, life);
    String master = etcd.endpoint().replace("http://", "etcd://");
    assertThat(client.setup(master)).as("setup of %s", client).isZero();
    Writers writers = Writers.start(client, "key", THREADS, LIMIT);
    writers.awaitMore(KEYS_BEFORE);
    leader.kill();
    Duration gap = writers.awaitFirstBehind(System.nanoTime());
    client.process().close();
    return gap;
  }

  private static Duration median(List<Duration> gaps) {
    return gaps.stream().sorted().toList().get(gaps.size() / 2);
  }

  private static void print(String whose, List<Duration> gaps) {
    System.out.printf(
        "an unmodified writer after kill -9 of its leader, %s: median %d ms, all %s%n",
        whose, median(gaps).toMillis(), gaps.stream().map(Duration::toMillis).toList());
  }
}
