package io.tidemark.chaos.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.FreePorts;
import io.tidemark.chaos.process.HaCluster;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.MasterSettings;
import io.tidemark.chaos.process.OsProcess;
import io.tidemark.chaos.process.RealProcesses;
import io.tidemark.testkit.etcd.Certificates;
import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Masters whose etcd wants certificates and a login, and grants the login what masters need and no
 * more: they elect, a standby takes over, and one with a wrong password ends at its start
 * (HA-REQ-076).
 */
@RealProcesses
@Timeout(300)
class SecuredEtcdTest {
  private static final int ETCD_DENIED = 9;
  private static final Duration PATIENCE = Duration.ofSeconds(40);
  private static final String ADMIN = "root:admin-secret";
  private static final String USER = "masters";
  private static final String PASSWORD = "masters-secret";

  private Evidence evidence;
  private EtcdProcess etcd;

  @Test
  void mastersElectAndTakeOverWithCertificatesAndALogin(Evidence given) throws Exception {
    evidence = given;
    Certificates authority = new Certificates(evidence.folder("certificates"), "ca");
    etcd =
        evidence.own(EtcdProcess.start(evidence.folder("etcd"), authority.server("etcd-server")));
    grantWhatMastersNeed();
    Map<String, String> flags = new HashMap<>(access(authority, PASSWORD));
    flags.put("ha_leader_lease_ttl_sec", "3");
    HaCluster cluster = HaCluster.join(evidence, etcd, HaCluster.Plan.of(2, flags));
    try (FollowingCaller caller = new FollowingCaller(cluster, PATIENCE)) {
      OneClient client = new OneClient(caller, 1L << 26);
      int first = cluster.awaitLeader(PATIENCE);
      client.remount();
      client.put("before", 1000);
      cluster.member(first).kill();
      client.remount();
      client.put("after", 1000);
      assertThat(cluster.awaitLeader(PATIENCE)).isNotEqualTo(first);
      client.requireThere(List.of("before"));
      cluster.member(first).start();
      cluster.awaitInSync(2, PATIENCE);
    }
    aWrongPasswordEndsTheStart(authority);
  }

  private void grantWhatMastersNeed() {
    etcd.ctl("user", "add", ADMIN);
    etcd.ctl("user", "grant-role", "root", "root");
    etcd.ctl("role", "add", USER);
    String own = "tidemark/mooncake_cluster/";
    etcd.ctl("role", "grant-permission", "--prefix=true", USER, "readwrite", own);
    String view = "mooncake-store/mooncake_cluster/master_view";
    etcd.ctl("role", "grant-permission", USER, "readwrite", view);
    etcd.ctl("role", "grant-permission", USER, "readwrite", "tidemark-raise/mooncake_cluster");
    etcd.ctl("user", "add", USER + ":" + PASSWORD);
    etcd.ctl("user", "grant-role", USER, USER);
    etcd.ctl("auth", "enable");
    etcd.logIn(ADMIN);
  }

  private Map<String, String> access(Certificates authority, String password) throws IOException {
    Certificates.Pair own = authority.pair("client-of-" + password);
    Path file = evidence.folder("certificates").resolve("password-" + password);
    Files.writeString(file, password + "\n");
    return Map.of(
        "etcd_ca_file", authority.ca().toString(),
        "etcd_cert_file", own.certificate().toString(),
        "etcd_key_file", own.key().toString(),
        "etcd_user", USER,
        "etcd_password_file", file.toString());
  }

  private void aWrongPasswordEndsTheStart(Certificates authority) throws IOException {
    Map<String, String> flags = new HashMap<>(access(authority, "wrong"));
    flags.put("enable_ha", "true");
    flags.put("etcd_endpoints", etcd.endpoint());
    flags.put("replication_port", Integer.toString(FreePorts.next()));
    MasterSettings settings =
        new MasterSettings(
            Host.LOOPBACK.address(),
            FreePorts.next(),
            FreePorts.next(),
            evidence.folder("refused-data"),
            flags);
    OsProcess refused =
        OsProcess.start(
            evidence,
            "refused",
            MasterProgram.TIDEMARK.command(settings),
            MasterProgram.TIDEMARK.environment());
    assertThat(refused.awaitExit(PATIENCE)).as(refused.lastWords()).isEqualTo(ETCD_DENIED);
    assertThat(Files.readString(evidence.folder().resolve("refused.err")))
        .contains("etcd refuses this member")
        .contains("authentication failed")
        .contains("--etcd_password_file")
        .doesNotContain("\tat ");
  }
}
