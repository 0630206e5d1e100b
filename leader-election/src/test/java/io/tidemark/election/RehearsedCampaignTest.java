package io.tidemark.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.api.ha.Candidate;
import io.tidemark.api.ha.ClusterView;
import io.tidemark.api.ha.Coordinator.Outcome;
import io.tidemark.api.ha.Coordinator.Verdict;
import io.tidemark.api.ha.Leadership;
import io.tidemark.api.ha.Member;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A campaign for show wins nothing, publishes nothing and leaves no lease. */
@Tag("process")
@Timeout(60)
class RehearsedCampaignTest {
  private static final UUID CLUSTER = new UUID(0xC, 1);
  private static final Member SELF = new Member(new UUID(0xA, 1), new UUID(1, 1));
  private static final Candidate CANDIDATE = new Candidate(SELF, CLUSTER, 0, "127.0.0.1:1");

  @TempDir Path folder;

  @Test
  void aRehearsalChangesNothingWhetherSomebodyLeadsOrNot() throws Exception {
    try (EtcdProcess etcd = EtcdProcess.start(folder);
        EtcdCoordinator own = open(etcd)) {
      assertThat(Waiting.value(own.createCluster(CLUSTER, SELF)).isDone()).isTrue();
      rehearse(own, etcd, "no leases", "found 0 leases");
      Leadership held = Waiting.value(own.campaign(CANDIDATE)).value();
      assertThat(Waiting.value(own.publishView(held, "127.0.0.1:2", 0)).isDone()).isTrue();
      rehearse(own, etcd, "the leader's", "found 1 leases");
      assertThat(own.fencedAtNanos(held)).isGreaterThan(System.nanoTime());
      assertThat(Waiting.value(own.resign(held)).isDone()).isTrue();
    }
  }

  @Test
  void aCampaignUsesTheLeaseThatWasGotForIt() {
    try (EtcdProcess etcd = EtcdProcess.start(folder);
        EtcdCoordinator own = open(etcd)) {
      assertThat(Waiting.value(own.createCluster(CLUSTER, SELF)).isDone()).isTrue();
      ClusterView seen = Waiting.value(own.read()).value();
      own.prepareCampaign();
      own.prepareCampaign();
      Outcome<Leadership> won = Waiting.value(own.campaign(CANDIDATE, seen));
      assertThat(won.verdict()).as(won.detail()).isEqualTo(Verdict.DONE);
      assertThat(etcd.ctl("lease", "list")).contains("found 1 leases");
      assertThat(own.fencedAtNanos(won.value())).isGreaterThan(System.nanoTime());
      assertThat(Waiting.value(own.campaign(CANDIDATE, seen)).verdict())
          .as("by what was seen before")
          .isEqualTo(Verdict.REFUSED);
    }
  }

  private static void rehearse(EtcdCoordinator own, EtcdProcess etcd, String what, String leases)
      throws Exception {
    ClusterView before = Waiting.value(own.read()).value();
    own.rehearse(CANDIDATE).get(20, TimeUnit.SECONDS);
    assertThat(Waiting.value(own.read()).value())
        .usingRecursiveComparison()
        .ignoringFields("revision")
        .isEqualTo(before);
    assertThat(etcd.ctl("lease", "list")).as(what).contains(leases);
  }

  private static EtcdCoordinator open(EtcdProcess etcd) {
    return new EtcdCoordinator(EtcdSettings.of(etcd.endpoint(), "rehearsal"), System::nanoTime);
  }
}
