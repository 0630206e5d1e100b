package io.tidemark.benchmarks.bench;

import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.function.BooleanSupplier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code tidemark bench}: its options, and the plan that they make. */
@Command(
    name = "tidemark bench",
    sortOptions = false,
    description = {
      "Loads a master, Tidemark's or Mooncake's own, and says how fast it answers.",
      "It speaks to the given address only, as one Mooncake client that lends memory. That memory does"
          + " not exist: while a load runs, another client of the same master may be told to write"
          + " there, and fails. So load masters that serve nobody else."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:measured; every request succeeded and everything was cleaned up",
      "1:requests failed, the master went away in between, or something could not be cleaned up;"
          + " what was measured is printed",
      "2:wrong option",
      "3:a master answers there, but refuses the load: another release, or it takes no writes now",
      "4:no master answers there",
      "130:stopped with Ctrl-C (143: with SIGTERM); what was measured is printed"
    })
final class BenchCommand implements Callable<Integer> {
  private static final int MOST_CONNECTIONS = 128;
  private static final int MOST_RATE = 1_000_000;
  private static final int MOST_BATCH = 1_000;
  private static final int MOST_KEY_BYTES = 1_024;
  private static final long MOST_VALUE_BYTES = 1L << 30;
  private static final int MOST_KEYS = 10_000_000;
  private static final int MOST_SEGMENTS = 64;
  private static final double LEAST_SECONDS = 0.1;
  private static final double MOST_SECONDS = 3_600;
  private static final int MOST_PORT = 65_535;

  private final BooleanSupplier stop;
  @Spec private CommandSpec spec;

  @Option(
      names = "--master",
      paramLabel = "HOST:PORT",
      defaultValue = "127.0.0.1:50051",
      description = "The master's RPC port. Default: ${DEFAULT-VALUE}.")
  private String master;

  @Option(
      names = "--release",
      paramLabel = "RELEASE",
      defaultValue = "0.3.14",
      description =
          "The Mooncake release whose client to be: 0.3.10.post2, 0.3.11.post1, 0.3.12.post1,"
              + " 0.3.13.post1 or 0.3.14. Tidemark takes all of them, Mooncake's masters their own"
              + " (0.3.13.post1 and 0.3.14 each other's, too). Default: ${DEFAULT-VALUE}.")
  private String release;

  @Option(
      names = "--phases",
      paramLabel = "PHASE",
      split = ",",
      defaultValue = "put,get,exist,batch-put,batch-get,mixed",
      description =
          "What to measure, one after the other: put (PutStart and PutEnd), get, exist, batch-put,"
              + " batch-get, batch-exist, mixed (of ten operations six gets, two exists, two that put"
              + " a key or remove it again). Default: ${DEFAULT-VALUE}.")
  private List<String> phases = new ArrayList<>();

  @Option(
      names = "--connections",
      paramLabel = "N",
      defaultValue = "16",
      description =
          "Connections, each with one request outstanding; 1 to 128. Default: ${DEFAULT-VALUE}.")
  private int connections;

  @Option(
      names = "--rate",
      paramLabel = "OPS_PER_S",
      description =
          "Open loop: so many operations a second are due over all connections, whatever the master"
              + " does, and a latency counts from when its operation was due; up to 1000000. Keeps"
              + " one core busy, to be on time. Default: closed loop, each connection as fast as it"
              + " is answered.")
  private Integer rate;

  @Option(
      names = "--batch",
      paramLabel = "SIZE",
      defaultValue = "128",
      description = "Keys a batch call; 1 to 1000. Default: ${DEFAULT-VALUE}.")
  private int batch;

  @Option(
      names = "--key-bytes",
      paramLabel = "N",
      defaultValue = "32",
      description = "Length of every key; 24 to 1024. Default: ${DEFAULT-VALUE}.")
  private int keyBytes;

  @Option(
      names = "--value-bytes",
      paramLabel = "N",
      defaultValue = "4096",
      description =
          "Size that each object is registered with, up to 1073741824; no value is sent. Default:"
              + " ${DEFAULT-VALUE}.")
  private long valueBytes;

