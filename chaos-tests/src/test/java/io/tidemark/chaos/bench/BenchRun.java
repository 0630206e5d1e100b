package io.tidemark.chaos.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.chaos.process.Checkout;
import io.tidemark.chaos.process.Evidence;
import io.tidemark.chaos.process.MasterProcess;
import io.tidemark.chaos.process.OsProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One run of the command through the launcher. */
final class BenchRun {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private final OsProcess process;
  private final Path out;
  private final Path err;

  private BenchRun(Evidence evidence, String name, List<String> command) {
    process = OsProcess.start(evidence, name, command, Map.of());
    out = evidence.folder().resolve(name + ".out");
    err = evidence.folder().resolve(name + ".err");
  }

  /**
   * Starts it.
   *
   * @param name begins the names of its files
   * @param target HOST:PORT of what to load
   * @param options further ones, separated by blanks
   */
  static BenchRun start(Evidence evidence, String name, String target, String options) {
    List<String> command =
        new ArrayList<>(List.of(Checkout.launcher().toString(), "bench", "--master", target));
    command.addAll(List.of(options.split(" ", -1)));
    return new BenchRun(evidence, name, command);
  }

  OsProcess process() {
    return process;
  }

  /** Waits for the end; the exit code. */
  int exitCode() {
    return process.awaitExit(LIMIT);
  }

  String out() throws IOException {
    return Files.readString(out);
  }

  String err() throws IOException {
    return Files.readString(err);
  }

  /** The lines of {@code --json} of a run that went well; the last one is the end. */
  List<JsonNode> cleanJson() throws IOException {
    assertThat(exitCode()).as(process.lastWords()).isZero();
    List<JsonNode> lines = new ArrayList<>();
    for (String line : out().lines().toList()) {
      lines.add(JSON.readTree(line));
    }
    assertThat(err()).isEmpty();
    return lines;
  }

  /** A value of a master's metrics page. */
  static long metric(MasterProcess master, String name) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + master.metricsPort() + "/metrics");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(LIMIT).build();
    String page = HTTP.send(request, BodyHandlers.ofString()).body();
    return page.lines()
        .filter(line -> line.startsWith(name + " "))
        .map(line -> (long) Double.parseDouble(line.substring(name.length() + 1)))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no metric " + name));
  }
}
