package io.tidemark.benchmarks.bench;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import picocli.CommandLine;

/** {@code tidemark bench} as a process. */
public final class Main {
  private static final int HELP_COLUMNS = 100;

  /** How long a process that was told to end may go on to print and to clean up. */
  private static final Duration END_LIMIT = Duration.ofSeconds(30);

  private Main() {}

  /** Runs the command and ends the process with its status. */
  public static void main(String[] arguments) {
    AtomicBoolean stop = new AtomicBoolean();
    CountDownLatch over = new CountDownLatch(1);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(stop, over), "bench-end"));
    PrintWriter out = writer(FileDescriptor.out);
    PrintWriter err = writer(FileDescriptor.err);
    int status = run(out, err, stop::get, arguments);
    out.flush();
    err.flush();
    over.countDown();
    System.exit(status);
  }

  /** Ctrl-C: the load ends with what is outstanding, then the process does. */
  private static void end(AtomicBoolean stop, CountDownLatch over) {
    stop.set(true);
    try {
      if (!over.await(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
        System.err.println("tidemark bench: not cleaned up within " + END_LIMIT.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Runs the command; returns the status that the process ends with. */
  static int run(PrintWriter out, PrintWriter err, BooleanSupplier stop, String... arguments) {
    return commandLine(stop).setOut(out).setErr(err).execute(arguments);
  }

  /** The command as picocli knows it. */
  static CommandLine commandLine(BooleanSupplier stop) {
    return new CommandLine(new BenchCommand(stop))
        .setUsageHelpWidth(HELP_COLUMNS)
        .setUsageHelpAutoWidth(false);
  }

  /** UTF-8 whatever the locale says, as the tools. */
  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
  }
}
