package io.tidemark.chaos.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.FreePorts;
import io.tidemark.chaos.process.Host;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.MasterProgram;
import io.tidemark.chaos.process.MasterSettings;
import io.tidemark.chaos.process.OsProcess;
import io.tidemark.chaos.process.RealProcesses;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Starts that must not succeed: each ends with its own code and says what to do. */
@RealProcesses
class BadStartTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @Test
  void aSecondMasterOnTheSameDirectoryIsRefusedAndTheFirstGoesOn(Evidence evidence)
      throws Exception {
    MasterProcess first =
        MasterProcess.start(evidence, "first", MasterProgram.TIDEMARK, Host.LOOPBACK, Map.of());
    Path data = evidence.folder("first-data");
    expectEnd(evidence, data, FreePorts.next(), Map.of(), 3, Long.toString(first.process().pid()));
    first.process().requireAlive();
    assertThat(first.terminate(LIMIT)).isZero();
  }

  @Test
  void aPortInUseIsNamed(Evidence evidence) throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      int port = taken.getLocalPort();
      expectEnd(evidence, evidence.folder("data"), port, Map.of(), 2, Integer.toString(port));
    }
  }

  @Test
  void aDirectoryOfANewerFormatIsLeftAlone(Evidence evidence) throws Exception {
    Path data = evidence.folder("data");
    MasterProcess maker =
        MasterProcess.start(evidence, "maker", MasterProgram.TIDEMARK, Host.LOOPBACK, Map.of());
    assertThat(maker.terminate(LIMIT)).isZero();
    Path format = data.resolve("FORMAT");
    String newer =
        Files.readString(evidence.folder("maker-data").resolve("FORMAT"))
            .replaceFirst("^tidemark-log \\d+", "tidemark-log 99");
    Files.writeString(format, newer);
    expectEnd(evidence, data, FreePorts.next(), Map.of(), 5, "newer");
    assertThat(Files.readString(format, StandardCharsets.ISO_8859_1)).isEqualTo(newer);
  }

  @Test
  void flagsThatContradictEachOtherAreNamed(Evidence evidence) throws Exception {
    Path data = evidence.folder("data");
    expectEnd(
        evidence,
        data,
        FreePorts.next(),
        Map.of("put_start_discard_timeout_sec", "30", "put_start_release_timeout_sec", "20"),
        1,
        "put_start_release_timeout_sec");
    expectEnd(
        evidence,
        data,
        FreePorts.next(),
        Map.of("default_kv_soft_pin_ttl", "2h", "max_kv_soft_pin_ttl", "1h"),
        1,
        "max_kv_soft_pin_ttl");
    expectEnd(
        evidence, data, FreePorts.next(), Map.of("eviction_ratio", "1.5"), 1, "eviction_ratio");
    expectEnd(evidence, data, FreePorts.next(), Map.of("no_such_flag", "1"), 1, "no_such_flag");
    assertThat(data).isEmptyDirectory();
  }

  private static void expectEnd(
      Evidence evidence,
      Path data,
      int rpcPort,
      Map<String, String> flags,
      int exitCode,
      String mentioned)
      throws IOException {
    int metricsPort = FreePorts.next();
    MasterSettings settings =
        new MasterSettings(Host.LOOPBACK.address(), rpcPort, metricsPort, data, flags);
    String name = "refused-" + metricsPort;
    OsProcess process =
        OsProcess.start(
            evidence,
            name,
            MasterProgram.TIDEMARK.command(settings),
            MasterProgram.TIDEMARK.environment());
    assertThat(process.awaitExit(LIMIT)).as(process.lastWords()).isEqualTo(exitCode);
    assertThat(Files.readString(evidence.folder().resolve(name + ".err")))
        .contains("tidemark master: ")
        .contains(mentioned)
        .doesNotContain("\tat ");
  }
}
