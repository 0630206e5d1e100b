package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.log.LogPosition;
import io.tidemark.core.MasterState;
import io.tidemark.core.Replayer;
import io.tidemark.oplog.LogIdentity;
import io.tidemark.oplog.LogReader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code log verify}: is the log sound, and what state does it give. */
@Command(
    name = "verify",
    description = {
      "Checks a log from end to end: checksums, indexes, hash chain, epochs, batch ends, the"
          + " clean-stop mark; then replays it and compares every recorded state digest.",
      "Needs memory for the whole state, as a master does (TIDEMARK_JAVA_OPTS=-Xmx8g gives more)."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the log is sound",
      "1:the log is damaged; the output says what, in which file and where",
      "2:wrong option",
      "3:no log there, or one of a newer version"
    })
final class VerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LogLocation location;

  @Override
  public Integer call() {
    LogReader log = location.open();
    Verification found = new Verification();
    found.run(log, location.directory());
    PrintWriter out = spec.commandLine().getOut();
    if (location.isJson()) {
      out.println(json(log, found));
    } else {
      print(log, found, out);
    }
    out.flush();
    return found.faults().isEmpty() ? ExitStatus.OK : ExitStatus.DAMAGED;
  }

  private void print(LogReader log, Verification found, PrintWriter out) {
    LogIdentity identity = log.identity();
    LogPosition end = found.outcome().wholeEnd();
    Replayer replayer = found.replayer();
    MasterState state = replayer.state();
    line(out, "log", location.directory() + ", cluster " + identity.cluster());
    line(
        out,
        "entries",
        end.index()
            - log.base().index()
            + " in "
            + found.batches()
            + " whole batches"
            + " and "
            + EventText.plural(found.segmentFiles(), "segment file"));
    line(out, "end", position(end));
    line(out, "clean stop", found.cleanStop().map(VerifyCommand::position).orElse("no mark"));
    if (found.openEntries() > 0) {
      line(
          out,
          "unfinished",
          found.openEntries()
              + " entries of a batch without an end: a master is writing it, or died there and the next"
              + " start drops it");
    }
    if (log.base().index() > 0) {
      line(
          out,
          "begins",
          "behind entry "
              + log.base().index()
              + (found.replayedFrom() == Long.MAX_VALUE
                  ? "; no snapshot to replay it from"
                  : "; replayed from the snapshot of entry " + found.replayedFrom()));
    }
    line(out, "replayed", replayer.entries() + " entries, " + replayer.events() + " events");
    line(
        out,
        "state",
        String.format(
            "%s, %s, %s, %s in quarantine, %s",
            EventText.plural(state.objects().objectCount(), "object"),
            EventText.plural(state.segments().snapshot().size(), "segment"),
            EventText.plural(state.segments().clients().size(), "client"),
            EventText.plural(state.discards().size(), "range"),
            EventText.plural(state.writes().size(), "unfinished write")));
    line(
        out,
        "digest",
        EventText.digest(replayer.digest())
            + ", "
            + EventText.plural(found.digestsCompared(), "recorded digest")
            + " compared");
    found.outcome().findings().forEach(finding -> line(out, "note", finding));
    found.faults().forEach(fault -> line(out, "damage", fault));
    line(out, "verdict", found.faults().isEmpty() ? "sound" : "damaged");
  }

  private static void line(PrintWriter out, String name, String text) {
    out.println(String.format("%-11s %s", name, text));
  }

  private static String position(LogPosition position) {
    return "entry "
        + position.index()
        + ", epoch "
        + position.epoch()
        + ", chain hash "
        + EventText.digest(position.chainHash());
  }

  private ObjectNode json(LogReader log, Verification found) {
    LogIdentity identity = log.identity();
    LogPosition end = found.outcome().wholeEnd();
    MasterState state = found.replayer().state();
    ObjectNode node = EventJson.object();
    node.put("sound", found.faults().isEmpty());
    node.put("directory", location.directory().toString());
    node.put("cluster", identity.cluster().toString());
    node.put("base_index", log.base().index());
    node.put("replayed_from", found.replayedFrom());
    node.put("end_index", end.index());
    node.put("end_epoch", end.epoch());
    node.put("end_chain_hash", EventText.digest(end.chainHash()));
    node.put("clean_stop", found.cleanStop().isPresent());
    node.put("batches", found.batches());
    node.put("segment_files", found.segmentFiles());
    node.put("unfinished_entries", found.openEntries());
    node.put("replayed_entries", found.replayer().entries());
    node.put("replayed_events", found.replayer().events());
    node.put("objects", state.objects().objectCount());
    node.put("segments", state.segments().snapshot().size());
    node.put("clients", state.segments().clients().size());
    node.put("quarantined_ranges", state.discards().size());
    node.put("unfinished_writes", state.writes().size());
    node.put("digest", EventText.digest(found.replayer().digest()));
    node.put("digests_compared", found.digestsCompared());
    ArrayNode notes = node.putArray("notes");
    found.outcome().findings().forEach(notes::add);
    ArrayNode damage = node.putArray("damage");
    found.faults().forEach(damage::add);
    return node;
  }
}
