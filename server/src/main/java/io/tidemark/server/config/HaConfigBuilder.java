package io.tidemark.server.config;

import io.tidemark.election.EtcdEndpoints;
import io.tidemark.election.EtcdSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Settings of a cluster of masters, from flags; refuses what can't work. */
final class HaConfigBuilder {
  private static final int MAX_PORT = 65_535;
  private static final int MIN_TTL_SEC = 2;
  private static final int MAX_TTL_SEC = 300;
  private static final int MAX_MEMBERS = 9;
  private static final long MAX_DIGEST_INTERVAL_SEC = 86_400;
  private static final long MS_PER_SEC = 1_000;

  private final FlagValues values;

  HaConfigBuilder(FlagValues values) {
    this.values = values;
  }

  /**
   * The settings, empty for a single master.
   *
   * @throws ConfigException naming the setting that is missing or can't be used
   */
  Optional<HaConfig> build(RpcConfig rpc) {
    if (!values.bool("enable_ha")) {
      refuseAlone("new_cluster");
      return Optional.empty();
    }
    refuseInCluster("forced_start");
    refuseInCluster("start_empty");
    String type = values.text("ha_backend_type");
    if (!type.equals("etcd")) {
      throw new ConfigException("ha_backend_type must be etcd, got '" + type + "'");
    }
    EtcdSettings etcd = etcd();
    int replicationPort = (int) values.numberWithin("replication_port", 1, MAX_PORT);
    return Optional.of(
        new HaConfig(
            etcd,
            reachable(rpc.host()),
            rpc.port(),
            replicationPort,
            (int) values.numberWithin("min_in_sync", 1, MAX_MEMBERS),
            MS_PER_SEC * values.numberWithin("ha_digest_interval_sec", 0, MAX_DIGEST_INTERVAL_SEC),
            values.bool("new_cluster")));
  }

  private void refuseAlone(String flag) {
    if (values.bool(flag)) {
      throw new ConfigException(flag + " is for clusters of masters: it needs enable_ha");
    }
  }

  private void refuseInCluster(String flag) {
    if (values.bool(flag)) {
      throw new ConfigException(
          flag + " is for a single master: with enable_ha the others hold what this one lacks");
    }
  }

  private static String reachable(String host) {
    if (host.equals("0.0.0.0") || host.equals("::") || host.isEmpty()) {
      throw new ConfigException(
          "with enable_ha rpc_address must be the address at which clients and other masters reach"
              + " this one, not "
              + (host.isEmpty() ? "empty" : host)
              + "; rpc_interface takes it from a network interface");
    }
    return host;
  }

  private EtcdSettings etcd() {
    int ttlSec = (int) values.numberWithin("ha_leader_lease_ttl_sec", MIN_TTL_SEC, MAX_TTL_SEC);
    try {
      return new EtcdSettings(
          endpoints(),
          values.text("cluster_id"),
          tls(),
          login(),
          EtcdSettings.DEFAULT_CALL_TIMEOUT,
          ttlSec,
          EtcdSettings.DEFAULT_FENCE_MARGIN);
    } catch (IllegalArgumentException unusable) {
      throw new ConfigException("the settings for etcd can't be used: " + unusable.getMessage());
    }
  }

  /** Upstream's order: the general name wins over the older one. */
  private List<URI> endpoints() {
    String general = values.text("ha_backend_connstring");
    String flag = general.isBlank() ? "etcd_endpoints" : "ha_backend_connstring";
    String text = values.text(flag);
    if (text.isBlank()) {
      throw new ConfigException(
          "enable_ha needs etcd: --etcd_endpoints=http://HOST:2379;http://HOST:2379;…");
    }
    try {
      return EtcdEndpoints.parse(text);
    } catch (IllegalArgumentException unreadable) {
      throw new ConfigException(flag + " can't be used: " + unreadable.getMessage());
    }
  }

  private Optional<EtcdSettings.Tls> tls() {
    Optional<Path> ca = file("etcd_ca_file");
    Optional<Path> certificate = file("etcd_cert_file");
    Optional<Path> key = file("etcd_key_file");
    if (certificate.isPresent() != key.isPresent()) {
      throw new ConfigException("etcd_cert_file and etcd_key_file belong together: give both");
    }
    Optional<EtcdSettings.KeyPair> own =
        certificate.map(path -> new EtcdSettings.KeyPair(path, key.orElseThrow()));
    return ca.isPresent() || own.isPresent()
        ? Optional.of(new EtcdSettings.Tls(ca, own))
        : Optional.empty();
  }

  private Optional<EtcdSettings.Login> login() {
    String user = values.text("etcd_user");
    Optional<Path> file = file("etcd_password_file");
    if (user.isEmpty() != file.isEmpty()) {
      throw new ConfigException("etcd_user and etcd_password_file belong together: give both");
    }
    return file.map(path -> new EtcdSettings.Login(user, firstLine(path)));
  }

  private Optional<Path> file(String flag) {
    String text = values.text(flag);
    return text.isBlank() ? Optional.empty() : Optional.of(Path.of(text));
  }

  private static String firstLine(Path file) {
    try (var lines = Files.lines(file)) {
      return lines.findFirst().orElse("");
    } catch (IOException | RuntimeException unreadable) {
      throw new ConfigException("etcd_password_file can't be read: " + unreadable.getMessage());
    }
  }
}
