package io.tidemark.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;

/**
 * Loads a master: single and batch puts and gets, with 1 to many connections. See {@link
 * LoadOptions#USAGE}.
 */
public final class Load {
  private final LoadOptions options;
  private final ExecutorService threads;

  private Load(LoadOptions options) {
    this.options = options;
    this.threads = Executors.newFixedThreadPool(options.threads());
  }

  /** Runs a load; ends with 0 if every call succeeded. */
  public static void main(String[] arguments) throws Exception {
    LoadOptions options;
    try {
      options = LoadOptions.of(arguments);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.err.print(LoadOptions.USAGE);
      System.exit(2);
      return;
    }
    boolean clean = new Load(options).run();
    System.exit(clean ? 0 : 1);
  }

  private boolean run() throws IOException, InterruptedException, ExecutionException {
    boolean clean = true;
    try (Lender lender = new Lender(options)) {
      for (int count : options.connections()) {
        List<LoadConnection> connections = new ArrayList<>();
        for (int i = 0; i < count; i++) {
          connections.add(new LoadConnection(options, lender.id(), prefix(count), i));
        }
        for (Phase phase : options.phases()) {
          LoadResult result = measure(phase, connections);
          clean &= result.failed() == 0;
          report(result);
        }
        for (LoadConnection connection : connections) {
          connection.close();
        }
        lender.removeAll();
      }
    } finally {
      threads.shutdownNow();
    }
    return clean;
  }

  /** Two characters, another pair for each number of connections. */
  private static String prefix(int connections) {
    return String.format("%c%c", 'a' + connections / 26 % 26, 'a' + connections % 26);
  }

  private LoadResult measure(Phase phase, List<LoadConnection> connections)
      throws IOException, InterruptedException, ExecutionException {
    long pid = options.serverPid().orElse(0L);
    double serverBefore = cpuSeconds(pid);
    double loadBefore = cpuSeconds(ProcessHandle.current().pid());
    List<Future<LoadLoop.Result>> futures = new ArrayList<>();
    int count = Math.min(options.threads(), connections.size());
    for (int t = 0; t < count; t++) {
      List<LoadConnection> own = new ArrayList<>();
      for (int i = t; i < connections.size(); i += count) {
        own.add(connections.get(i));
      }
      futures.add(threads.submit(new LoadLoop(own, phase, options.warmup(), options.measured())));
    }
    Histogram latencies = LoadLoop.histogram();
    long done = 0;
    long failed = 0;
    double seconds = 0;
    for (Future<LoadLoop.Result> future : futures) {
      LoadLoop.Result result = future.get();
      latencies.add(result.latencies());
      done += result.done();
      failed += result.failed();
      seconds = Math.max(seconds, result.seconds());
    }
    // CPU times cover the warm-up too; they are scaled to the measurement.
    double share = seconds / (seconds + options.warmup().toMillis() / 1e3);
    return new LoadResult(
        options.label(),
        phase,
        connections.size(),
        done / seconds,
        latencies.getValueAtPercentile(50) / 1e3,
        latencies.getValueAtPercentile(99) / 1e3,
        seconds,
        failed,
        (cpuSeconds(pid) - serverBefore) * share,
        (cpuSeconds(ProcessHandle.current().pid()) - loadBefore) * share);
  }

  private static double cpuSeconds(long pid) throws IOException {
    return pid == 0 ? 0 : ProcessTimes.of(pid).cpuSeconds();
  }

  private void report(LoadResult result) throws IOException {
    System.out.println(result.toText());
    if (options.out().isPresent()) {
      Files.writeString(
          options.out().get(),
          result.toLine() + "\n",
          StandardOpenOption.CREATE,
          StandardOpenOption.APPEND);
    }
  }
}
