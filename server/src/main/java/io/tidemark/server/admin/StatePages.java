package io.tidemark.server.admin;

import io.tidemark.core.MasterView;
import io.tidemark.server.ha.MemberControl;
import io.tidemark.server.ha.NodeStatus;
import java.util.Optional;

/** Who this master is and how it does: version, role, probes. Never waits. */
final class StatePages {

  private final AdminContext context;

  StatePages(AdminContext context) {
    this.context = context;
  }

  AdminResponse version(AdminRequest request) {
    return AdminResponse.json(
        200,
        "{\"version\":"
            + Json.quoted(context.serviceVersion())
            + ",\"display_version\":"
            + Json.quoted(context.displayVersion())
            + "}");
  }

  AdminResponse health(AdminRequest request) {
    return AdminResponse.json(
        200,
        "{\"status\":\"ok\",\"role\":\""
            + roleName()
            + "\",\"ha_state\":\""
            + stateName()
            + "\",\"service_ready\":"
            + serving()
            + ","
            + published()
            + "}");
  }

  AdminResponse role(AdminRequest request) {
    return AdminResponse.word(200, roleName());
  }

  AdminResponse haStatus(AdminRequest request) {
    return AdminResponse.word(200, stateName());
  }

  /** A single master has no published leader. */
  AdminResponse leader(AdminRequest request) {
    boolean present = status().filter(s -> !s.leaderAddress().isEmpty()).isPresent();
    return AdminResponse.json(200, "{\"present\":" + present + "," + published() + "}");
  }

  private String published() {
    Optional<NodeStatus> known = status().filter(s -> !s.leaderAddress().isEmpty());
    return "\"leader_address\":"
        + known.map(s -> Json.quoted(s.leaderAddress())).orElse("null")
        + ",\"view_version\":"
        + known.map(s -> Long.toString(s.viewVersion())).orElse("null");
  }

  /** The process runs and its admin loop turns. */
  AdminResponse live(AdminRequest request) {
    return AdminResponse.word(200, "live");
  }

  /** Clients are served. */
  AdminResponse ready(AdminRequest request) {
    return serving() ? AdminResponse.word(200, "ready") : AdminResponse.word(503, "not ready");
  }

  /** This node leads. */
  AdminResponse leading(AdminRequest request) {
    return serving() ? AdminResponse.word(200, "leader") : AdminResponse.word(503, "not leader");
  }

  private String roleName() {
    return status().map(NodeStatus::roleName).orElse(serving() ? "leader" : "standby");
  }

  private String stateName() {
    return status().map(NodeStatus::stateName).orElse(serving() ? "serving" : "standby");
  }

  private Optional<NodeStatus> status() {
    return context.member().map(MemberControl::status);
  }

  private boolean serving() {
    MasterView view = context.master().view();
    return view.isServing();
  }
}
