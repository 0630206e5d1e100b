package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Await;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.KeyWatch.Sight;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * For how long no master serves, seen by a probe that follows the view: after the leader was
 * killed, and when it gives its leadership away, asked to or by SIGTERM (HA-REQ-007, HA-REQ-040,
 * HA-REQ-048). Whoever the view newly names accepts the first connection and answers the first call
 * (HA-REQ-003).
 *
 * <p>It prints every figure. What it requires leaves room for a machine that is busy with other
 * things; {@code -Dtidemark.ha.slack.ms=0} requires what is promised, and {@code
 * -Dtidemark.ha.gaps=34} does it more often. A planned one is some fifteen messages between five
 * processes and half as many forced writes: on two cores its median is about the 300 ms that are
 * promised, single ones take up to twice as long (docs/performance.md).
 */
@RealProcesses
@Timeout(value = 1, unit = TimeUnit.HOURS)
class ServerGapTest {
  private static final int ROUNDS = Integer.getInteger("tidemark.ha.gaps", 3);
  private static final long SLACK_MS = Long.getLong("tidemark.ha.slack.ms", 2_000);
  private static final int TTL_SEC = 3;
  private static final long CRASH_LIMIT_MS = TimeUnit.SECONDS.toMillis(TTL_SEC + 1);
  private static final long HAND_OVER_LIMIT_MS = 300;
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private HaCluster cluster;
  private ViewProbe probe;
  private int ended;

  @Test
  void theTimeWithoutAServerIsShort(Evidence evidence) throws Exception {
    Map<String, String> flags =
        Map.of("ha_leader_lease_ttl_sec", Integer.toString(TTL_SEC), "min_in_sync", "2");
    cluster = HaCluster.start(evidence, 3, flags);
    probe = evidence.own(new ViewProbe(cluster));
    Thread thread = cluster.here().thread("probe", probe);
    thread.start();
    List<Long> crashes = new ArrayList<>();
    List<Long> requests = new ArrayList<>();
    List<Long> stops = new ArrayList<>();
    List<Long> planned = new ArrayList<>();
    for (int i = 0; i < ROUNDS; i++) {
      planned(requests, stops, planned);
      crashes.add(gap(leader -> cluster.member(leader).kill()));
      restartTheEnded();
    }
    probe.close();
    print("kill -9, lease of " + TTL_SEC + " s", crashes);
    print("transfer-leadership", requests);
    print("SIGTERM", stops);
    print("without a view", viewGaps());
    assertThat(refusals()).as("refusals by whom a new view names").isEmpty();
    assertThat(Collections.max(crashes)).isLessThan(CRASH_LIMIT_MS + SLACK_MS);
    assertThat(Collections.max(planned)).isLessThan(HAND_OVER_LIMIT_MS + SLACK_MS);
  }

  /** One of each kind, into the list of its kind and that of all. */
  private void planned(List<Long> requests, List<Long> stops, List<Long> all) {
    requests.add(gap(cluster::transfer));
    stops.add(gap(leader -> cluster.member(leader).process().process().destroy()));
    restartTheEnded();
    all.add(requests.get(requests.size() - 1));
    all.add(stops.get(stops.size() - 1));
  }

  /** What ends a leadership. */
  @FunctionalInterface
  private interface End {
    void of(int leader);
  }

  /** Ends a leadership; gives the time without a server in ms. All are in sync afterwards. */
  private long gap(End end) {
    cluster.awaitInSync(cluster.size(), LIMIT);
    for (int i = 0; i < cluster.size(); i++) {
      MasterProcess member = cluster.member(i);
      Await.until("it is warm", LIMIT, () -> member.hasLogged("event=promotion_rehearsed"));
    }
    int leader = cluster.awaitLeader(LIMIT);
    Sight before = cluster.watch().now();
    Await.until("the probe is served", LIMIT, () -> servedBy(before));
    ended = leader;
    end.of(leader);
    long again =
        Await.until(
            "the probe is served by the next leader",
            LIMIT,
            () -> probe.firstServedBehind(before),
            nanos -> nanos >= 0);
    long last =
        probe.tries().stream()
            .filter(each -> each.served() && each.view() == before)
            .mapToLong(ViewProbe.Try::beganNanos)
            .max()
            .orElseThrow();
    return TimeUnit.NANOSECONDS.toMillis(again - last);
  }

  private boolean servedBy(Sight view) {
    return probe.tries().stream().anyMatch(each -> each.served() && each.view() == view);
  }

  /** Whoever was ended is started again; when asked to stop it answers clients for a while yet. */
  private void restartTheEnded() {
    cluster.member(ended).process().awaitExit(LIMIT);
    cluster.member(ended).start();
  }

  private List<Long> viewGaps() {
    List<Long> gaps = new ArrayList<>();
    List<Sight> sights = cluster.watch().all();
    for (int i = 2; i < sights.size(); i++) {
      if (sights.get(i - 1).value().isEmpty()) {
        gaps.add(TimeUnit.NANOSECONDS.toMillis(sights.get(i).nanos() - sights.get(i - 1).nanos()));
      }
    }
    return gaps;
  }

  private List<ViewProbe.Try> refusals() {
    return probe.tries().stream()
        .filter(each -> each.first() && each.outcome() == ViewProbe.Outcome.REFUSED)
        .toList();
  }

  private static long median(List<Long> gapsMs) {
    List<Long> sorted = gapsMs.stream().sorted().toList();
    int half = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(half)
        : (sorted.get(half - 1) + sorted.get(half)) / 2;
  }

  private static void print(String what, List<Long> gapsMs) {
    System.out.printf(
        "no server, %s: median %d ms, longest %d ms, all %s%n",
        what, median(gapsMs), Collections.max(gapsMs), gapsMs);
  }
}
