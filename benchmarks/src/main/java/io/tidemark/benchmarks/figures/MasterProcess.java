package io.tidemark.benchmarks.figures;

import io.tidemark.benchmarks.ProcessTimes;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** A master on free ports of 127.0.0.1. Ends with this program, however that ends. */
final class MasterProcess implements AutoCloseable {

  /**
   * What to start.
   *
   * @param name {@link #TIDEMARK}, or a release of Mooncake
   * @param flags beside those for addresses
   * @param javaOptions for Tidemark
   * @param folder for its log lines and, of Tidemark, its data
   */
  record Plan(
      String name, List<String> flags, String javaOptions, Path root, Path folder, String label) {

    Path log() {
      return folder.resolve(label + ".log");
    }
  }

  static final String TIDEMARK = "tidemark";

  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
  private static final Duration START_LIMIT = Duration.ofSeconds(90);
  private static final int FIRST_PORT = 20_000;
  private static final int PORTS = 12_000;
  private static final int STOP_SECONDS = 20;

  static {
    Runtime.getRuntime().addShutdownHook(new Thread(MasterProcess::endAll, "figures-end"));
  }

  private final Plan plan;
  private final Process process;
  private final int port;
  private final int adminPort;
  private final long startedNanos;

  private MasterProcess(Plan plan, Process process, int port, int adminPort, long startedNanos) {
    this.plan = plan;
    this.process = process;
    this.port = port;
    this.adminPort = adminPort;
    this.startedNanos = startedNanos;
  }

  private static void endAll() {
    RUNNING.forEach(Process::destroyForcibly);
  }

  /** Sees to it that another process ends with this program, too. */
  static void endWithThis(Process other) {
    RUNNING.add(other);
  }

  /**
   * Starts it; it may not serve yet.
   *
   * @param before words of a command that starts another one in its own place
   */
  static MasterProcess launch(Plan plan, String... before) throws IOException {
    int port = freePort();
    int adminPort = freePort();
    List<String> command = new ArrayList<>(List.of(before));
    if (plan.name().equals(TIDEMARK)) {
      command.addAll(List.of(plan.root().resolve("tidemark").toString(), "master"));
      command.add("--data_dir=" + plan.folder().resolve("data-" + plan.label()));
    } else {
      String environment = plan.root().resolve("scripts/wheel-env").toString();
      command.addAll(List.of(environment, plan.name(), "mooncake_master"));
    }
    command.addAll(List.of("--rpc_address=127.0.0.1", "--metrics_host=127.0.0.1"));
    command.addAll(List.of("--rpc_port=" + port, "--metrics_port=" + adminPort));
    command.addAll(plan.flags());
    File log = plan.log().toFile();
    ProcessBuilder builder = new ProcessBuilder(command).directory(plan.folder().toFile());
    builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log));
    builder.environment().merge("TIDEMARK_JAVA_OPTS", plan.javaOptions(), (a, b) -> a + " " + b);
    long started = System.nanoTime();
    Process process = builder.start();
    RUNNING.add(process);
    return new MasterProcess(plan, process, port, adminPort, started);
  }

  /** Starts it and waits until it takes connections. */
  static MasterProcess start(Plan plan) throws IOException, InterruptedException {
    MasterProcess master = launch(plan);
    long until = System.nanoTime() + START_LIMIT.toNanos();
    while (!isOpen(master.port) || !isOpen(master.adminPort)) {
      master.requireAlive();
      if (System.nanoTime() > until) {
        throw new IOException(plan.label() + " does not listen");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    master.requireAlive();
    return master;
  }

  static boolean isOpen(int port) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
      return true;
    } catch (IOException refused) {
      return false;
    }
  }

  /** Below the ports that the kernel picks for outgoing connections. */
  static int freePort() throws IOException {
    for (int tries = 0; tries < 1_000; tries++) {
      int port = FIRST_PORT + ThreadLocalRandom.current().nextInt(PORTS);
      try (ServerSocket socket = new ServerSocket()) {
        socket.bind(new InetSocketAddress("127.0.0.1", port));
        return port;
      } catch (IOException taken) {
        // The next one may not be.
      }
    }
    throw new IOException("no free port between " + FIRST_PORT + " and " + (FIRST_PORT + PORTS));
  }

  void requireAlive() throws IOException {
    if (!process.isAlive()) {
      List<String> lines = Files.readAllLines(plan.log(), StandardCharsets.ISO_8859_1);
      String last = lines.isEmpty() ? "" : ": " + lines.get(lines.size() - 1);
      throw new IOException(plan.label() + " ended with " + process.exitValue() + last);
    }
  }

  Plan plan() {
    return plan;
  }

  String label() {
    return plan.label();
  }

  long pid() {
    return process.pid();
  }

  InetSocketAddress address() {
    return new InetSocketAddress("127.0.0.1", port);
  }

  Admin admin() {
    return new Admin(adminPort);
  }

  /** {@link System#nanoTime} just before the process was started. */
  long startedNanos() {
    return startedNanos;
  }

  double cpuSeconds() throws IOException {
    return ProcessTimes.of(pid()).cpuSeconds();
  }

  long residentBytes() throws IOException {
    return ProcessTimes.of(pid()).residentBytes();
  }

  /** Ends it as {@code kill -9} does. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
    RUNNING.remove(process);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
        kill();
      }
      RUNNING.remove(process);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
