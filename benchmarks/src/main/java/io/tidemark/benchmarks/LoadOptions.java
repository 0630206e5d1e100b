package io.tidemark.benchmarks;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What to load, and how.
 *
 * @param connections numbers of connections to load with, one after the other
 * @param warmup time before each measurement, with the same load
 * @param measured time of each measurement
 * @param batch keys a batch call
 * @param serverPid process to take CPU times from
 * @param label first column of the results
 * @param out file to which results are appended as tab-separated lines
 */
record LoadOptions(
    InetSocketAddress address,
    List<Integer> connections,
    List<Phase> phases,
    Duration warmup,
    Duration measured,
    int batch,
    int segments,
    long segmentBytes,
    long objectBytes,
    int threads,
    Optional<Long> serverPid,
    String label,
    Optional<Path> out) {

  static final String USAGE =
      """
      Usage: Load [--addr=HOST:PORT] [OPTIONS]
        --addr=HOST:PORT      master (127.0.0.1:50051)
        --conns=N,N,...       connections, one outstanding request each (1,4,16,64)
        --phases=P,P,...      put, get, batchput, batchget (all, in this order)
        --warmup_ms=N         load before each measurement (1000)
        --measure_ms=N        each measurement (5000)
        --batch=N             keys a batch call (128)
        --segments=N          segments to mount (16)
        --segment_bytes=N     bytes a segment (68719476736)
        --object_bytes=N      bytes an object (4096)
        --threads=N           threads of the generator (1)
        --pid=N               process of the master: report its CPU time
        --label=TEXT          first column of the results (master)
        --out=FILE            append results as tab-separated lines
      """;

  private static final Map<String, String> DEFAULTS = defaults();

  private static Map<String, String> defaults() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("addr", "127.0.0.1:50051");
    values.put("conns", "1,4,16,64");
    values.put("phases", "put,get,batchput,batchget");
    values.put("warmup_ms", "1000");
    values.put("measure_ms", "5000");
    values.put("batch", "128");
    values.put("segments", "16");
    values.put("segment_bytes", Long.toString(64L << 30));
    values.put("object_bytes", "4096");
    values.put("threads", "1");
    values.put("pid", "");
    values.put("label", "master");
    values.put("out", "");
    return values;
  }

  /**
   * Reads a command line.
   *
   * @throws IllegalArgumentException naming what is wrong
   */
  static LoadOptions of(String[] arguments) {
    Map<String, String> values = new LinkedHashMap<>(DEFAULTS);
    for (String argument : arguments) {
      String[] nameAndValue = argument.split("=", 2);
      String name = nameAndValue[0].replaceFirst("^--", "");
      if (nameAndValue.length < 2 || !values.containsKey(name)) {
        throw new IllegalArgumentException("unknown option " + argument);
      }
      values.put(name, nameAndValue[1]);
    }
    String[] hostAndPort = values.get("addr").split(":", 2);
    return new LoadOptions(
        new InetSocketAddress(hostAndPort[0], Integer.parseInt(hostAndPort[1])),
        Arrays.stream(values.get("conns").split(",", -1)).map(Integer::valueOf).toList(),
        Arrays.stream(values.get("phases").split(",", -1)).map(Phase::of).toList(),
        Duration.ofMillis(Long.parseLong(values.get("warmup_ms"))),
        Duration.ofMillis(Long.parseLong(values.get("measure_ms"))),
        Integer.parseInt(values.get("batch")),
        Integer.parseInt(values.get("segments")),
        Long.parseLong(values.get("segment_bytes")),
        Long.parseLong(values.get("object_bytes")),
        Integer.parseInt(values.get("threads")),
        optional(values, "pid").map(Long::valueOf),
        values.get("label"),
        optional(values, "out").map(Path::of));
  }

  private static Optional<String> optional(Map<String, String> values, String name) {
    return Optional.of(values.get(name)).filter(value -> !value.isEmpty());
  }
}
