package io.tidemark.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.oplog.ChronicleLog;
import io.tidemark.oplog.LogOptions;
import io.tidemark.oplog.MemberFacts;
import io.tidemark.oplog.MemberFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts that end at once; the rest of the process is tested from outside. */
class MainTest {

  @TempDir Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  private ExitCode run(String... arguments) {
    return new Main().run(List.of(arguments), print(out), print(err));
  }

  private static PrintStream print(ByteArrayOutputStream to) {
    return new PrintStream(to, true, StandardCharsets.UTF_8);
  }

  @Test
  void helpNamesEveryFlagInGroups() {
    assertThat(run("--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString(StandardCharsets.UTF_8))
        .startsWith("Usage: tidemark master")
        .contains("\nClient port\n  --rpc_port=0\n")
        .contains("--persist=page")
        .contains("snapshot_backup_dir")
        .doesNotContainPattern("(?m)^.{121,}$");
  }

  @Test
  void versionNamesTheProgram() {
    assertThat(run("--version")).isEqualTo(ExitCode.OK);
    assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("tidemark ");
  }

  @Test
  void badSettingsEndWithStatusOneAndOneSentence() {
    assertThat(run("--rpc_prot=1").status()).isEqualTo(1);
    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .singleElement()
        .asString()
        .contains("did you mean --rpc_port?");
  }

  @Test
  void aDataDirectoryThatCannotBeMadeIsSaid() throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    assertThat(run("--data_dir=" + file.resolve("data"))).isEqualTo(ExitCode.DIRECTORY_UNUSABLE);
    assertThat(err.toString(StandardCharsets.UTF_8)).contains(file.toString());
  }

  @Test
  void aUsedPortEndsTheStartAndLeavesTheDirectoryFree() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String[] flags = {
        "--data_dir=" + directory.resolve("data"),
        "--metrics_host=127.0.0.1",
        "--metrics_port=" + taken.getLocalPort(),
        "--rpc_address=127.0.0.1",
        "--rpc_port=1"
      };
      assertThat(run(flags)).isEqualTo(ExitCode.PORT_UNAVAILABLE);
      assertThat(err.toString(StandardCharsets.UTF_8)).contains("the admin port can't be opened");
      assertThat(run(flags)).isEqualTo(ExitCode.PORT_UNAVAILABLE);
      assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("Master service started");
    }
  }

  @Test
  void aMembersDirectoryIsNoSingleMasters() {
    Path data = directory.resolve("data");
    ChronicleLog.open(LogOptions.defaults(data)).log().close(true);
    new MemberFile(data).write(MemberFacts.NONE.ofCluster(new UUID(1, 2)));
    assertThat(run("--data_dir=" + data)).isEqualTo(ExitCode.DIRECTORY_UNUSABLE);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("belongs to a member of cluster " + new UUID(1, 2))
        .contains("--enable_ha");
    assertThat(data.resolve("CLEAN-STOP")).exists();
  }

  @Test
  void aMemberWhoseReplicationPortIsUsedEndsAndLeavesTheDirectoryFree() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String[] flags = {
        "--data_dir=" + directory.resolve("data"),
        "--rpc_address=127.0.0.1",
        "--enable_ha",
        "--etcd_endpoints=127.0.0.1:1",
        "--replication_port=" + taken.getLocalPort()
      };
      assertThat(run(flags)).isEqualTo(ExitCode.PORT_UNAVAILABLE);
      assertThat(err.toString(StandardCharsets.UTF_8)).contains("--replication_port");
      assertThat(run(flags)).isEqualTo(ExitCode.PORT_UNAVAILABLE);
    }
  }

  @Test
  void aMemberWhoseAdminPortIsUsedEndsAndLeavesTheDirectoryFree() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int replicationPort = free.getLocalPort();
      free.close();
      String[] flags = {
        "--data_dir=" + directory.resolve("data"),
        "--rpc_address=127.0.0.1",
        "--metrics_host=127.0.0.1",
        "--metrics_port=" + taken.getLocalPort(),
        "--enable_ha",
        "--etcd_endpoints=127.0.0.1:1",
        "--replication_port=" + replicationPort
      };
      assertThat(run(flags)).isEqualTo(ExitCode.PORT_UNAVAILABLE);
      assertThat(err.toString(StandardCharsets.UTF_8)).contains("the admin port can't be opened");
      assertThat(run(flags)).isEqualTo(ExitCode.PORT_UNAVAILABLE);
    }
  }
}
