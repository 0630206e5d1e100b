package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
import io.tidemark.chaos.load.LogVerify;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
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
  private static final String TENANT = "default";
  private static final SegmentInfo SEGMENT =
      new SegmentInfo(
          new Uuid(0x5E7, 1), "127.0.0.1:19778", 1L << 45, 1L << 26, "127.0.0.1:19778", "tcp", "");

  private final Uuid client = new Uuid(0xABD, 1);

  @Test
  void digestsAreLoggedAndEveryMemberAgreesWithThem(Evidence evidence) throws Exception {
    HaCluster cluster = HaCluster.start(evidence, MEMBERS, Map.of("ha_digest_interval_sec", "1"));
    try (FollowingCaller caller = new FollowingCaller(cluster, PATIENCE)) {
      require(caller, new Request.MountSegment(SEGMENT, client));
      require(caller, new Request.ReMountSegment(List.of(SEGMENT), client));
      long end = System.nanoTime() + LOAD.toNanos();
      for (int i = 0; System.nanoTime() - end < 0; i++) {
        change(caller, i);
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
  private void change(FollowingCaller caller, int number) throws IOException {
    String key = "k" + number;
    require(
        caller,
        new Request.WriteStart(Rpc.PUT_START, client, key, 100, ReplicateConfig.DEFAULT, TENANT));
    if (number % 5 != 0) {
      require(
          caller,
          new Request.WriteEnd(
              Rpc.PUT_END, client, key, OptionalLong.of(7), ReplicaType.MEMORY, TENANT));
    }
    if (number % 5 > 2) {
      require(caller, new Request.Remove(key, true, TENANT));
    }
  }

  private static void require(FollowingCaller caller, Request request) throws IOException {
    var result = caller.one(request);
    assertThat(result.isOk()).as("%s: %s", request, result).isTrue();
  }
}
