package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotReader;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code snapshot verify}: reads every byte of snapshots. */
@Command(
    name = "verify",
    description = {
      "Reads snapshots from end to end and checks every byte: manifest, chunks, records; and that"
          + " they are of the cluster of the log beside them. Changes nothing."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all of them are intact",
      "1:one is damaged; the output says which, in which file and where",
      "2:wrong option",
      "3:no snapshot there, or no log beside it"
    })
final class SnapshotVerifyCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LogLocation location;

  @Parameters(
      arity = "0..1",
      paramLabel = "INDEX",
      description = "Log index of the one to check. Default: all of them.")
  private Long index;

  @Override
  public Integer call() {
    List<Snapshot> found = new ArrayList<>(SnapshotFolder.require(location.directory()));
    found.removeIf(snapshot -> index != null && snapshot.index() != index);
    if (found.isEmpty()) {
      spec.commandLine().getErr().println("tidemark: there is no snapshot of entry " + index);
      return ExitStatus.NO_LOG;
    }
    UUID cluster = location.open().identity().cluster();
    PrintWriter out = spec.commandLine().getOut();
    boolean sound = true;
    for (Snapshot snapshot : found) {
      List<String> faults = check(snapshot, cluster);
      sound &= faults.isEmpty();
      print(snapshot, faults, out);
    }
    out.flush();
    return sound ? ExitStatus.OK : ExitStatus.DAMAGED;
  }

  private static List<String> check(Snapshot snapshot, UUID cluster) {
    List<String> faults = new ArrayList<>(SnapshotReader.verify(snapshot));
    snapshot
        .manifest()
        .filter(manifest -> !manifest.cluster().equals(cluster))
        .ifPresent(
            manifest ->
                faults.add(
                    "it is of cluster "
                        + manifest.cluster()
                        + ", the log beside it is of "
                        + cluster));
    return faults;
  }

  private void print(Snapshot snapshot, List<String> faults, PrintWriter out) {
    String verdict = faults.isEmpty() ? "intact" : "damaged";
    if (location.isJson()) {
      ObjectNode node = SnapshotFolder.json(snapshot);
      node.put("verdict", verdict);
      ArrayNode list = node.putArray("faults");
      faults.forEach(list::add);
      out.println(node);
      return;
    }
    out.println(SnapshotFolder.columns(snapshot) + "  " + verdict);
    faults.forEach(fault -> out.println("    " + fault));
  }
}
