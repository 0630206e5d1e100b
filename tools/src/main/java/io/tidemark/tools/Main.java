package io.tidemark.tools;

import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.log.LogFailureException;
import io.tidemark.oplog.LogFormatException;
import io.tidemark.snapshot.SnapshotException;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The tools as a process: {@code tidemark log …}, {@code tidemark snapshot …}, {@code tidemark
 * admin …}.
 */
@Command(
    name = "tidemark",
    mixinStandardHelpOptions = false,
    subcommands = {LogCommand.class, SnapshotCommand.class, AdminCommand.class},
    description = "Tools for the log, the snapshots and the cluster of a Tidemark master.")
public final class Main implements Runnable {
  private static final int HELP_COLUMNS = 100;

  @Spec private CommandSpec spec;

  /** Runs a command and ends the process with its status. */
  public static void main(String[] arguments) {
    PrintWriter out = writer(FileDescriptor.out);
    PrintWriter err = writer(FileDescriptor.err);
    int status = run(out, err, arguments);
    out.flush();
    err.flush();
    System.exit(status);
  }

  /** Runs a command; returns the status that the process ends with. */
  static int run(PrintWriter out, PrintWriter err, String... arguments) {
    CommandLine line =
        new CommandLine(new Main())
            .setOut(out)
            .setErr(err)
            .setUsageHelpWidth(HELP_COLUMNS)
            .setUsageHelpAutoWidth(false)
            .setExecutionExceptionHandler((failure, command, parsed) -> report(failure, err));
    try {
      return line.execute(arguments);
    } catch (OutOfMemoryError tooSmall) {
      err.println(
          "tidemark: the heap is too small for this log; give it more, for example"
              + " TIDEMARK_JAVA_OPTS=-Xmx8g");
      return ExitStatus.DAMAGED;
    }
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command: log, snapshot or admin");
  }

  private static int report(Exception failure, PrintWriter err) throws Exception {
    if (failure instanceof LogFormatException || failure instanceof UnknownEventException) {
      err.println("tidemark: " + failure.getMessage());
      return ExitStatus.NO_LOG;
    }
    if (failure instanceof LogFailureException || failure instanceof SnapshotException) {
      err.println("tidemark: " + failure.getMessage());
      return ExitStatus.DAMAGED;
    }
    throw failure;
  }

  /** UTF-8 whatever the locale says: keys are bytes, most of them text. */
  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
  }
}
