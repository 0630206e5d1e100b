package io.tidemark.tools;

import io.tidemark.oplog.LogFormatException;
import io.tidemark.oplog.LogReader;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/** Options that every log command has: where the log is, and in which form to answer. */
final class LogLocation {
  @Option(
      names = {"--data_dir", "--data-dir"},
      paramLabel = "DIR",
      defaultValue = "data",
      description =
          "The master's data directory; relative to the working directory. Default: ${DEFAULT-VALUE}.")
  private Path directory;

  @Option(names = "--json", description = "One JSON object a line, for programs.")
  private boolean json;

  @SuppressWarnings("unused") // its presence on the command line is all that counts
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  /**
   * Opens the log for reading.
   *
   * @throws LogFormatException if there is none that this version can read
   */
  LogReader open() {
    if (!Files.exists(directory)) {
      throw new LogFormatException(
          directory.toAbsolutePath().normalize()
              + " does not exist; name the master's data directory with --data_dir (./run keeps it"
              + " in data/ of the checkout)");
    }
    return LogReader.open(directory);
  }

  Path directory() {
    return directory;
  }

  boolean isJson() {
    return json;
  }
}
