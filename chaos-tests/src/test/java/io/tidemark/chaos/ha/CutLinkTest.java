package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.Network;
import io.tidemark.chaos.process.RealProcesses;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Masters on hosts of their own, between which packets vanish: a standby that is not reached leaves
 * the set and comes back, below the minimum nothing is acknowledged, and a leader that is cut off
 * is followed by another one and sets aside what it had alone (HA-REQ-010, 024, 025, 034, COR-04,
 * COR-15).
 */
@RealProcesses
@Timeout(600)
class CutLinkTest {
  private static final int TTL_SEC = 2;
  private static final int CHANGES = 200;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Network network;
  private HaCluster cluster;
  private ClusterLoad load;

  @Test
  void whoeverIsCutOffNothingAcknowledgedIsLost(Evidence evidence) throws Exception {
    long seed = Long.getLong("tidemark.seed", 20_261_130L);
    System.out.println("cut links: seed " + seed);
    network = Network.open(evidence);
    List<Host> hosts = List.of(network.addHost(), network.addHost(), network.addHost());
    cluster = HaCluster.start(evidence, ClusterLoad.plan(TTL_SEC).on(network.hub(), hosts));
    load = ClusterLoad.begin(cluster, seed);
    load.awaitMore(CHANGES);
    aStandbyIsCutFromTheLeader();
    theLeaderIsCutFromAllStandbys();
    theLeaderIsCutFromEtcdAndClients();
    theLeaderIsCutFromEverybody();
    load.check(evidence, "links cut four times");
    ElectionRecord.check(cluster);
  }

  private void aStandbyIsCutFromTheLeader() {
    int leader = cluster.awaitLeader(LIMIT);
    Host standby = host((leader + 1) % cluster.size());
    network.cut(host(leader), standby);
    cluster.awaitInSync(cluster.size() - 1, LIMIT);
    load.awaitMore(CHANGES);
    network.heal(host(leader), standby);
    allAreInSync();
  }

  private void theLeaderIsCutFromAllStandbys() {
    int leader = cluster.awaitLeader(LIMIT);
    List<Host> standbys = others(leader);
    standbys.forEach(standby -> network.cut(host(leader), standby));
    cluster.awaitInSync(1, LIMIT);
    long acknowledged = load.acknowledged();
    load.awaitMoreReads(CHANGES);
    assertThat(load.acknowledged()).as("changes below --min_in_sync").isEqualTo(acknowledged);
    standbys.forEach(standby -> network.heal(host(leader), standby));
    allAreInSync();
  }

  private void theLeaderIsCutFromEtcdAndClients() {
    int leader = cluster.awaitLeader(LIMIT);
    network.cut(host(leader), network.hub());
    anotherOneLeads(leader);
    network.heal(host(leader), network.hub());
    allAreInSync();
  }

  private void theLeaderIsCutFromEverybody() {
    int leader = cluster.awaitLeader(LIMIT);
    network.cutOff(host(leader));
    anotherOneLeads(leader);
    network.healAll(host(leader));
    allAreInSync();
  }

  private void anotherOneLeads(int before) {
    Await.until(
        "another one is published",
        LIMIT,
        () -> cluster.published().filter(next -> next != before).isPresent());
    load.awaitMore(CHANGES);
  }

  private void allAreInSync() {
    cluster.awaitInSync(cluster.size(), LIMIT);
    load.awaitMore(CHANGES);
  }

  private Host host(int number) {
    return cluster.member(number).host();
  }

  private List<Host> others(int number) {
    return List.of(host((number + 1) % cluster.size()), host((number + 2) % cluster.size()));
  }
}
