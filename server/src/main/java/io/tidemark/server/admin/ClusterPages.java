package io.tidemark.server.admin;

import io.tidemark.api.ErrorCode;
import io.tidemark.api.ha.Member;
import io.tidemark.core.MasterView;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.server.ha.NodeStatus;
import io.tidemark.server.node.ForcedTakeover;
import java.util.Locale;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;

/** The cluster as this master sees it, and handing its leadership to another. */
final class ClusterPages {
  private final Optional<MemberControl> member;
  private final MasterView view;

  ClusterPages(AdminContext context) {
    member = context.member();
    view = context.master().view();
  }

  AdminResponse show(AdminRequest request) {
    return AdminResponse.json(
        200, member.map(control -> text(control.status())).orElseGet(this::alone));
  }

  private String alone() {
    return "{\"ha\":false,\"role\":\"leader\",\"service_ready\":"
        + view.isServing()
        + ",\"epoch\":"
        + view.epoch()
        + ",\"commit_index\":"
        + view.committedIndex()
        + ",\"log_end\":"
        + view.logEnd().index()
        + "}";
  }

  private String text(NodeStatus status) {
    StringJoiner fields = new StringJoiner(",", "{", "}");
    fields.add("\"ha\":true");
    fields.add("\"role\":" + Json.quoted(status.role().name().toLowerCase(Locale.ROOT)));
    fields.add("\"why\":" + Json.quoted(status.why()));
    fields.add("\"service_ready\":" + view.isServing());
    fields.add("\"handing_over\":" + status.handingOver());
    fields.add("\"epoch\":" + status.epoch());
    fields.add("\"cluster\":" + status.cluster().map(ClusterPages::id).orElse("null"));
    fields.add("\"node\":" + id(status.self().node()));
    fields.add("\"incarnation\":" + id(status.self().incarnation()));
    fields.add("\"in_sync\":" + members(status));
    fields.add("\"min_in_sync\":" + status.minInSync());
    fields.add("\"standbys\":" + standbys(status));
    fields.add("\"commit_index\":" + status.commitIndex());
    fields.add("\"applied_index\":" + status.appliedIndex());
    fields.add("\"log_end\":" + status.logEnd());
    fields.add("\"lease_left_ms\":" + status.leaseLeftMs());
    fields.add("\"leader_address\":" + orNull(status.leaderAddress()));
    fields.add("\"view_version\":" + (status.viewVersion() == 0 ? "null" : status.viewVersion()));
    fields.add("\"leader_replication\":" + orNull(status.leaderReplication()));
    fields.add("\"attached\":" + status.attached());
    return fields.toString();
  }

  private static String members(NodeStatus status) {
    StringJoiner items = new StringJoiner(",", "[", "]");
    status.inSync().forEach(m -> items.add("{" + member(m) + "}"));
    return items.toString();
  }

  private static String standbys(NodeStatus status) {
    StringJoiner items = new StringJoiner(",", "[", "]");
    for (NodeStatus.Standby standby : status.standbys()) {
      items.add(
          "{"
              + member(standby.member())
              + ",\"state\":"
              + Json.quoted(standby.state())
              + ",\"in_sync\":"
              + standby.inSync()
              + ",\"durable_index\":"
              + standby.durableIndex()
              + ",\"applied_index\":"
              + standby.appliedIndex()
              + ",\"lag_entries\":"
              + standby.lagEntries()
              + ",\"lag_bytes\":"
              + standby.lagBytes()
              + ",\"lag_ms\":"
              + standby.lagMs()
              + "}");
    }
    return items.toString();
  }

  private static String member(Member member) {
    return "\"node\":" + id(member.node()) + ",\"incarnation\":" + id(member.incarnation());
  }

  private static String id(UUID id) {
    return "\"" + id + "\"";
  }

  private static String orNull(String text) {
    return text.isEmpty() ? "null" : Json.quoted(text);
  }

  /** Lets this node lead although entries may be missing; answers what may be lost, or why not. */
  AdminResponse forceStart(AdminRequest request) {
    if (member.isEmpty()) {
      return AdminResponse.error(
          409,
          ErrorCode.UNAVAILABLE_IN_CURRENT_MODE.value(),
          "This is a single master; --forced_start is what it has");
    }
    Optional<UUID> cluster = request.parameter("cluster").flatMap(ClusterPages::uuid);
    if (cluster.isEmpty()) {
      return AdminResponse.error(
          400, ErrorCode.INVALID_PARAMS.value(), "cluster must be the cluster's UUID");
    }
    ForcedTakeover.Answer answer =
        member
            .get()
            .forceStart(
                new ForcedTakeover.Request(
                    cluster.get(), isSet(request, "keep_memory"), isSet(request, "forget_views")));
    return answer.ordered()
        ? AdminResponse.json(
            200, "{\"success\":true,\"detail\":" + Json.quoted(answer.detail()) + "}")
        : AdminResponse.error(
            409, ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value(), "Not forced: " + answer.detail());
  }

  private static boolean isSet(AdminRequest request, String name) {
    return request.parameter(name).filter("true"::equals).isPresent();
  }

  private static Optional<UUID> uuid(String text) {
    try {
      return Optional.of(UUID.fromString(text));
    } catch (IllegalArgumentException none) {
      return Optional.empty();
    }
  }

  /** Gives the leadership away; answers once that is done, or why it was not. */
  AdminResponse transfer(AdminRequest request) {
    if (member.isEmpty()) {
      return AdminResponse.error(
          409,
          ErrorCode.UNAVAILABLE_IN_CURRENT_MODE.value(),
          "This is a single master; there is nobody to hand over to");
    }
    Optional<String> refusal = member.get().transferLeadership();
    return refusal
        .map(
            why ->
                AdminResponse.error(
                    409,
                    ErrorCode.UNAVAILABLE_IN_CURRENT_STATUS.value(),
                    "Not handed over: " + why))
        .orElseGet(() -> AdminResponse.json(200, "{\"success\":true}"));
  }
}
