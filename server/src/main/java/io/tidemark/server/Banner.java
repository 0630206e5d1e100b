package io.tidemark.server;

import io.tidemark.api.log.RecoveryReport;
import io.tidemark.core.MasterView;
import io.tidemark.server.config.FlagSpec;
import io.tidemark.server.config.FlagStatus;
import io.tidemark.server.config.FlagValues;
import io.tidemark.server.config.HaConfig;
import io.tidemark.server.config.LoadedConfig;
import io.tidemark.server.config.ServerConfig;
import java.net.URI;
import java.util.StringJoiner;
import java.util.stream.Collectors;

/** What the process says once its ports are open. */
final class Banner {

  /** What happened before the ports opened. */
  record Start(RecoveryReport recovery, boolean droppedMemoryReplicas, long startMillis) {}

  private Banner() {}

  /**
   * The line that integration scripts of Mooncake wait for, with every setting that has an effect.
   */
  static String startedLine(LoadedConfig loaded, int clientPort) {
    StringJoiner line = new StringJoiner(", ");
    line.add("Master service started on port " + clientPort);
    line.add("max_threads=" + loaded.config().rpc().threads());
    FlagValues values = loaded.values();
    for (FlagSpec flag : values.flags()) {
      boolean works = flag.status() == FlagStatus.SERVED || flag.status() == FlagStatus.PARTLY;
      if (works && !flag.group().equals("General")) {
        line.add(flag.name() + "=" + shown(flag.name(), values.text(flag.name())));
      }
    }
    return line.toString();
  }

  /** A few lines for the person at the terminal. */
  static String block(ServerConfig config, Edges edges, MasterView view, Start start) {
    String lines =
        """
        %s is serving.
          clients      %s:%d  (master_server_addr of any Mooncake client from v0.3.10.post2 to v0.3.14)
          admin        http://%s:%d  (/health, /metrics, /get_segments_detail, …)
        %s  data         %s
          durability   %s
          recovered    %s
        """;
    return lines.formatted(
        Version.display(),
        reachable(config.rpc().host()),
        edges.clientPort(),
        reachable(config.admin().host()),
        edges.adminPort(),
        metadataLine(config, edges),
        config.storage().dataDir(),
        durability(config),
        recovered(view, start));
  }

  /** The same for a member of a cluster, which does not know yet what it will be. */
  static String memberBlock(ServerConfig config, Edges edges) {
    HaConfig ha = config.ha().orElseThrow();
    String lines =
        """
        %s is a member of cluster %s.
          clients      etcd://%s  (Mooncake clients find the leader there; this node answers on %s)
          others       %s
          admin        http://%s:%d  (/api/v1/cluster, /health/leader, /metrics, …)
        %s  data         %s
          durability   %s
        """;
    return lines.formatted(
        Version.display(),
        ha.etcd().clusterId(),
        ha.etcd().endpoints().stream().map(URI::getAuthority).collect(Collectors.joining(";")),
        ha.clientAddress(),
        ha.replicationAddress(),
        reachable(config.admin().host()),
        edges.adminPort(),
        metadataLine(config, edges),
        config.storage().dataDir(),
        durability(config));
  }

  private static String metadataLine(ServerConfig config, Edges edges) {
    return config.metadata().enabled()
        ? "  metadata     http://"
            + reachable(config.metadata().host())
            + ":"
            + edges.metadataPort()
            + "/metadata\n"
        : "";
  }

  private static String durability(ServerConfig config) {
    return config.storage().forceToDisk()
        ? "persist=disk: what is acknowledged is on disk; it survives a power loss"
        : "persist=page: what is acknowledged survives the death of this process; after a power loss memory replicas"
            + " are dropped (--persist=disk keeps them)";
  }

  private static String recovered(MasterView view, Start start) {
    if (start.recovery().newDirectory()) {
      return "nothing, this is a new log; epoch "
          + view.epoch()
          + ", "
          + start.startMillis()
          + " ms";
    }
    String text =
        start.recovery().end().index()
            + " log entries, "
            + view.objectCount()
            + " objects, epoch "
            + view.epoch()
            + ", "
            + start.startMillis()
            + " ms, "
            + (start.recovery().cleanStop() ? "after a clean stop" : "after an unclean stop");
    return start.droppedMemoryReplicas()
        ? text + "; memory replicas were dropped, see the log lines above"
        : text;
  }

  private static String reachable(String host) {
    boolean all = host.equals("0.0.0.0") || host.equals("::");
    return all ? "127.0.0.1" : host.contains(":") ? "[" + host + "]" : host;
  }

  private static String shown(String name, String value) {
    return name.equals("admin_token") && !value.isEmpty() ? "(set)" : value;
  }
}
