package io.tidemark.benchmarks.figures;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Resident memory of a process.
 *
 * @param anonymous what no file backs
 */
record Resident(double all, double anonymous) {
  private static final int KIB = 1_024;

  static Resident of(long pid) throws IOException {
    return parse(Files.readString(Path.of("/proc", Long.toString(pid), "status")));
  }

  /** Reads the kernel's page about a process. */
  static Resident parse(String status) throws IOException {
    return new Resident(field(status, "VmRSS:"), field(status, "RssAnon:"));
  }

  private static double field(String status, String name) throws IOException {
    for (String line : status.split("\n", -1)) {
      if (line.startsWith(name)) {
        return Double.parseDouble(line.substring(name.length()).strip().split(" ", 2)[0]) * KIB;
      }
    }
    throw new IOException("the kernel says nothing about " + name);
  }
}
