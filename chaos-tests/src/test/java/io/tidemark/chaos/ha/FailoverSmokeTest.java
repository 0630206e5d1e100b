package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster outlives its leader: killed, handed over, stopped (HA-REQ-003, 040, 048). */
@RealProcesses
@Timeout(300)
class FailoverSmokeTest {
  private static final int TTL_SEC = 3;
  private static final int KEYS = 200;
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What a loaded test machine may add to the promised TTL + 1 s. */
  private static final Duration SLACK = Duration.ofSeconds(3);

  private static final int MOST_ETCD_BYTES = 64 << 10;

  private final List<String> acknowledged = new ArrayList<>();

  @Test
  void everyAcknowledgedKeyOutlivesTheLeader(Evidence evidence) throws Exception {
    HaCluster cluster =
        HaCluster.start(
            evidence,
            3,
            Map.of("ha_leader_lease_ttl_sec", Integer.toString(TTL_SEC), "min_in_sync", "2"));
    try (FollowingCaller caller = new FollowingCaller(cluster, PATIENCE)) {
      OneClient client = new OneClient(caller, 1L << 26);
      client.mount();
      put(client, "first");
      int killed = cluster.awaitLeader(PATIENCE);
      cluster.member(killed).kill();
      long begin = System.nanoTime();
      Duration limit = Duration.ofSeconds(TTL_SEC + 1).plus(SLACK);
      int second = cluster.awaitLeader(limit);
      System.out.printf("failover smoke test: served after %d ms%n", millisSince(begin));
      assertThat(second).isNotEqualTo(killed);
      requireAll(client);
      put(client, "second");

      cluster.member(killed).start();
      Await.until("the killed one follows", PATIENCE, () -> cluster.follows(killed));
      cluster.awaitInSync(3, PATIENCE);

      begin = System.nanoTime();
      cluster.transfer(second);
      int third = cluster.awaitLeader(limit);
      System.out.printf("failover smoke test: handed over in %d ms%n", millisSince(begin));
      assertThat(third).isNotEqualTo(second);
      requireAll(client);
      put(client, "third");

      cluster.awaitInSync(3, PATIENCE);
      assertThat(cluster.member(third).terminate(PATIENCE)).isZero();
      assertThat(cluster.awaitLeader(limit)).isNotEqualTo(third);
      requireAll(client);
      cluster.awaitInSync(2, PATIENCE);
      trafficLeavesEtcdAlone(cluster.etcd(), client);
    }
  }

  /** What a cluster keeps in etcd is a few keys, and nothing is written there while it serves. */
  private void trafficLeavesEtcdAlone(EtcdProcess etcd, OneClient client) throws IOException {
    String before = revision(etcd);
    put(client, "fourth");
    assertThat(revision(etcd)).isEqualTo(before);
    String keysAndValues = etcd.ctl("get", "", "--prefix");
    assertThat(keysAndValues.length()).isLessThan(MOST_ETCD_BYTES);
  }

  private static String revision(EtcdProcess etcd) {
    Matcher revision =
        Pattern.compile("\"revision\":(\\d+)").matcher(etcd.ctl("get", "none", "-w", "json"));
    assertThat(revision.find()).isTrue();
    return revision.group(1);
  }

  private static long millisSince(long beginNanos) {
    return (System.nanoTime() - beginNanos) / 1_000_000;
  }

  private void put(OneClient client, String prefix) throws IOException {
    client.remount();
    for (int i = 0; i < KEYS; i++) {
      String key = prefix + "/" + i;
      client.put(key, 1000);
      acknowledged.add(key);
    }
  }

  private void requireAll(OneClient client) throws IOException {
    client.remount();
    client.requireThere(acknowledged);
  }
}
