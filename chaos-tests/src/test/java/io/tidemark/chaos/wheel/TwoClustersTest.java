package io.tidemark.chaos.wheel;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.KeyWatch;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.chaos.process.Release;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Two clusters in one etcd under different ids: unmodified clients of each find their own and see
 * nothing of the other, and neither notices when the other's leader dies (HA-REQ-005).
 */
@RealProcesses
@Timeout(300)
class TwoClustersTest {
  private static final String OTHER = "second.cluster-2";
  private static final String KEY = "the same key";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void clustersInOneEtcdDoNotSeeEachOther(Evidence evidence) {
    HaCluster.Plan plan = HaCluster.Plan.of(1, Map.of("ha_leader_lease_ttl_sec", "2")).soon();
    HaCluster first = HaCluster.start(evidence, plan);
    HaCluster second = HaCluster.join(evidence, first.etcd(), plan.named(OTHER));
    WheelClient.Life told = new WheelClient.Life(LIMIT, Map.of("MC_STORE_CLUSTER_ID", OTHER));
    WheelClient one =
        WheelClient.start(evidence, "one", Release.V0_3_14, Host.LOOPBACK, WheelClient.Life.USUAL);
    WheelClient two =
        WheelClient.start(evidence, "two", Release.V0_3_13_POST1, Host.LOOPBACK_2, told);
    String master = first.etcd().endpoint().replace("http://", "etcd://");
    assertThat(one.setup(master)).isZero();
    assertThat(two.setup(master)).isZero();
    assertThat(one.put(KEY, new Content("of the first", 1000))).isZero();
    assertThat(two.isExist(KEY)).isZero();
    assertThat(two.put(KEY, new Content("of the second", 2000))).isZero();

    KeyWatch.Sight view = second.watch().now();
    first.member(0).kill();
    first.member(0).start();
    first.awaitLeader(LIMIT);
    Content.Digest written = new Content("of the first", 1000).digest();
    Await.until("it is read again", LIMIT, () -> one.get(KEY), written::equals);
    assertThat(two.get(KEY)).isEqualTo(new Content("of the second", 2000).digest());
    assertThat(second.watch().now()).as("the other cluster's view").isEqualTo(view);
  }
}
