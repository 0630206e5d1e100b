package io.tidemark.benchmarks.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the command says to whom: about masters, about what is none, about wrong options. */
class BenchCommandTest {

  /** What a listener that is no master does with a connection. */
  @FunctionalInterface
  private interface Manners {
    void meet(Socket socket) throws IOException;
  }

  @Test
  void nothingListens() throws IOException {
    ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    gone.close();
    expectNoMaster("127.0.0.1:" + gone.getLocalPort(), "nothing listens there");
  }

  @Test
  void noSuchHost() {
    expectNoMaster("nowhere.invalid:50051", "no host is called 'nowhere.invalid'");
  }

  @Test
  void anHttpServer() throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 4);
    server.start();
    try {
      expectNoMaster("127.0.0.1:" + server.getAddress().getPort(), "an HTTP server listens there");
    } finally {
      server.stop(0);
    }
  }

  @Test
  void aListenerThatHangsUp() throws IOException {
    expectNoMaster(Socket::close, "closes the connection");
  }

  @Test
  void aListenerThatNeverAnswers() throws IOException {
    expectNoMaster(socket -> socket.getInputStream().readAllBytes(), "did not answer");
  }

  @Test
  void aListenerThatSpeaksSomethingElse() throws IOException {
    expectNoMaster(
        socket -> {
          byte[] banner = "SSH-2.0-OpenSSH_9.2p1\r\n".getBytes(StandardCharsets.ISO_8859_1);
          socket.getOutputStream().write(banner);
          socket.getInputStream().readAllBytes();
        },
        "no Mooncake master: its answer begins with \"SSH-2.0-OpenSSH_\"");
  }

  @Test
  void answersThatOnlyBeginLikeAMasters() throws IOException {
    try (StubMaster master = new StubMaster()) {
      master.garble();
      expectNoMaster(master.target(), "does not mount a segment as a master does");
    }
  }

  private static void expectNoMaster(Manners manners, String said) throws IOException {
    try (ServerSocket listener = new ServerSocket(0, 8, InetAddress.getLoopbackAddress())) {
      Thread thread =
          new Thread(
              () -> {
                while (!listener.isClosed()) {
                  try (Socket socket = listener.accept()) {
                    manners.meet(socket);
                  } catch (IOException hungUp) {
                    // The other end went first, or the test is over.
                  }
                }
              });
      thread.setDaemon(true);
      thread.start();
      expectNoMaster("127.0.0.1:" + listener.getLocalPort(), said);
    }
  }

  /** One sentence that says where, what, and what to do; nothing on standard output. */
  private static void expectNoMaster(String target, String said) {
    Cli.Result result = Cli.bench(target);
    assertThat(result.err().lines())
        .singleElement()
        .asString()
        .startsWith("tidemark bench: " + target + ": ")
        .contains(said)
        .endsWith("; give the RPC port of a running master with --master");
    assertThat(result.out()).isEmpty();
    assertThat(result.status()).isEqualTo(ExitStatus.NO_MASTER);
  }

  @Test
  void wrongOptions() {
    for (List<String> wrong :
        List.of(
            List.of("--connections", "129"),
            List.of("--connections", "0"),
            List.of("--rate", "0"),
            List.of("--rate", "fast"),
            List.of("--batch", "1001"),
            List.of("--key-bytes", "23"),
            List.of("--value-bytes", "0"),
            List.of("--keys", "127"),
            List.of("--segments", "65"),
            List.of("--seconds", "0"),
            List.of("--seconds", "NaN"),
            List.of("--warmup-seconds", "-1"),
            List.of("--release", "0.2.0"),
            List.of("--phases", "put,poke"),
            List.of("--master", "50051"),
            List.of("--master", "localhost:0"),
            List.of("--no-such-option"))) {
      Cli.Result result = Cli.run(wrong.toArray(new String[0]));
      assertThat(result.status()).as("%s", wrong).isEqualTo(ExitStatus.USAGE);
      assertThat(result.err()).contains(wrong.get(0)).contains("Usage: tidemark bench");
      assertThat(result.out()).isEmpty();
    }
  }

  @Test
  void helpGoesToStandardOutput() {
    Cli.Result result = Cli.run("--help");
    assertThat(result.status()).isZero();
    assertThat(result.out()).contains("Usage: tidemark bench", "--rate=OPS_PER_S", "Exit codes:");
    assertThat(result.err()).isEmpty();
  }

  @Test
  void failuresAreCountedByCode() throws IOException {
    try (StubMaster master = new StubMaster()) {
      master.full();
      Cli.Result table = Cli.bench(master.target(), "--phases", "put,exist", "--keys", "1000");
      assertThat(table.status()).isEqualTo(ExitStatus.FAILED);
      assertThat(table.out())
          .containsPattern("(?m)^put +\\d+ +0 ")
          .containsPattern("failed: \\d+ NO_AVAILABLE_HANDLE")
          .containsPattern("failed: \\d+ ABSENT");
      Cli.Result json = Cli.bench(master.target(), "--phases", "put", "--json");
      JsonNode put = json.json().get(0);
      assertThat(put.path("errors").path("NO_AVAILABLE_HANDLE").asLong())
          .isEqualTo(put.path("keys_failed").asLong())
          .isEqualTo(put.path("ops").asLong())
          .isPositive();
    }
  }

  @Test
  void aMasterThatGoesAwayLeavesWhatWasMeasured() throws IOException {
    try (StubMaster master = new StubMaster()) {
      master.hangUpAt(50);
      Cli.Result result = Cli.bench(master.target(), "--phases", "put,get,exist", "--json");
      assertThat(result.status()).isEqualTo(ExitStatus.FAILED);
      List<JsonNode> lines = result.json();
      assertThat(lines)
          .extracting(line -> line.path("phase").asText())
          .containsExactly("put", "get", "");
      assertThat(lines.get(1).path("ended").asText()).isEqualTo("broken");
      assertThat(lines.get(1).path("ops").asLong()).isBetween(1L, 50L);
      assertThat(lines.get(2).path("status").asInt()).isEqualTo(ExitStatus.FAILED);
      assertThat(result.err()).startsWith("tidemark bench: cleaning up failed (");
    }
  }

  @Test
  void aPhaseEndsWhenItsKeysAreWritten() throws IOException {
    try (StubMaster master = new StubMaster()) {
      Cli.Result result =
          Cli.run(
              ("--phases put --keys 10 --batch 1 --seconds 60 --master " + master.target())
                  .split(" ", -1));
      assertThat(result.status()).isZero();
      assertThat(result.out())
          .contains("when all keys were written; more with --keys")
          .contains("cleaned up: 10 keys removed, 16 segments unmounted");
    }
  }
}
