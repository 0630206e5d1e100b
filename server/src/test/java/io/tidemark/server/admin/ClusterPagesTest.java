package io.tidemark.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.api.ha.Member;
import io.tidemark.election.EtcdFigures;
import io.tidemark.oplog.LogTimes;
import io.tidemark.oplog.replication.ReplicationCounter;
import io.tidemark.oplog.replication.ReplicationCounters;
import io.tidemark.server.FakeMaster;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.server.ha.MemberFigures;
import io.tidemark.server.ha.NodeStatus;
import io.tidemark.server.metrics.MetricSources;
import io.tidemark.server.metrics.MetricsPage;
import io.tidemark.server.metrics.RequestMetrics;
import io.tidemark.server.metrics.ServerMetrics;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.metrics.SummaryText;
import io.tidemark.server.node.ForcedTakeover;
import io.tidemark.server.node.NodeRole;
import io.tidemark.server.replication.LinkFigures;
import io.tidemark.wire.ProfileRegistry;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class ClusterPagesTest {
  private static final Member SELF = new Member(new UUID(0, 1), new UUID(0, 2));
  private static final Member OTHER = new Member(new UUID(0, 3), new UUID(0, 4));

  private final FakeMaster master = new FakeMaster();
  private NodeStatus status = leader();
  private Optional<String> transferRefusal = Optional.empty();
  private final List<ForcedTakeover.Request> forced = new ArrayList<>();
  private ForcedTakeover.Answer forcedAnswer = new ForcedTakeover.Answer(true, "what is lost");
  private final ReplicationCounters counters = new ReplicationCounters();

  private final MemberControl member =
      new MemberControl() {
        @Override
        public NodeStatus status() {
          return status;
        }

        @Override
        public MemberFigures figures() {
          return new MemberFigures(
              counters,
              new EtcdFigures(11, 0, 0, 0, 0, 0, 0, 0),
              new LinkFigures(),
              5,
              1,
              2,
              0,
              0,
              3,
              0);
        }

        @Override
        public Optional<String> transferLeadership() {
          return transferRefusal;
        }

        @Override
        public ForcedTakeover.Answer forceStart(ForcedTakeover.Request request) {
          forced.add(request);
          return forcedAnswer;
        }
      };

  private final MetricSources sources =
      new MetricSources(
          master,
          new RequestMetrics(),
          new ServerMetrics(),
          new ProfileRegistry()::stats,
          "test",
          "2.0.0",
          0,
          new SnapshotFigures(),
          new LogTimes(),
          Optional.of(member));

  private final Routes routes =
      new Routes(
          new AdminContext(
              master,
              new MetricsPage(sources),
              new SummaryText(sources, System::nanoTime),
              "test",
              "2.0.0",
              () -> CompletableFuture.failedFuture(new IllegalStateException("none")),
              Optional.of(member)));

  @Test
  void aLeaderShowsUpstreamsForms() {
    assertThat(get("/role")).isEqualTo("leader");
    assertThat(get("/ha_status")).isEqualTo("serving");
    assertThat(get("/leader"))
        .isEqualTo("{\"present\":true,\"leader_address\":\"h:50051\",\"view_version\":77}");
    assertThat(get("/health"))
        .isEqualTo(
            "{\"status\":\"ok\",\"role\":\"leader\",\"ha_state\":\"serving\",\"service_ready\":true,"
                + "\"leader_address\":\"h:50051\",\"view_version\":77}");
    assertThat(statusOf("/health/live")).isEqualTo(200);
    assertThat(statusOf("/health/ready")).isEqualTo(200);
    assertThat(statusOf("/health/leader")).isEqualTo(200);
  }

  @Test
  void aStandbyIsNotReadyAndKnowsTheLeader() {
    status = standby(true);
    master.serving = false;
    assertThat(get("/role")).isEqualTo("standby");
    assertThat(get("/ha_status")).isEqualTo("standby");
    assertThat(get("/leader")).contains("\"leader_address\":\"h:50051\"");
    assertThat(statusOf("/health")).isEqualTo(200);
    assertThat(statusOf("/health/live")).isEqualTo(200);
    assertThat(statusOf("/health/ready")).isEqualTo(503);
    assertThat(statusOf("/health/leader")).isEqualTo(503);
    status = standby(false);
    assertThat(get("/ha_status")).isEqualTo("catching_up");
  }

  @Test
  void theClusterPageNamesWhoLacksWhat() throws Exception {
    JsonNode page = new ObjectMapper().readTree(get("/api/v1/cluster"));
    assertThat(page.get("role").asText()).isEqualTo("leader");
    assertThat(page.get("why").asText()).isEqualTo("because");
    assertThat(page.get("epoch").asLong()).isEqualTo(4);
    assertThat(page.get("lease_left_ms").asLong()).isEqualTo(2_500);
    assertThat(page.get("in_sync")).hasSize(2);
    JsonNode lagging = page.get("standbys").get(0);
    assertThat(lagging.get("node").asText()).isEqualTo(OTHER.node().toString());
    assertThat(lagging.get("lag_entries").asLong()).isEqualTo(20);
    assertThat(lagging.get("lag_bytes").asLong()).isEqualTo(2_000);
    assertThat(lagging.get("lag_ms").asLong()).isEqualTo(150);
    assertThat(lagging.get("state").asText()).isEqualTo("replicate");
  }

  @Test
  void aHandOverIsDoneOrRefusedWithTheReason() {
    assertThat(body(find("POST", "/api/v1/transfer_leadership"))).isEqualTo("{\"success\":true}");
    transferRefusal = Optional.of("nobody is there");
    AdminResponse refused = find("POST", "/api/v1/transfer_leadership");
    assertThat(refused.status()).isEqualTo(409);
    assertThat(body(refused)).contains("nobody is there");
  }

  @Test
  void aStartIsForcedOnlyForTheClusterThatWasTyped() {
    String path = "/api/v1/force_start?";
    assertThat(find("POST", path + "cluster=all").status()).isEqualTo(400);
    assertThat(find("POST", path).status()).isEqualTo(400);
    UUID typed = new UUID(9, 9);
    AdminResponse done = find("POST", path + "cluster=" + typed + "&keep_memory=true");
    assertThat(body(done)).isEqualTo("{\"success\":true,\"detail\":\"what is lost\"}");
    assertThat(forced).containsExactly(new ForcedTakeover.Request(typed, true, false));
    forcedAnswer = new ForcedTakeover.Answer(false, "somebody leads");
    AdminResponse refused = find("POST", path + "cluster=" + typed);
    assertThat(refused.status()).isEqualTo(409);
    assertThat(body(refused)).contains("somebody leads");
  }

  @Test
  void theMetricsHaveRoleLagsLeaseAndCounters() {
    counters.add(ReplicationCounter.STALE_EPOCHS_REFUSED, 6);
    String page = get("/metrics");
    assertThat(page)
        .contains("\ntidemark_role{role=\"leader\"} 1\n")
        .contains("\ntidemark_role{role=\"standby\"} 0\n")
        .contains("\ntidemark_epoch 4\n")
        .contains("\ntidemark_in_sync_members 2\n")
        .contains("\ntidemark_lease_left_milliseconds 2500\n")
        .contains("\ntidemark_standby_lag_entries{node=\"" + OTHER.node() + "\"} 20\n")
        .contains("\ntidemark_standby_lag_bytes{node=\"" + OTHER.node() + "\"} 2000\n")
        .contains("\ntidemark_standby_lag_milliseconds{node=\"" + OTHER.node() + "\"} 150\n")
        .contains("\ntidemark_replication_stale_epochs_refused_total 6\n")
        .contains("\ntidemark_etcd_renewals_total 11\n")
        .contains("\ntidemark_leaderships_ended_total 1\n")
        .contains("\ntidemark_calls_refused_not_serving_total 5\n")
        .contains("\nha_standby_state 7\n")
        .contains("\nha_oplog_standby_lag 20\n");
  }

  @Test
  void everyCounterOfReplicationHasItsFamily() {
    String page = get("/metrics");
    for (ReplicationCounter counter : ReplicationCounter.values()) {
      assertThat(page)
          .contains("\ntidemark_replication_" + counter.name().toLowerCase(Locale.ROOT));
    }
  }

  private static NodeStatus leader() {
    return new NodeStatus(
        NodeRole.LEADER,
        "because",
        4,
        Optional.of(new UUID(9, 9)),
        SELF,
        List.of(SELF, OTHER),
        2,
        List.of(new NodeStatus.Standby(OTHER, "replicate", true, 80, 79, 20, 2_000, 150)),
        80,
        100,
        100,
        2_500,
        "h:50051",
        77,
        "",
        false,
        false);
  }

  private static NodeStatus standby(boolean attached) {
    return new NodeStatus(
        NodeRole.STANDBY,
        "following",
        4,
        Optional.of(new UUID(9, 9)),
        SELF,
        List.of(),
        2,
        List.of(),
        80,
        80,
        90,
        0,
        "h:50051",
        77,
        "h:50052",
        attached,
        false);
  }

  private String get(String path) {
    return body(find("GET", path));
  }

  private int statusOf(String path) {
    return find("GET", path).status();
  }

  private AdminResponse find(String method, String path) {
    String[] parts = path.split("\\?", 2);
    String query = parts.length == 2 ? parts[1] : "";
    AdminRequest request = new AdminRequest(1, method, parts[0], query, new byte[0], "", "test");
    return routes.find(method, parts[0]).orElseThrow().page().apply(request);
  }

  private static String body(AdminResponse response) {
    return new String(response.body(), StandardCharsets.UTF_8);
  }
}
