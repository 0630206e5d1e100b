package io.tidemark.server.metrics;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Memory of this process as the kernel sees it; zeros where there is no /proc. */
final class ProcessFigures {

  private static final Path STATUS = Path.of("/proc/self/status");
  private static final Map<String, String> LINES =
      Map.of(
          "VmRSS:", "mooncake_process_rss_bytes",
          "VmHWM:", "mooncake_process_rss_peak_bytes",
          "RssAnon:", "mooncake_process_rss_anon_bytes",
          "RssFile:", "mooncake_process_rss_file_bytes",
          "RssShmem:", "mooncake_process_rss_shmem_bytes",
          "VmSize:", "mooncake_process_vsize_bytes",
          "VmSwap:", "mooncake_process_swap_bytes");

  private ProcessFigures() {}

  /** Values by metric name. */
  static Map<String, Long> read() {
    Map<String, Long> figures = new HashMap<>();
    LINES.values().forEach(metric -> figures.put(metric, 0L));
    for (String line : statusLines()) {
      String[] words = line.trim().split("\\s+");
      String metric = LINES.get(words[0]);
      if (metric != null && words.length > 1) {
        figures.put(metric, Long.parseLong(words[1]) * 1024);
      }
    }
    return figures;
  }

  private static List<String> statusLines() {
    try {
      return Files.readAllLines(STATUS);
    } catch (IOException noProc) {
      return List.of();
    }
  }
}
