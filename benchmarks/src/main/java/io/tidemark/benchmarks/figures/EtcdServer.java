package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An etcd (Debian's etcd-server) on free ports of 127.0.0.1. Ends with this program. */
final class EtcdServer implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(30);

  private final Process process;
  private final int port;

  private EtcdServer(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one and waits until it takes connections. */
  static EtcdServer start(Path folder, String name) throws IOException, InterruptedException {
    int port = MasterProcess.freePort();
    String client = "http://127.0.0.1:" + port;
    String peer = "http://127.0.0.1:" + MasterProcess.freePort();
    List<String> command =
        List.of(
            "etcd",
            "--name=" + name,
            "--data-dir=" + folder.resolve(name + ".data"),
            "--listen-client-urls=" + client,
            "--advertise-client-urls=" + client,
            "--listen-peer-urls=" + peer,
            "--initial-advertise-peer-urls=" + peer,
            "--initial-cluster=" + name + "=" + peer);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.redirectOutput(folder.resolve(name + ".log").toFile());
    EtcdServer etcd = new EtcdServer(builder.start(), port);
    MasterProcess.endWithThis(etcd.process);
    long until = System.nanoTime() + START_LIMIT.toNanos();
    while (!MasterProcess.isOpen(port)) {
      if (!etcd.process.isAlive() || System.nanoTime() > until) {
        throw new IOException(name + " does not listen; see " + folder.resolve(name + ".log"));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return etcd;
  }

  String endpoint() {
    return "http://127.0.0.1:" + port;
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
