package io.tidemark.testkit.etcd;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * One etcd server (Debian's etcd-server) that a test started, and its command line client. It is
 * ended by its process id, at the latest when the JVM ends; its log is FOLDER/NAME.log.
 */
public final class EtcdProcess implements AutoCloseable {
  private static final long START_LIMIT_MS = 30_000;
  private static final long STOP_LIMIT_MS = 10_000;
  private static final int LOWEST_PORT = 20_000;
  private static final int HIGHEST_PORT = 31_999;
  private static final int PORT_TRIES = 1_000;
  private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();
  private static final Set<Integer> PORTS = ConcurrentHashMap.newKeySet();

  static {
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> RUNNING.forEach(Process::destroyForcibly)));
  }

  private final Path folder;
  private final String name;
  private final int clientPort;
  private final int peerPort;
  private final Tls tls;
  private final Place place;
  private List<String> login = List.of();
  private List<String> clusterFlags;
  private Process process;

  /**
   * Certificates, in PEM files; clients have to show one of the same authority.
   *
   * @param ca who signed the others
   */
  public record Tls(Path ca, Path certificate, Path key) {}

  /**
   * Where it runs.
   *
   * @param address on which it listens
   * @param entered a command as it has to be started to run there, under the same process id
   */
  public record Place(String address, UnaryOperator<List<String>> entered) {
    static final Place LOOPBACK = new Place("127.0.0.1", command -> command);
  }

  private EtcdProcess(Path folder, String name, Tls tls, Place place) {
    this.folder = folder;
    this.name = name;
    this.tls = tls;
    this.place = place;
    clientPort = freePort();
    peerPort = freePort();
  }

  /** Starts a server of its own and waits until it serves. */
  public static EtcdProcess start(Path folder) {
    return start(folder, Place.LOOPBACK);
  }

  /** The same with certificates. */
  public static EtcdProcess start(Path folder, Tls tls) {
    return start(new EtcdProcess(folder, "etcd", tls, Place.LOOPBACK));
  }

  /** The same at another place. */
  public static EtcdProcess start(Path folder, Place place) {
    return start(new EtcdProcess(folder, "etcd", null, place));
  }

  private static EtcdProcess start(EtcdProcess etcd) {
    etcd.clusterFlags = List.of("--initial-cluster", etcd.name + "=" + etcd.peerUrl());
    etcd.launch();
    etcd.awaitHealthy();
    return etcd;
  }

  /** Starts three servers that form one cluster and waits until they serve. */
  public static List<EtcdProcess> startThree(Path folder) {
    List<EtcdProcess> members = new ArrayList<>();
    List<String> initial = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      EtcdProcess member = new EtcdProcess(folder, "etcd" + i, null, Place.LOOPBACK);
      members.add(member);
      initial.add(member.name + "=" + member.peerUrl());
    }
    for (EtcdProcess member : members) {
      member.clusterFlags = List.of("--initial-cluster", String.join(",", initial));
      member.launch();
    }
    members.forEach(member -> member.awaitHealthy());
    return members;
  }

  /** Where clients connect to. */
  public String endpoint() {
    return (tls == null ? "http" : "https") + "://" + place.address() + ":" + clientPort;
  }

  /** The process id. */
  public long pid() {
    return process.pid();
  }

  /** Whether this member leads its etcd cluster. */
  public boolean leads() {
    String[] columns = ctl("endpoint", "status", "-w", "simple").split(", ", -1);
    return columns[4].equals("true");
  }

  /** Ends the process with SIGKILL; its data stays. */
  public void kill() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(STOP_LIMIT_MS, TimeUnit.MILLISECONDS)) {
        throw new AssertionError(name + " did not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
    RUNNING.remove(process);
  }

  /**
   * Starts again, on the same port and data, and waits until it serves.
   *
   * @param login further arguments that etcdctl needs from now on
   */
  public void startAgain(String... login) {
    launch();
    awaitHealthy(login);
  }

  /** Removes all data of a killed server. */
  public void wipe() {
    if (!Files.exists(data())) {
      return;
    }
    try (Stream<Path> paths = Files.walk(data())) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Sends SIGSTOP or SIGCONT. */
  public void suspend(boolean stop) {
    run(List.of("kill", stop ? "-STOP" : "-CONT", Long.toString(pid())));
  }

  /** What {@code etcdctl} prints for a command; fails if it fails. */
  public String ctl(String... arguments) {
    List<String> command = ctlCommand(arguments);
    Ran ran = run(command);
    if (ran.code() != 0) {
      throw new AssertionError(String.join(" ", command) + " failed: " + ran.output());
    }
    return ran.output();
  }

  /**
   * From now on etcdctl logs in, and so does everything that is started by {@link #ctlCommand}.
   *
   * @param userAndPassword USER:PASSWORD
   */
  public void logIn(String userAndPassword) {
    login = List.of("--user", userAndPassword);
  }

  /** The command line of {@code etcdctl} for a command; it needs ETCDCTL_API=3. */
  public List<String> ctlCommand(String... arguments) {
    List<String> command = new ArrayList<>(List.of("etcdctl", "--endpoints", endpoint()));
    if (tls != null) {
      command.addAll(List.of("--cacert", text(tls.ca()), "--cert", text(tls.certificate())));
      command.addAll(List.of("--key", text(tls.key())));
    }
    command.addAll(login);
    command.addAll(List.of(arguments));
    return place.entered().apply(command);
  }

  @Override
  public void close() {
    if (process.isAlive()) {
      kill();
    }
  }

  private void launch() {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("etcd", "--name", name, "--data-dir", text(data())));
    command.addAll(List.of("--listen-client-urls", endpoint()));
    command.addAll(List.of("--advertise-client-urls", endpoint()));
    command.addAll(List.of("--listen-peer-urls", peerUrl()));
    command.addAll(List.of("--initial-advertise-peer-urls", peerUrl()));
    command.addAll(clusterFlags);
    command.addAll(List.of("--logger", "zap", "--pre-vote"));
    if (tls != null) {
      command.addAll(List.of("--cert-file", text(tls.certificate())));
      command.addAll(List.of("--key-file", text(tls.key())));
      command.addAll(List.of("--client-cert-auth", "--trusted-ca-file", text(tls.ca())));
    }
    ProcessBuilder builder =
        new ProcessBuilder(place.entered().apply(command))
            .redirectErrorStream(true)
            .redirectOutput(Redirect.appendTo(folder.resolve(name + ".log").toFile()));
    try {
      process = builder.start();
      RUNNING.add(process);
    } catch (IOException e) {
      throw new UncheckedIOException("could not start etcd (Debian package etcd-server)", e);
    }
  }

  private void awaitHealthy(String... login) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_LIMIT_MS);
    String last = "";
    while (System.nanoTime() < end && process.isAlive()) {
      try {
        List<String> command =
            new ArrayList<>(List.of("endpoint", "health", "--command-timeout", "1s"));
        command.addAll(List.of(login));
        ctl(command.toArray(String[]::new));
        return;
      } catch (AssertionError notYet) {
        last = notYet.getMessage();
      }
    }
    throw new AssertionError(
        name + " does not serve; see " + folder.resolve(name + ".log") + "; last: " + last);
  }

  private record Ran(int code, String output) {}

  private static Ran run(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> environment = builder.environment();
    environment.put("ETCDCTL_API", "3");
    try {
      Process ran = builder.start();
      ran.getOutputStream().close();
      String output = new String(ran.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Ran(ran.waitFor(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(String.join(" ", command), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private Path data() {
    return folder.resolve(name + ".data");
  }

  private String peerUrl() {
    return "http://" + place.address() + ":" + peerPort;
  }

  private static String text(Path path) {
    return path.toAbsolutePath().toString();
  }

  /** Below the ports for outgoing connections, so that a server can come back on its port. */
  private static int freePort() {
    for (int i = 0; i < PORT_TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, HIGHEST_PORT + 1);
      if (isFree(port) && PORTS.add(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port found in " + PORT_TRIES + " tries");
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(InetAddress.getByName("0.0.0.0"), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
