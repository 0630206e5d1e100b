package io.tidemark.chaos.process;

import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Two of a wheel's own masters with an etcd of their own: one leads, the other follows what the
 * first writes into etcd as its log of operations. The best that upstream has against the loss of a
 * master.
 */
public final class UpstreamCluster implements AutoCloseable {
  private static final Duration FORM_LIMIT = Duration.ofSeconds(90);
  private static final int ANSWER_LIMIT_MS = 5_000;

  private final EtcdProcess etcd;
  private final List<MasterProcess> masters = new ArrayList<>();

  private UpstreamCluster(EtcdProcess etcd) {
    this.etcd = etcd;
  }

  /** Starts etcd and masters; the first leads and serves, the second follows. */
  public static UpstreamCluster start(Evidence evidence, String name, Release release) {
    EtcdProcess etcd = evidence.own(EtcdProcess.start(evidence.folder(name + "-etcd")));
    UpstreamCluster cluster = new UpstreamCluster(etcd);
    Map<String, String> flags =
        Map.of(
            "enable_ha", "true",
            "enable_oplog", "true",
            "ha_backend_type", "etcd",
            "etcd_endpoints", etcd.endpoint(),
            "cluster_id", name);
    for (int i = 0; i < 2; i++) {
      MasterProcess master =
          MasterProcess.prepare(
              evidence, name + "-" + i, MasterProgram.upstream(release), Host.LOOPBACK, flags);
      cluster.masters.add(master);
      master.launch();
      String wanted = i == 0 ? "leader" : "standby";
      Await.until("it is " + wanted, FORM_LIMIT, () -> role(master).contains(wanted));
    }
    cluster.masters.get(0).awaitListening();
    return cluster;
  }

  private static String role(MasterProcess master) {
    master.process().requireAlive();
    try {
      URL url = new URL("http://" + master.metricsAddress() + "/role");
      HttpURLConnection connection = (HttpURLConnection) url.openConnection();
      connection.setConnectTimeout(ANSWER_LIMIT_MS);
      connection.setReadTimeout(ANSWER_LIMIT_MS);
      try (InputStream body = connection.getInputStream()) {
        return new String(body.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException notYet) {
      return "";
    }
  }

  /** What elects. */
  public EtcdProcess etcd() {
    return etcd;
  }

  /** The one that leads from the beginning on. */
  public MasterProcess leader() {
    return masters.get(0);
  }

  /** Ends all of it. */
  @Override
  public void close() {
    masters.forEach(master -> master.process().close());
    etcd.close();
  }
}
