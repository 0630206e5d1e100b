package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.ObjectKey;
import io.tidemark.api.event.Event;
import io.tidemark.api.log.LogEntry;
import io.tidemark.oplog.EntryPlace;
import io.tidemark.oplog.LogReader;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code log dump}: one line an event. */
@Command(
    name = "dump",
    description = {
      "Prints the events of a log, one a line: index, epoch, commit index that the entry carries,"
          + " log time, wall time (UTC), cause, actor, what happened.",
      "Entries before --from are read, too, but not printed."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:done, and the log is sound as far as it was read",
      "1:the log is damaged, or could not be read to its end",
      "2:wrong option",
      "3:no log there, or one of a newer version"
    })
final class DumpCommand implements Callable<Integer> {
  /** Lines between two looks at whether anybody still reads them. */
  private static final int LINES_PER_LOOK = 1024;

  @Spec private CommandSpec spec;
  @Mixin private LogLocation location;
  @Mixin private KeyScope scope;

  @Option(
      names = "--from",
      paramLabel = "N",
      defaultValue = "1",
      description = "First entry to print. Default: ${DEFAULT-VALUE}.")
  private long from;

  @Option(
      names = "--to",
      paramLabel = "N",
      defaultValue = "9223372036854775807",
      description = "Last entry to print. Default: the end of the log.")
  private long to;

  @Option(names = "--key", paramLabel = "KEY", description = "Only events that name this key.")
  private String key;

  private final Mounts mounts = new Mounts();
  private final EventText words = new EventText(mounts);
  private PrintWriter out;
  private ObjectKey only;
  private long lines;

  @Override
  public Integer call() {
    if (from < 1 || to < from) {
      throw new ParameterException(
          spec.commandLine(),
          "--from must be at least 1 and at most --to, got " + from + " and " + to);
    }
    only = key == null ? null : scope.objectKey(key);
    out = spec.commandLine().getOut();
    LogReader log = location.open();
    SnapshotSeed.find(log, location.directory(), spec.commandLine().getErr());
    LogReader.Outcome outcome = log.read(1, this::entry);
    out.flush();
    return LogEnd.report(outcome, spec.commandLine().getErr());
  }

  private boolean entry(LogEntry entry, EntryPlace place) {
    long index = entry.header().index();
    if (index > to) {
      return false;
    }
    for (Event event : Payload.events(entry, place)) {
      if (index >= from && isWanted(event)) {
        print(entry, event);
      }
      mounts.apply(event);
    }
    return index < to && (lines % LINES_PER_LOOK != 0 || !out.checkError());
  }

  private boolean isWanted(Event event) {
    return only == null || (event instanceof Event.ObjectEvent e && e.key().equals(only));
  }

  private void print(LogEntry entry, Event event) {
    lines++;
    if (location.isJson()) {
      ObjectNode node = EventJson.object();
      EntryText.put(entry.header(), node);
      EventJson.put(event, node);
      node.put("text", words.of(event));
      out.println(node);
    } else {
      out.println(EntryText.columns(entry.header()) + "  " + words.of(event));
    }
  }
}
