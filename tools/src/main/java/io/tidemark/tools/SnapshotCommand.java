package io.tidemark.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about snapshots. */
@Command(
    name = "snapshot",
    description = {
      "Looks at the snapshots of a stopped or a running master, or lets a running one take one.",
      "The directory is the one that the master has as --data_dir."
    },
    subcommands = {
      SnapshotListCommand.class,
      SnapshotVerifyCommand.class,
      SnapshotTakeCommand.class
    })
final class SnapshotCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "name a command: list, verify or take");
  }
}
