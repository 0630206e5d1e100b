package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.chaos.load.LogVerify;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** COR-28, HA-REQ-031: in a real cluster digests are logged, and each member agrees with them. */
@RealProcesses
@Timeout(180)
class LoggedDigestTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LOAD = Duration.ofSeconds(5);
  private static final int MEMBERS = 2;
  private static final int LEAST_DIGESTS = 3;

  @Test
  void digestsAreLoggedAndEveryMemberAgreesWithThem(Evidence evidence) throws Exception {
    HaCluster cluster = HaCluster.start(evidence, MEMBERS, Map.of("ha_digest_interval_sec", "1"));
    try (FollowingCaller caller = new FollowingCaller(cluster, PATIENCE)) {
      OneClient client = new OneClient(caller, 1L << 26);
      client.mount();
      long end = System.nanoTime() + LOAD.toNanos();
      for (int i = 0; System.nanoTime() - end < 0; i++) {
        change(client, i);
      }
    }
    for (int i = 0; i < MEMBERS; i++) {
      String role = cluster.status(i).orElseThrow().path("role").asText();
      assertThat(role).as("master-%d", i).isIn("leader", "standby");
      assertThat(cluster.member(i).terminate(PATIENCE)).isZero();
      JsonNode verdict = LogVerify.sound(evidence, "verify-" + i, cluster.member(i).dataDir());
      assertThat(verdict.path("digests_compared").asInt()).isGreaterThanOrEqualTo(LEAST_DIGESTS);
    }
  }

  /** Some objects stay, some go, some are never finished. */
  private void change(OneClient client, int number) throws IOException {
    String key = "k" + number;
    if (number % 5 == 0) {
      client.start(key, 100);
    } else {
      client.put(key, 100);
    }
    if (number % 5 > 2) {
      client.remove(key);
    }
  }
}
