package io.tidemark.tools;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands about a log; none of them changes it. */
@Command(
    name = "log",
    description = {
      "Reads the log of a stopped or a running master; changes nothing.",
      "The directory is the one that the master has as --data_dir."
    },
    subcommands = {
      DumpCommand.class,
      VerifyCommand.class,
      ExplainCommand.class,
      DivergentCommand.class
    })
final class LogCommand implements Runnable {
  @Spec private CommandSpec spec;

  @SuppressWarnings("unused") // its presence on the command line is all that counts
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  @Override
  public void run() {
    throw new ParameterException(
        spec.commandLine(), "name a command: dump, verify, explain or divergent");
  }
}
