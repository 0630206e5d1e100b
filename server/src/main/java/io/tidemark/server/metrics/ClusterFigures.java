package io.tidemark.server.metrics;

import io.tidemark.election.EtcdFigures;
import io.tidemark.oplog.replication.ReplicationCounter;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.server.ha.MemberFigures;
import io.tidemark.server.ha.NodeStatus;
import io.tidemark.server.node.NodeRole;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/** Figures of a member of a cluster (HA-REQ-078); a single master has none. Any thread. */
final class ClusterFigures {
  /** Upstream's numbers of a standby's states. */
  private static final Map<NodeRole, Long> UPSTREAM_STATES =
      Map.of(
          NodeRole.BOOTING, 1L,
          NodeRole.RESTORING, 4L,
          NodeRole.STANDBY, 3L,
          NodeRole.PROMOTING, 6L,
          NodeRole.LEADER, 7L,
          NodeRole.FENCED, 4L,
          NodeRole.HALTED, 8L);

  private static final long RECONNECTING = 5;

  private ClusterFigures() {}

  /** Adds everything without labels; wins over what the view of a master that serves says. */
  static void put(Map<String, Long> values, MemberControl member) {
    putStatus(values, member.status());
    MemberFigures figures = member.figures();
    for (ReplicationCounter counter : ReplicationCounter.values()) {
      values.put(
          "tidemark_replication_" + counter.name().toLowerCase(Locale.ROOT) + "_total",
          figures.replication().get(counter));
    }
    putEtcd(values, figures.etcd());
    values.put("tidemark_links_dialed_total", figures.links().dialed.sum());
    values.put("tidemark_links_dials_failed_total", figures.links().dialsFailed.sum());
    values.put("tidemark_links_accepted_total", figures.links().accepted.sum());
    values.put("tidemark_links_turned_away_total", figures.links().turnedAway.sum());
    values.put("tidemark_links_overflows_total", figures.links().overflows.sum());
    values.put("tidemark_links_read_pauses_total", figures.links().pauses.sum());
    values.put("tidemark_links_mute_total", figures.links().mute.sum());
    values.put("tidemark_calls_refused_not_serving_total", figures.refusedCalls());
    values.put("tidemark_leaderships_ended_total", figures.fences());
    values.put("tidemark_leaderships_total", figures.terms());
    values.put("tidemark_alarms_total", figures.alarms());
    values.put("tidemark_node_loop_waiting", figures.loopWaiting());
    values.put("tidemark_node_loop_longest_milliseconds", figures.loopLongestMs());
    values.put("tidemark_node_loop_long_tasks_total", figures.loopLongTasks());
  }

  private static void putStatus(Map<String, Long> values, NodeStatus status) {
    values.put("tidemark_epoch", status.epoch());
    values.put("tidemark_log_index", status.logEnd());
    values.put("tidemark_commit_index", status.commitIndex());
    values.put("tidemark_applied_index", status.appliedIndex());
    values.put("tidemark_in_sync_members", (long) status.inSync().size());
    values.put("tidemark_min_in_sync", (long) status.minInSync());
    values.put("tidemark_connected_standbys", (long) status.standbys().size());
    values.put("tidemark_lease_left_milliseconds", status.leaseLeftMs());
    values.put("tidemark_view_version", status.viewVersion());
    values.put("ha_oplog_last_sequence_id", status.logEnd());
    values.put("ha_oplog_applied_sequence_id", status.appliedIndex());
    values.put("ha_oplog_pending_entries", Math.max(0, status.logEnd() - status.commitIndex()));
    values.put("ha_writer_durable_sequence", status.commitIndex());
    long lag = status.standbys().stream().mapToLong(NodeStatus.Standby::lagEntries).max().orElse(0);
    values.put("ha_oplog_standby_lag", lag);
    boolean alone = status.role() == NodeRole.STANDBY && !status.attached();
    values.put("ha_standby_state", alone ? RECONNECTING : UPSTREAM_STATES.get(status.role()));
  }

  private static void putEtcd(Map<String, Long> values, EtcdFigures etcd) {
    values.put("tidemark_etcd_renewals_total", etcd.renewals());
    values.put("tidemark_etcd_failed_renewals_total", etcd.failedRenewals());
    values.put("tidemark_etcd_reconnects_total", etcd.reconnects());
    values.put("tidemark_etcd_watch_restarts_total", etcd.watchRestarts());
    values.put("tidemark_etcd_refused_calls_total", etcd.refusedCalls());
    values.put("tidemark_etcd_unclear_calls_total", etcd.unclearCalls());
    values.put("tidemark_etcd_denied_calls_total", etcd.deniedCalls());
    values.put("tidemark_etcd_raises_total", etcd.raises());
  }

  /** Series of one role each, 1 for the present one. */
  static void writeRole(StringBuilder page, MetricSpec family, Optional<MemberControl> member) {
    String present =
        member.map(m -> m.status().role().name().toLowerCase(Locale.ROOT)).orElse("leader");
    for (String role : family.fixedValues()) {
      page.append(family.name())
          .append("{role=\"")
          .append(role)
          .append("\"} ")
          .append(role.equals(present) ? 1 : 0)
          .append('\n');
    }
  }

  /** A figure of each connected standby. */
  static void writeStandbys(
      StringBuilder page,
      String name,
      Optional<MemberControl> member,
      ToLongFunction<NodeStatus.Standby> figure) {
    List<NodeStatus.Standby> standbys = member.map(m -> m.status().standbys()).orElse(List.of());
    for (NodeStatus.Standby standby : standbys) {
      page.append(name)
          .append("{node=\"")
          .append(standby.member().node())
          .append("\"} ")
          .append(figure.applyAsLong(standby))
          .append('\n');
    }
  }
}
