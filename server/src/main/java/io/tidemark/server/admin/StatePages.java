package io.tidemark.server.admin;

import io.tidemark.core.MasterView;

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
            + ",\"leader_address\":null,\"view_version\":null}");
  }

  AdminResponse role(AdminRequest request) {
    return AdminResponse.word(200, roleName());
  }

  AdminResponse haStatus(AdminRequest request) {
    return AdminResponse.word(200, stateName());
  }

  /** A single master has no published leader. */
  AdminResponse leader(AdminRequest request) {
    return AdminResponse.json(
        200, "{\"present\":false,\"leader_address\":null,\"view_version\":null}");
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
    return serving() ? "leader" : "standby";
  }

  private String stateName() {
    return serving() ? "serving" : "standby";
  }

  private boolean serving() {
    MasterView view = context.master().view();
    return view.isServing();
  }
}
