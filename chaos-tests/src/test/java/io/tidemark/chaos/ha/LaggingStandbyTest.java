package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * HA-REQ-036, 055: logs of members get shorter, and whoever they do not reach back to is sent a
 * snapshot; nothing is lost on the way.
 */
@RealProcesses
@Timeout(300)
class LaggingStandbyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String RECEIVED = "tidemark_replication_snapshots_received_total";
  private static final String TRIMMED = "tidemark_log_segments_removed_total";

  private static final Map<String, String> FLAGS =
      Map.of(
          "ha_leader_lease_ttl_sec", "3",
          "min_in_sync", "2",
          "snapshot_log_bytes", "65536",
          "snapshot_interval_seconds", "1",
          "client_ttl", "600");

  private final HttpClient http = HttpClient.newHttpClient();
  private final List<String> kept = new ArrayList<>();
  private int next;

  @Test
  void whoeverTheLogDoesNotReachBackToIsSentASnapshot(Evidence evidence) throws Exception {
    HaCluster cluster = HaCluster.start(evidence, 3, FLAGS);
    try (FollowingCaller caller = new FollowingCaller(cluster, PATIENCE)) {
      OneClient client = new OneClient(caller, 1L << 28);
      client.mount();
      write(client, 50);
      int leader = cluster.awaitLeader(PATIENCE);
      int away = (leader + 1) % 3;
      int wiped = (leader + 2) % 3;

      cluster.member(away).kill();
      writeUntilTrimmed(cluster, client, leader);
      cluster.member(away).start();
      cluster.awaitBack(away, PATIENCE);
      assertThat(metric(cluster, away, RECEIVED)).as("sent to the one that was away").isEqualTo(1);

      cluster.member(wiped).kill();
      remove(cluster.member(wiped).dataDir());
      cluster.member(wiped).start();
      Await.until(
          "the empty one received a snapshot",
          PATIENCE,
          () -> metric(cluster, wiped, RECEIVED),
          received -> received > 0);
      cluster.awaitBack(wiped, PATIENCE);
      assertThat(metric(cluster, wiped, RECEIVED)).as("sent to the empty one").isEqualTo(1);

      assertThat(metric(cluster, wiped, "tidemark_log_unbounded")).isZero();
      restartFromItsSnapshot(cluster, away);
      cluster.member(leader).kill();
      client.requireThere(kept);
      assertThat(cluster.awaitLeader(PATIENCE)).isNotEqualTo(leader);
    }
  }

  /** Writes and removes, until the leader's log no longer begins where it did. */
  private void writeUntilTrimmed(HaCluster cluster, OneClient client, int leader) throws Exception {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (metric(cluster, leader, TRIMMED) < 2) {
      assertThat(System.nanoTime()).as("the leader's log got shorter in time").isLessThan(end);
      write(client, 50);
    }
  }

  /** It has snapshots of its own by now. */
  private void restartFromItsSnapshot(HaCluster cluster, int member) throws Exception {
    Await.until(
        "the standby takes snapshots and shortens its log",
        PATIENCE,
        () -> metric(cluster, member, "master_snapshot_success") > 0);
    cluster.member(member).kill();
    cluster.member(member).start();
    cluster.awaitBack(member, PATIENCE);
    assertThat(cluster.member(member).process().said())
        .containsPattern("event=restored snapshot=[1-9]");
  }

  /** Puts some keys of which every tenth stays. */
  private void write(OneClient client, int count) throws IOException {
    for (int i = 0; i < count; i++) {
      String key = "key-" + next++;
      client.put(key, 4_096);
      if (i % 10 == 0) {
        kept.add(key);
      } else {
        client.remove(key);
      }
    }
  }

  private long metric(HaCluster cluster, int member, String name) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + cluster.member(member).metricsPort() + "/metrics");
    String page = http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
    return page.lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> Long.parseLong(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no metric " + name));
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
    Files.createDirectory(folder);
  }
}
