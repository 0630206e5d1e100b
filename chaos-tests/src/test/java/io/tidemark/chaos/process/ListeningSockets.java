package io.tidemark.chaos.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Locale;

/** Looks up listening sockets in the kernel's tables, so that nobody has to connect to find out. */
final class ListeningSockets {
  private static final String LISTEN = "0A";

  private ListeningSockets() {}

  /** Whether somebody listens on a port in the network namespace of a process. */
  static boolean listens(long pid, int port) throws IOException {
    return contains(pid, "tcp", port) || contains(pid, "tcp6", port);
  }

  private static boolean contains(long pid, String table, int port) throws IOException {
    String wanted = String.format(Locale.ROOT, ":%04X", port);
    try {
      // Columns: slot, local address:port, remote address:port, state.
      for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "net", table))) {
        String[] columns = line.trim().split("\\s+", -1);
        if (columns[1].endsWith(wanted) && columns[3].equals(LISTEN)) {
          return true;
        }
      }
      return false;
    } catch (NoSuchFileException e) {
      return false;
    }
  }
}