  @Option(
      names = "--keys",
      paramLabel = "N",
      defaultValue = "1000000",
      description =
          "Most keys that are there at a time, up to 10000000: a phase that puts ends early when it"
              + " has written them, and its warm-up writes a fourth of them at most. Phases that"
              + " read use what an earlier one has left; if there is nothing, up to 100000 are"
              + " written first. Default: ${DEFAULT-VALUE}.")
  private int keys;

  @Option(
      names = "--seconds",
      paramLabel = "S",
      defaultValue = "5",
      description = "Time of each phase, with a fraction if wanted. Default: ${DEFAULT-VALUE}.")
  private double seconds;

  @Option(
      names = "--warmup-seconds",
      paramLabel = "S",
      defaultValue = "1",
      description = "The same load before each phase, not measured. Default: ${DEFAULT-VALUE}.")
  private double warmupSeconds;

  @Option(
      names = "--segments",
      paramLabel = "N",
      defaultValue = "16",
      description =
          "Segments to mount, together with room for twice the keys; 1 to 64. Default:"
              + " ${DEFAULT-VALUE}.")
  private int segments;

  @Option(
      names = "--keep",
      description =
          "Remove and unmount nothing at the end. The master drops both by itself once it misses the"
              + " client's pings (its --client_ttl).")
  private boolean keep;

  @Option(names = "--json", description = "One JSON object a line, for programs.")
  private boolean asJson;

  @SuppressWarnings("unused") // its presence on the command line is all that counts
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  /**
   * A command that was not read yet.
   *
   * @param stop whether to end early; may be set by another thread
   */
  BenchCommand(BooleanSupplier stop) {
    this.stop = stop;
  }

  @Override
  public Integer call() {
    BenchPlan plan = plan();
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    Report report = asJson ? new JsonReport(plan, out, err) : new TextReport(plan, out, err);
    try {
      return new Bench(plan, report, stop).run();
    } catch (BenchException e) {
      err.println("tidemark bench: " + e.getMessage());
      err.flush();
      return e.status();
    }
  }

  private BenchPlan plan() {
    require("--connections", connections, 1, MOST_CONNECTIONS);
    require("--batch", batch, 1, MOST_BATCH);
    require("--key-bytes", keyBytes, KeySpace.LEAST_KEY_BYTES, MOST_KEY_BYTES);
    require("--value-bytes", valueBytes, 1, MOST_VALUE_BYTES);
    require("--keys", keys, batch, MOST_KEYS);
    require("--segments", segments, 1, MOST_SEGMENTS);
    if (rate != null) {
      require("--rate", rate, 1, MOST_RATE);
    }
    return new BenchPlan(
        master,
        address(),
        MooncakeRelease.of(release)
            .orElseThrow(() -> bad("--release", MooncakeRelease.names(), release)),
        phases.stream().map(this::phase).toList(),
        connections,
        rate == null ? OptionalInt.empty() : OptionalInt.of(rate),
        batch,
        keyBytes,
        valueBytes,
        keys,
        duration("--seconds", seconds, LEAST_SECONDS),
        duration("--warmup-seconds", warmupSeconds, 0),
        segments,
        keep);
  }

  private BenchPhase phase(String name) {
    return BenchPhase.of(name)
        .orElseThrow(() -> bad("--phases", "some of " + BenchPhase.names(), name));
  }

  private InetSocketAddress address() {
    int colon = master.lastIndexOf(':');
    try {
      int port = Integer.parseInt(master.substring(colon + 1));
      if (colon > 0 && port > 0 && port <= MOST_PORT) {
        String host = master.substring(0, colon).replaceAll("^\\[|]$", "");
        return new InetSocketAddress(host, port);
      }
    } catch (NumberFormatException noPort) {
      // Told below, together with everything else that an address can lack.
    }
    throw bad("--master", "HOST:PORT", master);
  }

  private Duration duration(String option, double value, double least) {
    if (!(value >= least && value <= MOST_SECONDS)) {
      throw bad(option, "from " + least + " to " + (int) MOST_SECONDS, Double.toString(value));
    }
    return Duration.ofMillis(Math.round(value * 1_000));
  }

  private void require(String option, long value, long least, long most) {
    if (value < least || value > most) {
      throw bad(option, "from " + least + " to " + most, Long.toString(value));
    }
  }

  private ParameterException bad(String option, String legal, String got) {
    return new ParameterException(
        spec.commandLine(), option + " must be " + legal + ", got '" + got + "'");
  }
}
