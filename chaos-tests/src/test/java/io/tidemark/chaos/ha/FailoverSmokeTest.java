package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.Uuid;
import io.tidemark.api.rpc.ReplicaType;
import io.tidemark.api.rpc.ReplicateConfig;
import io.tidemark.api.rpc.Request;
import io.tidemark.api.rpc.Result;
import io.tidemark.api.rpc.Rpc;
import io.tidemark.api.rpc.SegmentInfo;
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
import java.util.OptionalLong;
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
  private static final String TENANT = "default";
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What a loaded test machine may add to the promised TTL + 1 s. */
  private static final Duration SLACK = Duration.ofSeconds(3);

  private static final SegmentInfo SEGMENT =
      new SegmentInfo(
          new Uuid(0x5E6, 1), "127.0.0.1:19777", 1L << 45, 1L << 26, "127.0.0.1:19777", "tcp", "");

  private static final int MOST_ETCD_BYTES = 64 << 10;

  private final Uuid client = new Uuid(0xABC, 1);
  private final List<String> acknowledged = new ArrayList<>();

  @Test
  void everyAcknowledgedKeyOutlivesTheLeader(Evidence evidence) throws Exception {
    HaCluster cluster =
        HaCluster.start(
            evidence,
            3,
            Map.of("ha_leader_lease_ttl_sec", Integer.toString(TTL_SEC), "min_in_sync", "2"));
    try (FollowingCaller caller = new FollowingCaller(cluster, PATIENCE)) {
      mount(caller);
      put(caller, "first");
      int killed = cluster.awaitLeader(PATIENCE);
      cluster.member(killed).kill();
      long begin = System.nanoTime();
      Duration limit = Duration.ofSeconds(TTL_SEC + 1).plus(SLACK);
      int second = cluster.awaitLeader(limit);
      System.out.printf("failover smoke test: served after %d ms%n", millisSince(begin));
      assertThat(second).isNotEqualTo(killed);
      requireAll(caller);
      put(caller, "second");

      cluster.member(killed).start();
      Await.until("the killed one follows", PATIENCE, () -> cluster.follows(killed));
      cluster.awaitInSync(3, PATIENCE);

      begin = System.nanoTime();
      cluster.transfer(second);
      int third = cluster.awaitLeader(limit);
      System.out.printf("failover smoke test: handed over in %d ms%n", millisSince(begin));
      assertThat(third).isNotEqualTo(second);
      requireAll(caller);
      put(caller, "third");

      cluster.awaitInSync(3, PATIENCE);
      assertThat(cluster.member(third).terminate(PATIENCE)).isZero();
      assertThat(cluster.awaitLeader(limit)).isNotEqualTo(third);
      requireAll(caller);
      cluster.awaitInSync(2, PATIENCE);
      trafficLeavesEtcdAlone(cluster.etcd(), caller);
    }
  }

  /** What a cluster keeps in etcd is a few keys, and nothing is written there while it serves. */
  private void trafficLeavesEtcdAlone(EtcdProcess etcd, FollowingCaller caller) throws IOException {
    String before = revision(etcd);
    put(caller, "fourth");
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

  private void mount(FollowingCaller caller) throws IOException {
    require(caller.one(new Request.MountSegment(SEGMENT, client)));
    require(caller.one(new Request.ReMountSegment(List.of(SEGMENT), client)));
  }

  private void put(FollowingCaller caller, String prefix) throws IOException {
    require(caller.one(new Request.ReMountSegment(List.of(SEGMENT), client)));
    for (int i = 0; i < KEYS; i++) {
      String key = prefix + "/" + i;
      require(
          caller.one(
              new Request.WriteStart(
                  Rpc.PUT_START, client, key, 1000, ReplicateConfig.DEFAULT, TENANT)));
      require(
          caller.one(
              new Request.WriteEnd(
                  Rpc.PUT_END, client, key, OptionalLong.of(7), ReplicaType.MEMORY, TENANT)));
      acknowledged.add(key);
    }
  }

  private void requireAll(FollowingCaller caller) throws IOException {
    require(caller.one(new Request.ReMountSegment(List.of(SEGMENT), client)));
    for (String key : acknowledged) {
      Result<?> there = caller.one(new Request.ExistKey(Rpc.EXIST_KEY, key, TENANT));
      assertThat(there).as(key).isEqualTo(Result.ok(true));
    }
  }

  private static void require(Result<?> result) {
    assertThat(result.isOk()).as("%s", result).isTrue();
  }
}
