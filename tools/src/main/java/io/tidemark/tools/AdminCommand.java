package io.tidemark.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands that talk to a running master's admin port. */
@Command(
    name = "admin",
    description = "Asks a running master what it is, lets a leader hand over, or forces a start.",
    subcommands = {AdminStatusCommand.class, AdminTransferCommand.class, AdminForceCommand.class})
final class AdminCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name a command: status, transfer-leadership or force-start");
  }
}
