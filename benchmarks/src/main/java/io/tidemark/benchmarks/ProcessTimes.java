package io.tidemark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What a process has used so far, from the kernel's tables. */
public record ProcessTimes(double cpuSeconds, long residentBytes) {
  private static final double TICKS_A_SECOND = 100;
  private static final int PAGE_BYTES = 4_096;

  // Fields after the command's name, counted from 0.
  private static final int USER_TIME = 11;
  private static final int SYSTEM_TIME = 12;
  private static final int RESIDENT_PAGES = 21;

  /**
   * Reads them.
   *
   * @throws IOException also if there is no such process
   */
  public static ProcessTimes of(long pid) throws IOException {
    String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    double ticks = Double.parseDouble(fields[USER_TIME]) + Double.parseDouble(fields[SYSTEM_TIME]);
    return new ProcessTimes(
        ticks / TICKS_A_SECOND, Long.parseLong(fields[RESIDENT_PAGES]) * PAGE_BYTES);
  }
}
