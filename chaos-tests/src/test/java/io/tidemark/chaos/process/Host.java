package io.tidemark.chaos.process;

import java.util.ArrayList;
import java.util.List;

/**
 * A place where processes run: this machine's loopback address, or a network namespace with an
 * address of its own.
 */
public final class Host {
  /** This machine, by its loopback address. */
  public static final Host LOOPBACK = new Host("", "127.0.0.1");

  /**
   * This machine again, by another loopback address: what listens here has an address of its own.
   */
  public static final Host LOOPBACK_2 = new Host("", "127.0.0.2");

  private final String namespace;
  private final String address;

  Host(String namespace, String address) {
    this.namespace = namespace;
    this.address = address;
  }

  /** The address that processes here listen on and call from. */
  public String address() {
    return address;
  }

  /** A command as it has to be started so that it runs here, under the same process id. */
  public List<String> command(List<String> command) {
    if (namespace.isEmpty()) {
      return command;
    }
    List<String> entered = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + namespace));
    entered.addAll(command);
    return entered;
  }

  /**
   * A thread that is here: what it, or a thread that it makes, connects or listens with from now on
   * is this host's. It does not run yet.
   */
  public Thread thread(String name, Runnable work) {
    Thread thread =
        new Thread(
            () -> {
              if (!namespace.isEmpty()) {
                NetworkNamespace.enter(namespace);
              }
              work.run();
            },
            name);
    thread.setDaemon(true);
    return thread;
  }

  String namespace() {
    return namespace;
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? address : address + " in " + namespace;
  }
}
