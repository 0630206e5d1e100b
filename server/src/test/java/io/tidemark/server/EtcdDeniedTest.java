package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testkit.etcd.EtcdProcess;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** HA-REQ-076: a member that etcd does not let in ends, and says why. */
@Tag("process")
@Timeout(120)
class EtcdDeniedTest {
  @TempDir Path folder;

  @Test
  void aWrongLoginEndsTheStartWithAStatusOfItsOwn() throws IOException {
    Path password = Files.writeString(folder.resolve("password"), "wrong\n");
    try (EtcdProcess etcd = EtcdProcess.start(Files.createDirectory(folder.resolve("etcd")))) {
      etcd.ctl("user", "add", "root:secret");
      etcd.ctl("user", "grant-role", "root", "root");
      etcd.ctl("auth", "enable");
      ByteArrayOutputStream err = new ByteArrayOutputStream();
      ExitCode code =
          new Main()
              .run(
                  List.of(
                      "--data_dir=" + folder.resolve("data"),
                      "--rpc_address=127.0.0.1",
                      "--rpc_port=" + freePort(),
                      "--metrics_port=" + freePort(),
                      "--replication_port=" + freePort(),
                      "--enable_ha",
                      "--etcd_endpoints=" + etcd.endpoint(),
                      "--etcd_user=root",
                      "--etcd_password_file=" + password),
                  new PrintStream(new ByteArrayOutputStream(), true, StandardCharsets.UTF_8),
                  new PrintStream(err, true, StandardCharsets.UTF_8));
      assertThat(code).isEqualTo(ExitCode.ETCD_DENIED);
      String said = err.toString(StandardCharsets.UTF_8);
      assertThat(said).contains("authentication failed").contains("--etcd_password_file");
      assertThat(said.lines()).hasSize(1);
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
