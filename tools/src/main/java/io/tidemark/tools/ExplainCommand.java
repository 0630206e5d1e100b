package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.api.event.Event;
import io.tidemark.api.log.LogEntry;
import io.tidemark.oplog.EntryPlace;
import io.tidemark.oplog.LogReader;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code log explain}: the life of a key. */
@Command(
    name = "explain",
    description = {
      "Tells the life of a key: every event that concerned it, with entry, time, cause, actor and"
          + " reason; what has become of it; what became of its memory.",
      "Entries of a batch without an end are left out, as a start would leave them out."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:the key is in the log, whatever became of it",
      "1:the log is damaged, or could not be read to its end; the life is told up to there",
      "2:wrong option or no key",
      "3:no log there, or one of a newer version",
      "4:no entry of the log names the key"
    })
final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LogLocation location;
  @Mixin private KeyScope scope;

  @Parameters(paramLabel = "KEY", description = "The key, as the client names it.")
  private String key;

  private PrintWriter out;
  private KeyLife life;

  @Override
  public Integer call() {
    life = new KeyLife(scope.objectKey(key));
    out = spec.commandLine().getOut();
    LogReader log = location.open();
    if (!location.isJson()) {
      out.println("key " + Printable.of(life.key()));
    }
    Optional<SnapshotSeed> seed =
        SnapshotSeed.find(log, location.directory(), spec.commandLine().getErr());
    seed.ifPresent(life::beginWith);
    WholeBatches batches = new WholeBatches(this::entry);
    LogReader.Outcome outcome = log.read(seed.map(s -> s.index() + 1).orElse(1L), batches);
    KeyState state = KeyState.of(life);
    if (location.isJson()) {
      ObjectNode node = state.json();
      node.put("log_end_index", outcome.wholeEnd().index());
      out.println(node);
    } else {
      out.println();
      state.lines().forEach(out::println);
      out.println("  the log was read up to entry " + outcome.wholeEnd().index());
    }
    out.flush();
    int status = LogEnd.report(outcome, spec.commandLine().getErr());
    boolean unknown = status == ExitStatus.OK && state.kind() == KeyState.Kind.UNKNOWN;
    return unknown ? ExitStatus.NO_SUCH_KEY : status;
  }

  private boolean entry(LogEntry entry, EntryPlace place) {
    for (Event event : Payload.events(entry, place)) {
      life.accept(entry.header(), event)
          .ifPresent(step -> out.println(location.isJson() ? json(step) : text(step)));
    }
    return true;
  }

  private static String text(KeyLife.Step step) {
    StringBuilder lines = new StringBuilder();
    lines.append(System.lineSeparator()).append(EntryText.columns(step.at()));
    lines.append(System.lineSeparator()).append("    ").append(step.text());
    for (String detail : step.details()) {
      lines.append(System.lineSeparator()).append("      ").append(detail);
    }
    return lines.toString();
  }

  private static ObjectNode json(KeyLife.Step step) {
    ObjectNode node = EventJson.object();
    node.put("type", "event");
    EntryText.put(step.at(), node);
    EventJson.put(step.event(), node);
    node.put("what", step.what());
    node.put("text", step.text());
    ArrayNode details = node.putArray("details");
    step.details().forEach(details::add);
    return node;
  }
}
