package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Unmodified clients that were given {@code etcd://…} follow the leader by themselves: it is killed
 * again and again under writers of two releases, and every key they were told is stored is there
 * with its bytes (HA-REQ-002, HA-REQ-010).
 */
@RealProcesses
@Timeout(300)
class LeaderFailoverTest {
  private static final int TTL_SEC = 3;
  private static final int KILLS = 3;
  private static final int THREADS = 8;
  private static final int KEYS_BETWEEN_KILLS = 300;
  private static final Duration FOLLOW_LIMIT = Duration.ofSeconds(45);

  @Test
  void everyKeyThatAWriterWasToldIsStoredOutlivesItsLeaders(Evidence evidence) {
    HaCluster cluster =
        HaCluster.start(
            evidence,
            3,
            Map.of("ha_leader_lease_ttl_sec", Integer.toString(TTL_SEC), "min_in_sync", "2"));
    List<WheelClient> clients =
        List.of(
            connect(evidence, cluster, "older", Release.V0_3_13_POST1, Host.LOOPBACK),
            connect(evidence, cluster, "newer", Release.V0_3_14, Host.LOOPBACK_2));
    List<Writers> writers = new ArrayList<>();
    for (WheelClient client : clients) {
      String prefix = "by " + client.release() + " ";
      writers.add(Writers.start(client, prefix, THREADS, FOLLOW_LIMIT));
    }
    for (int i = 0; i < KILLS; i++) {
      writers.forEach(each -> each.awaitMore(KEYS_BETWEEN_KILLS));
      killTheLeader(cluster);
    }
    writers.forEach(each -> each.awaitMore(KEYS_BETWEEN_KILLS));
    List<String> keys = new ArrayList<>();
    writers.forEach(each -> keys.addAll(each.stop(KILLS + " leaders killed")));
    clients.forEach(client -> Writers.assertAllEqual(client, keys));
  }

  private static WheelClient connect(
      Evidence evidence, HaCluster cluster, String name, Release release, Host host) {
    WheelClient client = WheelClient.start(evidence, name, release, host);
    String master = cluster.etcd().endpoint().replace("http://", "etcd://");
    assertThat(client.setup(master)).as("setup of %s", client).isZero();
    return client;
  }

  /** Kills it, sees another one serve, starts it again and waits until it is in sync. */
  private static void killTheLeader(HaCluster cluster) {
    int killed = cluster.awaitLeader(FOLLOW_LIMIT);
    cluster.member(killed).kill();
    long begun = System.nanoTime();
    int next = cluster.awaitLeader(FOLLOW_LIMIT);
    System.out.printf(
        "master-%d was killed, master-%d serves after %d ms (lease of %d s)%n",
        killed, next, (System.nanoTime() - begun) / 1_000_000, TTL_SEC);
    assertThat(next).isNotEqualTo(killed);
    cluster.member(killed).start();
    cluster.awaitInSync(cluster.size(), FOLLOW_LIMIT);
  }
}
