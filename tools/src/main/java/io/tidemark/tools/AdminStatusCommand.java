package io.tidemark.tools;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code admin status}: what a master is, and how its cluster does. */
@Command(
    name = "status",
    description = "Shows what a running master is, and how its cluster does as it sees it.",
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:it answered, and it serves or follows",
      "1:it answered, but neither serves nor follows; the output says why",
      "2:wrong option",
      "4:no master answers there"
    })
final class AdminStatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private AdminPort port;

  @Option(names = "--json", description = "One JSON object, for programs.")
  private boolean asJson;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Print this help.")
  private boolean help;

  @Override
  public Integer call() throws InterruptedException {
    JsonNode status;
    try {
      status = port.ask(spec, "/api/v1/cluster", false);
    } catch (AdminPort.UnreachableException silent) {
      spec.commandLine().getErr().println("tidemark: " + silent.getMessage());
      return ExitStatus.NO_MASTER;
    }
    PrintWriter out = spec.commandLine().getOut();
    if (asJson) {
      out.println(status);
    } else if (status.path("ha").asBoolean()) {
      print(status, out);
    } else {
      out.println(
          "single master, epoch "
              + status.path("epoch").asLong()
              + (status.path("service_ready").asBoolean() ? ", serves" : ", does not serve"));
    }
    out.flush();
    boolean well = status.path("service_ready").asBoolean() || status.path("attached").asBoolean();
    return well ? ExitStatus.OK : ExitStatus.DAMAGED;
  }

  private static void print(JsonNode status, PrintWriter out) {
    out.printf("role         %s%n", status.path("role").asText());
    out.printf("why          %s%n", status.path("why").asText());
    out.printf("epoch        %d%n", status.path("epoch").asLong());
    out.printf("cluster      %s%n", status.path("cluster").asText());
    out.printf(
        "node         %s, incarnation %s%n",
        status.path("node").asText(), status.path("incarnation").asText());
    out.printf(
        "log          ends at %d, committed to %d, applied to %d%n",
        status.path("log_end").asLong(),
        status.path("commit_index").asLong(),
        status.path("applied_index").asLong());
    JsonNode address = status.path("leader_address");
    out.printf(
        "clients      %s%n",
        address.isTextual()
            ? "are sent to "
                + address.asText()
                + ", version "
                + status.path("view_version").asLong()
            : "find nobody");
    if (status.path("lease_left_ms").asLong() > 0) {
      printLeader(status, out);
    }
  }

  private static String entries(long count) {
    return count == 1 ? "1 entry" : count + " entries";
  }

  private static void printLeader(JsonNode status, PrintWriter out) {
    out.printf("lease        %d ms left%n", status.path("lease_left_ms").asLong());
    out.printf(
        "in sync      %s, %d needed%n",
        EventText.plural(status.path("in_sync").size(), "member"),
        status.path("min_in_sync").asLong());
    for (JsonNode standby : status.path("standbys")) {
      out.printf(
          "standby      %s  %s, %s, lacks %s (%d bytes, %d ms)%n",
          standby.path("node").asText(),
          standby.path("state").asText(),
          standby.path("in_sync").asBoolean() ? "in sync" : "not in sync",
          entries(standby.path("lag_entries").asLong()),
          standby.path("lag_bytes").asLong(),
          standby.path("lag_ms").asLong());
    }
  }
}
