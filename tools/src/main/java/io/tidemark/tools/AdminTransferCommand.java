package io.tidemark.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code admin transfer-leadership}: lets a leader hand over to a standby. */
@Command(
    name = "transfer-leadership",
    description = {
      "Lets a leader hand over to a standby that holds everything; nothing is lost.",
      "The address is the leader's; it follows afterwards."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it gave its leadership back, a standby takes it",
      "1:it did not; the output says why",
      "2:wrong option",
      "4:no master answers there, or it refuses the token"
    })
final class AdminTransferCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private AdminPort port;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  @Override
  public Integer call() throws InterruptedException {
    try {
      JsonNode answer = port.ask(spec, "/api/v1/transfer_leadership", true);
      if (answer.path("success").asBoolean()) {
        spec.commandLine().getOut().println("handed over");
        return ExitStatus.OK;
      }
      say(answer.path("error_message").asText("the master gave no reason"));
      return ExitStatus.DAMAGED;
    } catch (AdminPort.UnreachableException silent) {
      say(silent.getMessage());
      return ExitStatus.NO_MASTER;
    }
  }

  private void say(String sentence) {
    spec.commandLine().getErr().println("tidemark: " + sentence);
    spec.commandLine().getErr().flush();
  }
}
