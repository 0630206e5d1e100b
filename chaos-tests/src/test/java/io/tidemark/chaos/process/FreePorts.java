package io.tidemark.chaos.process;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks ports that nobody listens on. They lie below the range from which the kernel picks ports
 * for outgoing connections, so that a master can come back on its port after a restart.
 */
public final class FreePorts {
  private static final int LOWEST = 20_000;
  private static final int HIGHEST = 31_999;
  private static final int TRIES = 1_000;
  private static final Set<Integer> HANDED_OUT = ConcurrentHashMap.newKeySet();

  private FreePorts() {}

  /**
   * A port that is free on the loopback address and that this process has not handed out before.
   */
  public static int next() {
    for (int i = 0; i < TRIES; i++) {
      int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST + 1);
      if (isFree(port) && HANDED_OUT.add(port)) {
        return port;
      }
    }
    throw new IllegalStateException("no free port found in " + TRIES + " tries");
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
