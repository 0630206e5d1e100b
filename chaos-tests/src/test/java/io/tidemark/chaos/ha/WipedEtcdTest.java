package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.OsProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An emptied etcd under real masters: nobody leads until an operator says who, and then everything
 * goes on, with epochs and views above what they were (COR-17, HA-REQ-014, 042, 074).
 */
@RealProcesses
@Timeout(300)
class WipedEtcdTest {
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final Duration COMMAND_LIMIT = Duration.ofSeconds(60);

  private Evidence evidence;
  private HaCluster cluster;
  private int commands;

  @Test
  void anOperatorsWordFillsAnEmptiedEtcd(Evidence given) throws Exception {
    evidence = given;
    cluster = HaCluster.start(evidence, 2, Map.of("ha_leader_lease_ttl_sec", "3"));
    for (int i = 0; i < 40; i++) { // what any other program does with an etcd
      cluster.etcd().ctl("put", "somebody", Integer.toString(i));
    }
    try (FollowingCaller caller = new FollowingCaller(cluster, PATIENCE)) {
      OneClient client = new OneClient(caller, 1L << 26);
      int leader = cluster.awaitLeader(PATIENCE);
      client.remount();
      client.put("before", 1000);
      cluster.transfer(leader);
      leader = cluster.awaitLeader(PATIENCE);
      cluster.awaitInSync(2, PATIENCE);
      long view = status(leader, "view_version");
      long epoch = status(leader, "epoch");

      cluster.etcd().kill();
      cluster.etcd().wipe();
      int forced = leader;
      Await.until("it leads no more", PATIENCE, () -> !cluster.serves(forced));
      cluster.etcd().startAgain();
      Await.until("it says why", PATIENCE, () -> why(forced).contains("no membership record"));

      String confirm = refusedAndConfirmation(forced);
      assertThat(command(forced, "--confirm=00000000-0000-0000-0000-000000000001")).isEqualTo(1);
      assertThat(command(forced, "--confirm=" + confirm, "--keep-memory")).isZero();
      assertThat(cluster.awaitLeader(PATIENCE)).isEqualTo(forced);
      cluster.awaitInSync(2, PATIENCE);
      assertThat(status(forced, "view_version")).isGreaterThan(view);
      assertThat(status(forced, "epoch")).isGreaterThan(epoch);
      client.remount();
      client.requireThere(List.of("before"));
      client.put("after", 1000);
    }
  }

  private long status(int number, String field) {
    return cluster.status(number).orElseThrow().path(field).asLong();
  }

  private String why(int number) {
    return cluster.status(number).map(s -> s.path("why").asText()).orElse("");
  }

  /** Without a confirmation nothing is done, and the output says which one is wanted. */
  private String refusedAndConfirmation(int number) throws IOException {
    assertThat(command(number)).isEqualTo(1);
    String said = Files.readString(evidence.folder().resolve("force-" + commands + ".err"));
    assertThat(said).contains("nothing was changed").contains("--confirm");
    return said.strip().substring(said.strip().lastIndexOf(' ') + 1);
  }

  private int command(int number, String... options) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of(Checkout.launcher().toString(), "admin", "force-start"));
    line.add("--address=127.0.0.1:" + cluster.member(number).metricsPort());
    line.addAll(List.of(options));
    return OsProcess.start(evidence, "force-" + ++commands, line, Map.of())
        .awaitExit(COMMAND_LIMIT);
  }
}
