package io.tidemark.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A master that runs, and that can be killed and started again with the same ports and the same
 * data. Each start has log files of its own, NAME-1.err, NAME-2.err and so on.
 */
public final class MasterProcess {
  private static final Duration START_LIMIT = Duration.ofSeconds(40);

  private final Evidence evidence;
  private final String name;
  private final MasterProgram program;
  private final Host host;
  private MasterSettings settings;
  private int starts;
  private OsProcess process;

  private MasterProcess(
      Evidence evidence, String name, MasterProgram program, Host host, Map<String, String> flags) {
    this.evidence = evidence;
    this.name = name;
    this.program = program;
    this.host = host;
    this.settings =
        new MasterSettings(
            host.address(),
            FreePorts.next(),
            FreePorts.next(),
            evidence.folder(name + "-data"),
            Map.copyOf(flags));
  }

  /**
   * Starts a master that ends with the test, and waits until it listens.
   *
   * @param name begins the names of its files; another one for each master of a test
   */
  public static MasterProcess start(
      Evidence evidence, String name, MasterProgram program, Host host, Map<String, String> flags) {
    MasterProcess master = new MasterProcess(evidence, name, program, host, flags);
    master.start();
    return master;
  }

  /** The same without starting it. */
  static MasterProcess prepare(
      Evidence evidence, String name, MasterProgram program, Host host, Map<String, String> flags) {
    return new MasterProcess(evidence, name, program, host, flags);
  }

  /** Other flags from the next start on. */
  public void setFlags(Map<String, String> flags) {
    settings =
        new MasterSettings(
            settings.address(),
            settings.rpcPort(),
            settings.metricsPort(),
            settings.dataDir(),
            Map.copyOf(flags));
  }

  /** Where its log lies. */
  public Path dataDir() {
    return settings.dataDir();
  }

  /** Starts it, as before; it must not run. */
  public void start() {
    launch();
    awaitListening();
  }

  /** HOST:PORT, for clients. */
  public String address() {
    return settings.address() + ":" + settings.rpcPort();
  }

  /** HOST:PORT for metrics and administration. */
  public String metricsAddress() {
    return settings.address() + ":" + settings.metricsPort();
  }

  /** HOST:PORT for the other masters of a cluster. */
  public String replicationAddress() {
    return settings.address() + ":" + settings.flags().get("replication_port");
  }

  /** Where it runs. */
  public Host host() {
    return host;
  }

  /** SIGSTOP, or SIGCONT. */
  public void suspend(boolean stop) {
    process.requireAlive();
    Shell.run("kill", stop ? "-STOP" : "-CONT", Long.toString(process.pid()));
  }

  /** The port for metrics and administration. */
  public int metricsPort() {
    return settings.metricsPort();
  }

  /** Whether the present process has logged such a line. */
  public boolean hasLogged(String words) {
    try {
      Path output = evidence.folder().resolve(name + "-" + starts + ".out");
      return Files.readString(output).contains(words);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The process that runs now, or ran last. */
  public OsProcess process() {
    return process;
  }

  /** kill -9. */
  public void kill() {
    process.requireAlive();
    process.kill();
  }

  /** Asks it to stop, by SIGTERM; gives the exit code. */
  public int terminate(Duration limit) {
    process.requireAlive();
    return process.terminate(limit);
  }

  /** Starts it and does not wait. */
  public void launch() {
    if (process != null && process.isAlive()) {
      throw new IllegalStateException("the master still runs");
    }
    starts++;
    process =
        OsProcess.start(
            evidence,
            name + "-" + starts,
            host.command(program.command(settings)),
            program.environment());
  }

  /** Waits until it listens for clients. */
  public void awaitListening() {
    Await.until(program + " listens on " + address(), START_LIMIT, this::listens);
  }

  private boolean listens() throws Exception {
    process.requireAlive();
    return ListeningSockets.listens(process.pid(), settings.rpcPort());
  }
}
