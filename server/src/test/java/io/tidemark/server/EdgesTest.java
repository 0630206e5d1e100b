package io.tidemark.server;

import static io.tidemark.server.rpc.TestClient.EXIST_A;
import static io.tidemark.server.rpc.TestClient.TRUE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.api.rpc.Reply;
import io.tidemark.core.ReplySink;
import io.tidemark.oplog.LogTimes;
import io.tidemark.server.config.RpcConfig;
import io.tidemark.server.config.ServerConfig;
import io.tidemark.server.metrics.SnapshotFigures;
import io.tidemark.server.rpc.TestClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EdgesTest {

  private final FakeMaster master = new FakeMaster();
  private final AtomicInteger ticks = new AtomicInteger();
  private final AtomicInteger stops = new AtomicInteger();
  private final BlockingQueue<ExitCode> fatal = new LinkedBlockingQueue<>();
  private volatile Runnable onTick = () -> {};

  private Edges edges(ServerConfig config) {
    Runnable tick =
        () -> {
          ticks.incrementAndGet();
          onTick.run();
        };
    return new Edges(
        config,
        new MasterRole(master, tick, stops::incrementAndGet),
        (code, why) -> fatal.add(code));
  }

  private Edges opened() {
    Edges edges = edges(TestSettings.server());
    edges.open();
    return edges;
  }

  @Test
  void servesAllPortsAndTicksUntilStopped() throws Exception {
    Edges edges = opened();
    try (TestClient client = new TestClient(edges.clientPort())) {
      client.send(EXIST_A);
      assertThat(client.receive()).isEqualTo(TRUE);
    }
    assertThat(get(edges.adminPort(), "/health").body()).contains("\"role\":\"leader\"");
    assertThat(get(edges.adminPort(), "/metrics").body())
        .contains("master_exist_key_requests_total 1\n");
    assertThat(get(edges.metadataPort(), "/health").body()).isEqualTo("OK");
    Await.until("three ticks", () -> ticks.get() > 3);
    edges.stop();
    assertThat(stops).hasValue(1);
    int ticksAtStop = ticks.get();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), edges.clientPort()))
        .isInstanceOf(IOException.class);
    assertThat(ticks).hasValue(ticksAtStop);
    assertThat(fatal).isEmpty();
  }

  @Test
  void aStopAnswersWhatWasReadBeforeTheLogIsClosed() throws Exception {
    BlockingQueue<ReplySink> sinks = new LinkedBlockingQueue<>();
    master.handler = (request, sink) -> sinks.add(sink);
    Edges edges = opened();
    try (TestClient busy = new TestClient(edges.clientPort());
        TestClient idle = new TestClient(edges.clientPort())) {
      busy.send(EXIST_A);
      ReplySink sink = sinks.poll(20, TimeUnit.SECONDS);
      CompletableFuture<Void> stopping = CompletableFuture.runAsync(edges::stop);
      assertThat(idle.closedByServer()).isTrue();
      assertThatThrownBy(() -> new TestClient(edges.clientPort()))
          .hasCauseInstanceOf(IOException.class);
      assertThat(stops).hasValue(0);
      sink.reply(Reply.ok(true));
      assertThat(busy.receive()).isEqualTo(TRUE);
      assertThat(busy.closedByServer()).isTrue();
      stopping.get(10, TimeUnit.SECONDS);
      assertThat(stops).hasValue(1);
    }
  }

  /** Architecture, section 6: a put to a closed port blocks an unmodified client for 4 s. */
  @Test
  void whoGaveALeadershipAwayAnswersClientsUntilTheyHaveGone() throws Exception {
    MasterRole handsOver =
        new MasterRole(
            master,
            ticks::incrementAndGet,
            () -> true,
            stops::incrementAndGet,
            () -> CompletableFuture.failedFuture(new IllegalStateException("none")),
            new SnapshotFigures(),
            new LogTimes(),
            Optional.empty());
    Edges edges = new Edges(TestSettings.server(), handsOver, (code, why) -> fatal.add(code));
    edges.open();
    CompletableFuture<Void> stopping;
    try (TestClient client = new TestClient(edges.clientPort())) {
      client.send(EXIST_A);
      assertThat(client.receive()).isEqualTo(TRUE);
      stopping = CompletableFuture.runAsync(edges::stop);
      for (int i = 0; i < 20; i++) {
        client.send(EXIST_A);
        assertThat(client.receive()).isEqualTo(TRUE);
      }
      new TestClient(edges.clientPort()).close();
      assertThat(stops).hasValue(0);
    }
    stopping.get(10, TimeUnit.SECONDS);
    assertThat(stops).hasValue(1);
  }

  @Test
  void aRequestThatIsNeverAnsweredDelaysTheStopByLessThanTenSeconds() throws Exception {
    master.handler = (request, sink) -> {};
    Edges edges = opened();
    try (TestClient client = new TestClient(edges.clientPort())) {
      client.send(EXIST_A);
      Await.until("the request is read", () -> !master.received.isEmpty());
      long begin = System.nanoTime();
      edges.stop();
      assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(8));
      assertThat(client.closedByServer()).isTrue();
    }
    assertThat(stops).hasValue(1);
  }

  @Test
  void aUsedPortIsSaidWithWhatToDo() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      ServerConfig free = TestSettings.server();
      RpcConfig rpc = free.rpc();
      RpcConfig used =
          new RpcConfig(
              rpc.host(),
              taken.getLocalPort(),
              rpc.threads(),
              rpc.noDelay(),
              rpc.idleTimeoutSec(),
              rpc.defaultRelease(),
              rpc.maxFrameBytes(),
              rpc.maxOutstandingRequests(),
              rpc.maxOutstandingBytes(),
              rpc.writeQueueBytes());
      Edges edges =
          edges(
              new ServerConfig(
                  used,
                  free.admin(),
                  free.storage(),
                  free.metadata(),
                  free.master(),
                  free.snapshots()));
      assertThatThrownBy(edges::open)
          .isInstanceOfSatisfying(
              StartException.class,
              e -> assertThat(e.exitCode()).isEqualTo(ExitCode.PORT_UNAVAILABLE))
          .hasMessageContaining(
              "the client port can't be opened on 127.0.0.1:" + taken.getLocalPort())
          .hasMessageContaining("--rpc_port");
    }
  }

  @Test
  void aMasterThatNoLongerServesEndsTheProcess() throws InterruptedException {
    Edges edges = opened();
    master.serving = false;
    assertThat(fatal.poll(20, TimeUnit.SECONDS)).isEqualTo(ExitCode.LOG_FAILED);
    edges.stop();
  }

  @Test
  void aTickThatThrowsIsCountedAndTheNextOneComes() {
    onTick =
        () -> {
          throw new IllegalStateException("broken on purpose");
        };
    Edges edges = opened();
    Await.until("three failed ticks", () -> edges.metrics().tickFailures.sum() > 3);
    edges.stop();
    assertThat(fatal).isEmpty();
  }

  @Test
  void aBrokenInvariantEndsTheProcess() throws InterruptedException {
    onTick =
        () -> {
          throw new AssertionError("broken on purpose");
        };
    Edges edges = opened();
    assertThat(fatal.poll(20, TimeUnit.SECONDS)).isEqualTo(ExitCode.INTERNAL);
    edges.stop();
  }

  @Test
  void metadataIsStoredUnderTheDecodedKey() throws Exception {
    Edges edges = opened();
    String ram = "/metadata?key=mooncake%2Fram%2Fhost%3A1";
    int port = edges.metadataPort();
    expect(send(port, "GET", ram, ""), 404, "metadata not found");
    expect(send(port, "PUT", ram, "{\"a\":1}"), 200, "metadata updated");
    HttpResponse<String> stored = send(port, "GET", "/metadata?key=mooncake/ram/host:1", "");
    expect(stored, 200, "{\"a\":1}");
    assertThat(stored.headers().firstValue("Content-Type")).contains("application/json");
    expect(send(port, "DELETE", ram, ""), 200, "metadata deleted");
    expect(send(port, "DELETE", ram, ""), 404, "metadata not found");
    String meta = "/metadata?key=mooncake%2Frpc_meta%2Fhost%3A1";
    expect(send(port, "PUT", meta, "x"), 200, "metadata updated");
    expect(send(port, "PUT", meta, "x"), 200, "metadata unchanged");
    expect(send(port, "PUT", meta, "y"), 400, "Duplicate rpc_meta key not allowed");
    expect(send(port, "GET", "/metadata", ""), 400, "Missing key parameter");
    expect(send(port, "POST", ram, ""), 404, "404 Not Found");
    edges.stop();
  }

  private static void expect(HttpResponse<String> response, int status, String body) {
    assertThat(response.body()).isEqualTo(body);
    assertThat(response.statusCode()).isEqualTo(status);
  }

  private static HttpResponse<String> get(int port, String path) throws Exception {
    return send(port, "GET", path, "");
  }

  private static HttpResponse<String> send(int port, String method, String path, String body)
      throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
            .method(method, BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
  }
}
