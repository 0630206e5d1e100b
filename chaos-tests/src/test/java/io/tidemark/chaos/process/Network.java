package io.tidemark.chaos.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A network of its own: a bridge in one namespace, and one namespace for each host, joined to the
 * bridge. No packet leaves it, since nothing joins it to the machine's own network. Needs root.
 *
 * <p>Namespaces are named {@code tidemark-PID-...} after the process that made them. What an
 * earlier process left behind, because it was killed, is removed by the next one.
 */
public final class Network implements AutoCloseable {
  private static final String PREFIX = "tidemark-";
  private static final Pattern OURS = Pattern.compile(PREFIX + "(\\d+)-\\S+");
  private static final String SUBNET = "10.77.0.";
  private static final int PREFIX_LENGTH = 24;

  /** A hardware address that no host has. */
  private static final String NOBODY = "02:00:00:00:00:ff";

  private static final AtomicInteger COUNT = new AtomicInteger();

  private final String name =
      PREFIX + ProcessHandle.current().pid() + "-" + COUNT.incrementAndGet();
  private final List<String> namespaces = new ArrayList<>();
  private final List<Host> hosts = new ArrayList<>();
  private final Host hub;

  private Network() {
    hub = new Host(name + "-hub", SUBNET + 1);
    makeNamespace(hub);
    ip(hub, "link add bridge type bridge");
    ip(hub, "addr add " + hub.address() + "/" + PREFIX_LENGTH + " dev bridge");
    ip(hub, "link set bridge up");
  }

  /** A new network that ends with the test. */
  public static Network open(Evidence evidence) {
    if (!"root".equals(System.getProperty("user.name"))) {
      throw new AssertionError("network namespaces need root; run the tests as root");
    }
    removeLeftovers();
    return evidence.own(new Network());
  }

  /** The host that holds the bridge; masters run there. */
  public Host hub() {
    return hub;
  }

  /** A further host with an address of its own. */
  public Host addHost() {
    int number = namespaces.size() + 1;
    Host host = new Host(name + "-" + number, SUBNET + number);
    makeNamespace(host);
    String port = "port" + number;
    ip(hub, "link add " + port + " type veth peer name eth0 netns " + host.namespace());
    ip(hub, "link set " + port + " master bridge");
    ip(hub, "link set " + port + " up");
    ip(host, "addr add " + host.address() + "/" + PREFIX_LENGTH + " dev eth0");
    ip(host, "link set eth0 up");
    return host;
  }

  /**
   * From now on no packet gets from one host to the other, in either direction, and nobody is told:
   * each takes the other for a machine that does not exist.
   */
  public void cut(Host one, Host other) {
    loseWhatGoes(one, other);
    loseWhatGoes(other, one);
  }

  /** Cuts a host off from all others. */
  public void cutOff(Host host) {
    hosts.stream().filter(other -> other != host).forEach(other -> cut(host, other));
  }

  /** Packets get there again. */
  public void heal(Host one, Host other) {
    ip(one, "neigh del " + other.address() + " dev " + device(one));
    ip(other, "neigh del " + one.address() + " dev " + device(other));
  }

  /** Ends {@link #cutOff}. */
  public void healAll(Host host) {
    hosts.stream().filter(other -> other != host).forEach(other -> heal(host, other));
  }

  private void loseWhatGoes(Host from, Host to) {
    ip(
        from,
        "neigh replace "
            + to.address()
            + " lladdr "
            + NOBODY
            + " nud permanent dev "
            + device(from));
  }

  private String device(Host host) {
    return host == hub ? "bridge" : "eth0";
  }

  @Override
  public void close() {
    namespaces.forEach(Network::remove);
    namespaces.clear();
    hosts.clear();
  }

  private void makeNamespace(Host host) {
    Shell.run("ip", "netns", "add", host.namespace());
    namespaces.add(host.namespace());
    hosts.add(host);
    ip(host, "link set lo up");
  }

  private static void ip(Host host, String arguments) {
    Shell.run(("ip -n " + host.namespace() + " " + arguments).split(" ", -1));
  }

  /** Removes the namespaces of test processes that no longer run, with what still runs in them. */
  private static void removeLeftovers() {
    for (String line : Shell.run("ip", "netns", "list").split("\n", -1)) {
      Matcher matcher = OURS.matcher(line.split(" ", -1)[0]);
      if (matcher.matches() && !Files.exists(Path.of("/proc", matcher.group(1)))) {
        remove(matcher.group());
      }
    }
  }

  private static void remove(String namespace) {
    for (String pid : Shell.tryRun("ip", "netns", "pids", namespace).output().split("\\s+", -1)) {
      if (pid.matches("\\d+")) {
        ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
      }
    }
    Shell.tryRun("ip", "netns", "delete", namespace);
  }
}
