package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.Network;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The leader's host vanishes with its address: whoever sends something there hears nothing at all,
 * not even that the connection is closed. Unmodified clients of two releases go on at the next
 * leader as soon as they give the old one up, and none of their objects is lost meanwhile
 * (HA-REQ-002, HA-REQ-040, HA-REQ-044, COR-23).
 */
@RealProcesses
@Timeout(600)
class BlackHoledLeaderTest {
  private static final int TTL_SEC = 3;
  private static final int THREADS = 8;
  private static final int KEYS = 200;

  /** These releases give up a call after 30 s; a connection may take two minutes to end. */
  private static final Duration FOLLOW_LIMIT = Duration.ofSeconds(170);

  private static final Duration SERVE_LIMIT = Duration.ofSeconds(30);

  @Test
  void clientsOfAVanishedLeaderFollowAndKeepTheirObjects(Evidence evidence) {
    Network network = Network.open(evidence);
    List<Host> hosts = List.of(network.addHost(), network.addHost(), network.addHost());
    Map<String, String> flags =
        Map.of("ha_leader_lease_ttl_sec", Integer.toString(TTL_SEC), "min_in_sync", "2");
    HaCluster.Plan plan = HaCluster.Plan.of(3, flags).on(network.hub(), hosts);
    HaCluster cluster = HaCluster.start(evidence, plan);
    List<WheelClient> clients =
        List.of(
            connect(evidence, cluster, "older", Release.V0_3_13_POST1, network.addHost()),
            connect(evidence, cluster, "newer", Release.V0_3_14, network.addHost()));
    List<Writers> writers = new ArrayList<>();
    for (WheelClient client : clients) {
      String prefix = "by " + client.release() + " ";
      writers.add(Writers.start(client, prefix, THREADS, FOLLOW_LIMIT));
    }
    writers.forEach(each -> each.awaitMore(KEYS));

    int leader = cluster.awaitLeader(SERVE_LIMIT);
    network.cutOff(cluster.member(leader).host());
    long begun = System.nanoTime();
    Await.until(
        "another one serves",
        SERVE_LIMIT,
        () -> {
          Optional<Integer> next = cluster.published();
          return next.isPresent() && next.get() != leader && cluster.serves(next.get());
        });
    print("another master serves", begun);
    for (int i = 0; i < clients.size(); i++) {
      writers.get(i).awaitMore(KEYS);
      print(clients.get(i).release() + " stores again", begun);
    }
    List<String> keys = new ArrayList<>();
    writers.forEach(each -> keys.addAll(each.stop("the leader's address vanished")));
    clients.forEach(client -> Writers.assertAllEqual(client, keys));
  }

  private static void print(String what, long begun) {
    System.out.printf(
        "black-holed leader: %s after %d ms%n",
        what, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
  }

  private static WheelClient connect(
      Evidence evidence, HaCluster cluster, String name, Release release, Host host) {
    WheelClient.Life life = new WheelClient.Life(FOLLOW_LIMIT.multipliedBy(3), Map.of());
    WheelClient client = WheelClient.start(evidence, name, release, host, life);
    String master = cluster.etcd().endpoint().replace("http://", "etcd://");
    assertThat(client.setup(master)).as("setup of %s", client).isZero();
    return client;
  }
}
