package io.tidemark.tools;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.oplog.LogIdentity;
import io.tidemark.oplog.LogReader;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotOptions;
import io.tidemark.snapshot.SnapshotStore;
import io.tidemark.snapshot.SnapshotWriter;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code tidemark snapshot}, and {@code tidemark log} where a snapshot stands for the beginning.
 */
class SnapshotCommandTest {
  @TempDir private Path directory;

  private Cli.Result snapshot(String command, String... more) {
    String[] arguments = new String[more.length + 4];
    arguments[0] = "snapshot";
    arguments[1] = command;
    System.arraycopy(more, 0, arguments, 2, more.length);
    arguments[more.length + 2] = "--data_dir";
    arguments[more.length + 3] = directory.toString();
    return Cli.run(arguments);
  }

  private Snapshot take(Scenario scenario) {
    return take(scenario, LogReader.open(directory).identity());
  }

  private Snapshot take(Scenario scenario, LogIdentity identity) {
    SnapshotStore store = SnapshotFolder.in(directory);
    store.open();
    SnapshotOptions options = SnapshotOptions.defaults(identity.cluster(), identity.node());
    try (SnapshotWriter writer = store.writer(options, () -> false)) {
      scenario.master().capture(writer, Long.MAX_VALUE);
      assertThat(store.verify(writer.published())).isEmpty();
      return writer.published();
    }
  }

  @Test
  void listShowsThemNewestFirst() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a");
      Snapshot older = take(scenario);
      scenario.put("b");
      Snapshot newer = take(scenario);
      Cli.Result result = snapshot("list");
      assertThat(result.status()).isZero();
      assertThat(result.lines()).hasSize(2);
      assertThat(result.lines().get(0))
          .startsWith(newer.index() + " ")
          .contains("verified")
          .contains("2 objects");
      assertThat(result.lines().get(1)).startsWith(older.index() + " ").contains("1 object ");
      assertThat(snapshot("list", "--json").json().get(0).get("index").asLong())
          .isEqualTo(newer.index());
    }
  }

  @Test
  void verifySaysWhichByteIsWrong() throws IOException {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a");
      Snapshot older = take(scenario);
      scenario.put("b");
      Snapshot newer = take(scenario);
      assertThat(snapshot("verify").status()).isZero();
      assertThat(snapshot("verify").out()).contains("intact");
      Path chunk = older.folder().resolve("objects-000001.chunk");
      byte[] bytes = Files.readAllBytes(chunk);
      bytes[50] ^= 1;
      Files.write(chunk, bytes);
      Cli.Result result = snapshot("verify");
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.out()).contains(chunk + ", offset 24").contains("damaged");
      assertThat(snapshot("verify", Long.toString(newer.index())).status()).isZero();
      assertThat(snapshot("verify", "999").status()).isEqualTo(3);
    }
  }

  @Test
  void anotherClustersIsSaid() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a");
      UUID id = new UUID(4, 4);
      take(scenario, new LogIdentity(id, id, id));
      Cli.Result result = snapshot("verify");
      assertThat(result.status()).isEqualTo(1);
      assertThat(result.out()).contains("it is of cluster " + id);
    }
  }

  @Test
  void noSnapshotIsSaid() {
    Cli.Result result = snapshot("list");
    assertThat(result.status()).isEqualTo(3);
    assertThat(result.err()).contains("holds no snapshot").contains("tidemark snapshot take");
  }

  @Test
  void aTrimmedLogIsVerifiedFromItsOldestSnapshot() {
    try (Scenario scenario = Scenario.in(directory)) {
      scenario.put("a");
      scenario.crashAndRestart();
      scenario.put("b");
      Snapshot older = take(scenario);
      scenario.put("c");
      take(scenario);
      scenario.crashAndRestart();
      scenario.put("d");
      scenario.log().removeBefore(older.index() + 1);
      scenario.stop();
    }
    Cli.Result result = Cli.log(directory, "verify");
    assertThat(result.out()).contains("begins").contains("verdict     sound").contains("4 objects");
    assertThat(result.status()).isZero();
    assertThat(Cli.log(directory, "dump").status()).isZero();
    assertThat(Cli.log(directory, "explain", "d").status()).isZero();
    Cli.Result old = Cli.log(directory, "explain", "a");
    assertThat(old.status()).as("a is known from the snapshot only").isZero();
    assertThat(old.out()).contains("readable");
    assertThat(old.err())
        .contains("note: the log begins behind entry")
        .contains("the snapshot of entry ");
    SnapshotFolder.in(directory).list().forEach(SnapshotFolder.in(directory)::setAside);
    Cli.Result without = Cli.log(directory, "verify");
    assertThat(without.status()).isEqualTo(1);
    assertThat(without.out()).contains("there is no snapshot");
  }

  @Test
  void takeAsksTheMasterAndWaits() throws IOException {
    AtomicInteger asked = new AtomicInteger();
    HttpServer master =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    master.createContext(
        "/api/v1/snapshot",
        call -> {
          boolean pending = asked.incrementAndGet() == 1;
          String body =
              pending
                  ? "{\"success\":true,\"pending\":true}"
                  : "{\"success\":true,\"pending\":false,\"index\":5,\"epoch\":1,\"objects\":3,"
                      + "\"bytes\":99,\"ms\":7,\"already_there\":false,\"folder\":\"f\"}";
          byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
          boolean right = "Bearer t".equals(call.getRequestHeaders().getFirst("Authorization"));
          call.sendResponseHeaders(right ? pending ? 202 : 200 : 401, bytes.length);
          call.getResponseBody().write(bytes);
          call.close();
        });
    master.start();
    String admin = "127.0.0.1:" + master.getAddress().getPort();
    try {
      Cli.Result refused = Cli.run("snapshot", "take", "--admin", admin);
      assertThat(refused.status()).isEqualTo(4);
      assertThat(refused.err()).contains("--token");
      asked.set(0);
      Cli.Result taken = Cli.run("snapshot", "take", "--admin", admin, "--token", "t");
      assertThat(taken.status()).isZero();
      assertThat(taken.out()).startsWith("f: entry 5, epoch 1, 3 objects, 99 bytes, 7 ms");
      assertThat(asked).hasValue(2);
    } finally {
      master.stop(0);
    }
    Cli.Result nobody = Cli.run("snapshot", "take", "--admin", admin);
    assertThat(nobody.status()).isEqualTo(4);
    assertThat(nobody.err()).contains(admin).contains("--metrics_port");
    assertThat(Cli.run("snapshot", "take", "--admin", "no port").status()).isEqualTo(2);
    assertThat(Cli.run("snapshot").status()).isEqualTo(2);
  }

  @Test
  void somethingElseThatListensIsSaid() throws IOException {
    HttpServer other =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    other.start();
    try {
      String admin = "127.0.0.1:" + other.getAddress().getPort();
      Cli.Result result = Cli.run("snapshot", "take", "--admin", admin);
      assertThat(result.status()).isEqualTo(4);
      assertThat(result.err()).contains("no Tidemark master");
    } finally {
      other.stop(0);
    }
  }
}
