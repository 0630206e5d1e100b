package io.tidemark.chaos.endurance;

import io.tidemark.chaos.process.MasterProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a running master says about itself, and what the system says about its process. */
final class MasterFigures {
  private static final Duration LIMIT = Duration.ofSeconds(20);
  private static final int KIB = 1024;

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(LIMIT).build();
  private final MasterProcess master;

  MasterFigures(MasterProcess master) {
    this.master = master;
  }

  /** Where clients connect. */
  static InetSocketAddress address(MasterProcess master) {
    int colon = master.address().lastIndexOf(':');
    return new InetSocketAddress(
        master.address().substring(0, colon),
        Integer.parseInt(master.address().substring(colon + 1)));
  }

  /** All values of the metrics page; those with labels under name and labels as printed. */
  Map<String, Double> metrics() throws IOException {
    URI uri = URI.create("http://127.0.0.1:" + master.metricsPort() + "/metrics");
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(LIMIT).build();
    Map<String, Double> values = new HashMap<>();
    try {
      String page = http.send(request, BodyHandlers.ofString()).body();
      for (String line : page.split("\n", -1)) {
        int blank = line.lastIndexOf(' ');
        if (blank > 0 && line.charAt(0) != '#') {
          values.put(line.substring(0, blank), Double.parseDouble(line.substring(blank + 1)));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted while reading " + uri, e);
    }
    return values;
  }

  /** One value of the metrics page. */
  long metric(String name) throws IOException {
    Double value = metrics().get(name);
    if (value == null) {
      throw new AssertionError("no metric " + name);
    }
    return value.longValue();
  }

  /** Resident memory of the process, bytes. */
  long residentBytes() throws IOException {
    for (String line : Files.readAllLines(proc("status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * KIB;
      }
    }
    throw new AssertionError("no VmRSS in " + proc("status"));
  }

  /** Open files, sockets included. */
  long openFiles() throws IOException {
    try (Stream<Path> files = Files.list(proc("fd"))) {
      return files.count();
    }
  }

  /** Threads of the process, the virtual machine's own included. */
  long threads() throws IOException {
    try (Stream<Path> tasks = Files.list(proc("task"))) {
      return tasks.count();
    }
  }

  /** Blocks that a folder takes on the disk, bytes; a mapped file is longer than that. */
  static long diskBytes(Path folder) throws IOException {
    Process du =
        new ProcessBuilder("du", "-s", "--block-size=1", folder.toString())
            .redirectError(Redirect.DISCARD) // a file that is removed meanwhile is no matter
            .start();
    String line = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Long.parseLong(line.split("\\s", 2)[0]);
  }

  private Path proc(String name) {
    return Path.of("/proc", Long.toString(master.process().pid()), name);
  }
}
