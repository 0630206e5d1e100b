package io.tidemark.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code admin force-start}: lets a member lead although entries may be missing. */
@Command(
    name = "force-start",
    description = {
      "Lets a member lead that may lack what was answered, when no member that has it is left or",
      "etcd was emptied. What only others hold is lost; they set it aside when they come back.",
      "Without --confirm it changes nothing and says what would be done."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it is the only member now and is about to lead",
      "1:nothing was changed; the output says why",
      "2:wrong option",
      "4:no master answers there, or it refuses the token"
    })
final class AdminForceCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private AdminPort port;

  @Option(
      names = "--confirm",
      paramLabel = "CLUSTER",
      description = "The cluster's UUID, as it is shown without this option: do it.")
  private String confirm;

  @Option(
      names = "--keep-memory",
      description = {
        "Keep memory replicas. Only if surely no entry is missing: else readers may",
        "get the bytes of other objects."
      })
  private boolean keepMemory;

  @Option(
      names = "--forget-views",
      description = {
        "All clients are started anew: etcd need not count on from what they held.",
        "For an etcd that is too far behind."
      })
  private boolean forgetViews;

  @Option(
      names = "--other",
      paramLabel = "HOST:PORT",
      description = {
        "Admin port of another member that runs; may be given several times. Nothing is",
        "forced if one of them holds more."
      })
  private List<String> others = List.of();

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  @Override
  public Integer call() throws InterruptedException {
    try {
      JsonNode status = port.ask(spec, "/api/v1/cluster", false);
      if (!status.path("ha").asBoolean()) {
        return refuse("this is a single master; --forced_start is what it has");
      }
      print(status);
      for (String other : others) {
        if (holdsMore(other, status)) {
          return refuse(other + " holds more: force that one");
        }
      }
      return confirm == null ? explain(status) : force();
    } catch (AdminPort.UnreachableException silent) {
      say(silent.getMessage());
      return ExitStatus.NO_MASTER;
    }
  }

  private void print(JsonNode status) {
    PrintWriter out = spec.commandLine().getOut();
    out.printf("role     %s: %s%n", status.path("role").asText(), status.path("why").asText());
    out.printf(
        "log      ends at entry %d, epoch %d, known to be committed up to %d%n",
        status.path("log_end").asLong(),
        status.path("epoch").asLong(),
        status.path("commit_index").asLong());
    out.flush();
  }

  private boolean holdsMore(String other, JsonNode own)
      throws AdminPort.UnreachableException, InterruptedException {
    JsonNode status = port.at(other).ask(spec, "/api/v1/cluster", false);
    long epoch = status.path("epoch").asLong();
    long end = status.path("log_end").asLong();
    PrintWriter out = spec.commandLine().getOut();
    out.printf("%s: log ends at entry %d, epoch %d%n", other, end, epoch);
    out.flush();
    long ownEpoch = own.path("epoch").asLong();
    return epoch > ownEpoch || (epoch == ownEpoch && end > own.path("log_end").asLong());
  }

  private int explain(JsonNode status) {
    return refuse(
        "nothing was changed. This member would lead with what its log holds, and"
            + (keepMemory ? " keep" : " drop")
            + " all memory replicas. Do it with --confirm "
            + status.path("cluster").asText());
  }

  private int force() throws AdminPort.UnreachableException, InterruptedException {
    JsonNode answer =
        port.ask(
            spec,
            "/api/v1/force_start?cluster="
                + confirm
                + "&keep_memory="
                + keepMemory
                + "&forget_views="
                + forgetViews,
            true);
    if (answer.path("success").asBoolean()) {
      spec.commandLine().getOut().println("forced: " + answer.path("detail").asText());
      return ExitStatus.OK;
    }
    return refuse(answer.path("error_message").asText("the master gave no reason"));
  }

  private int refuse(String why) {
    say(why);
    return ExitStatus.DAMAGED;
  }

  private void say(String sentence) {
    spec.commandLine().getErr().println("tidemark: " + sentence);
    spec.commandLine().getErr().flush();
  }
}
