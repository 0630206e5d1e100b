package io.tidemark.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HaConfigTest {
  private static final List<String> ENOUGH =
      List.of(
          "--enable_ha",
          "--etcd_endpoints=http://a:2379;http://b:2379",
          "--rpc_address=10.0.0.1",
          "--cluster_id=c1");

  @Test
  void aSingleMasterHasNone() {
    assertThat(new ConfigLoader().load(List.of()).config().ha()).isEmpty();
  }

  @Test
  void upstreamsFlagsAreEnough() {
    HaConfig ha = load("--rpc_port=7000");
    assertThat(ha.clientAddress()).isEqualTo("10.0.0.1:7000");
    assertThat(ha.replicationAddress()).isEqualTo("10.0.0.1:50052");
    assertThat(ha.etcd().endpoints()).hasSize(2);
    assertThat(ha.etcd().clusterId()).isEqualTo("c1");
    assertThat(ha.etcd().leaseTtlSeconds()).isEqualTo(5);
    assertThat(ha.etcd().tls()).isEmpty();
    assertThat(ha.minInSync()).isOne();
    assertThat(ha.digestMs()).isEqualTo(10_000);
    assertThat(ha.newCluster()).isFalse();
  }

  @Test
  void theGeneralNameOfTheAddressesWins() {
    HaConfig ha = load("--ha_backend_connstring=http://z:1");
    assertThat(ha.etcd().endpoints()).hasSize(1);
    assertThat(ha.etcd().endpoints().get(0).getPort()).isEqualTo(1);
  }

  @Test
  void anIpv6AddressGetsBrackets() {
    assertThat(load("--rpc_address=::1").clientAddress()).isEqualTo("[::1]:50051");
  }

  @Test
  void whatCannotWorkIsRefusedWithItsName() {
    refused("etcd", "--etcd_endpoints=");
    refused("etcd_endpoints", "--etcd_endpoints=ftp://a:1");
    refused("ha_backend_type", "--ha_backend_type=redis");
    refused("rpc_address", "--rpc_address=0.0.0.0");
    refused("replication_port", "--replication_port=0");
    refused("replication_port and rpc_port", "--replication_port=7000", "--rpc_port=7000");
    refused("replication_port and metrics_port", "--replication_port=9003");
    refused("ha_leader_lease_ttl_sec", "--ha_leader_lease_ttl_sec=1");
    refused("min_in_sync", "--min_in_sync=0");
    refused("ha_digest_interval_sec", "--ha_digest_interval_sec=-1");
    refused("forced_start", "--forced_start");
    refused("start_empty", "--start_empty");
    refused("etcd_key_file", "--etcd_cert_file=/c");
    refused("etcd_password_file", "--etcd_user=u");
    refused("not https", "--etcd_ca_file=/ca");
    refused("cluster", "--cluster_id=a/b");
  }

  @Test
  void aNewClusterNeedsHighAvailability() {
    assertThatThrownBy(() -> new ConfigLoader().load(List.of("--new_cluster")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("new_cluster")
        .hasMessageContaining("enable_ha");
  }

  @Test
  void thePasswordIsTheFirstLineOfItsFile(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("password"), "secret\nrest\n");
    HaConfig ha = load("--etcd_user=u", "--etcd_password_file=" + file);
    assertThat(ha.etcd().login().orElseThrow().password()).isEqualTo("secret");
    refused("etcd_password_file", "--etcd_user=u", "--etcd_password_file=" + folder.resolve("no"));
  }

  private static HaConfig load(String... more) {
    List<String> arguments = new ArrayList<>(ENOUGH);
    arguments.addAll(List.of(more));
    return new ConfigLoader().load(arguments).config().ha().orElseThrow();
  }

  private static void refused(String named, String... more) {
    assertThatThrownBy(() -> load(more))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(named);
  }
}
