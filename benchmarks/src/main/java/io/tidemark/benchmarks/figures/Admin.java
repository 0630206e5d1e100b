package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The admin port of a master on this machine. */
record Admin(int port) {
  private static final String SNAPSHOTS = "master_snapshot_success";
  private static final int DONE = 200;
  private static final int PENDING = 202;
  private static final int SNAPSHOT_MINUTES = 10;
  private static final int SNAPSHOT_LOOK_MS = 200;
  private static final HttpClient HTTP =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();

  /** All metrics without labels. */
  Map<String, Double> metrics() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(uri("/metrics")).timeout(Duration.ofSeconds(30)).build();
    String text = HTTP.send(request, HttpResponse.BodyHandlers.ofString()).body();
    Map<String, Double> values = new HashMap<>();
    for (String line : text.split("\n", -1)) {
      int space = line.indexOf(' ');
      if (space > 0 && line.charAt(0) != '#' && line.indexOf('{') < 0) {
        values.put(line.substring(0, space), Double.valueOf(line.substring(space + 1).trim()));
      }
    }
    return values;
  }

  /** One metric. */
  double metric(String name) throws IOException, InterruptedException {
    Double value = metrics().get(name);
    if (value == null) {
      throw new IOException("the master has no metric " + name);
    }
    return value;
  }

  /** Lets Tidemark take a snapshot and waits until it has been read back. */
  void takeSnapshot() throws IOException, InterruptedException {
    double before = metric(SNAPSHOTS);
    HttpRequest request =
        HttpRequest.newBuilder(uri("/api/v1/snapshot"))
            .POST(HttpRequest.BodyPublishers.noBody())
            .timeout(Duration.ofSeconds(90))
            .build();
    HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() == PENDING) {
      awaitMoreSnapshotsThan(before);
    } else if (answer.statusCode() != DONE) {
      throw new IOException("no snapshot: " + answer.statusCode() + " " + answer.body());
    }
  }

  /** A snapshot of many objects takes longer than its request is kept waiting. */
  private void awaitMoreSnapshotsThan(double before) throws IOException, InterruptedException {
    long until = System.nanoTime() + TimeUnit.MINUTES.toNanos(SNAPSHOT_MINUTES);
    while (metric(SNAPSHOTS) <= before) {
      if (System.nanoTime() > until) {
        throw new IOException("no snapshot within " + SNAPSHOT_MINUTES + " minutes");
      }
      TimeUnit.MILLISECONDS.sleep(SNAPSHOT_LOOK_MS);
    }
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
