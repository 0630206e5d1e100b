package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.event.Event;
import io.tidemark.api.log.LogEntry;
import io.tidemark.api.log.LogPosition;
import io.tidemark.oplog.DivergentBranch;
import io.tidemark.oplog.EntryPlace;
import io.tidemark.oplog.LogReader;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code log divergent}: what truncations and restarts took out of a log. */
@Command(
    name = "divergent",
    description = {
      "Lists what was taken out of a log, oldest first: entries that another leader's log did not"
          + " have, or that an installed snapshot stands for. They lie in set-aside/ of the data"
          + " directory until somebody deletes them there.",
      "With --events also prints their events, as dump does."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, also if there is nothing",
      "1:what was set aside is damaged, or could not be read to its end",
      "2:wrong option",
      "3:no log there, or one of a newer version"
    })
final class DivergentCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LogLocation location;

  @Option(names = "--events", description = "Print the events, too.")
  private boolean events;

  private PrintWriter out;

  @Override
  public Integer call() {
    out = spec.commandLine().getOut();
    location.open(); // says what is wrong if this is no log
    int status = ExitStatus.OK;
    for (DivergentBranch branch : DivergentBranch.list(location.directory())) {
      out.println(location.isJson() ? json(branch) : text(branch));
      if (events) {
        status = Math.max(status, printEvents(branch));
      }
    }
    out.flush();
    return status;
  }

  private int printEvents(DivergentBranch branch) {
    Mounts mounts = new Mounts();
    EventText words = new EventText(mounts);
    LogReader.Outcome outcome =
        branch.read(
            (entry, place) -> {
              print(entry, place, mounts, words);
              return !out.checkError();
            });
    return LogEnd.report(outcome, spec.commandLine().getErr());
  }

  private void print(LogEntry entry, EntryPlace place, Mounts mounts, EventText words) {
    for (Event event : Payload.events(entry, place)) {
      if (location.isJson()) {
        ObjectNode node = EventJson.object().put("type", "event");
        EntryText.put(entry.header(), node);
        EventJson.put(event, node);
        out.println(node.put("text", words.of(event)));
      } else {
        out.println("  " + EntryText.columns(entry.header()) + "  " + words.of(event));
      }
      mounts.apply(event);
    }
  }

  private static String text(DivergentBranch branch) {
    return branch.path()
        + ": "
        + branch.entries()
        + (branch.entries() == 1 ? " entry" : " entries")
        + " behind "
        + position(branch.keep())
        + ", up to "
        + position(branch.end())
        + "; taken out "
        + Instant.ofEpochMilli(branch.wallTimeMs());
  }

  private static String position(LogPosition position) {
    return String.format(
        "entry %d (epoch %d, chain hash %016x)",
        position.index(), position.epoch(), position.chainHash());
  }

  private static ObjectNode json(DivergentBranch branch) {
    ObjectNode node = EventJson.object();
    node.put("type", "branch");
    node.put("path", branch.path().toString());
    node.put("entries", branch.entries());
    node.put("taken_out", Instant.ofEpochMilli(branch.wallTimeMs()).toString());
    put(node, "keep", branch.keep());
    put(node, "end", branch.end());
    return node;
  }

  private static void put(ObjectNode node, String name, LogPosition position) {
    ObjectNode at = node.putObject(name);
    at.put("index", position.index());
    at.put("epoch", position.epoch());
    at.put("chain_hash", String.format("%016x", position.chainHash()));
  }
}
