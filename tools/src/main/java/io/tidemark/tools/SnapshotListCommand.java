package io.tidemark.tools;

import io.tidemark.snapshot.Snapshot;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code snapshot list}: what is there, without reading it. */
@Command(
    name = "list",
    description = {
      "Lists the snapshots of a data directory, newest first: log index, state, epoch, objects,"
          + " size, when it was taken (UTC).",
      "States: verified (was read back), published (not read back yet), damaged, unreadable."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:done", "2:wrong option", "3:no snapshot there"})
final class SnapshotListCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private LogLocation location;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    for (Snapshot snapshot : SnapshotFolder.require(location.directory())) {
      out.println(
          location.isJson() ? SnapshotFolder.json(snapshot) : SnapshotFolder.columns(snapshot));
    }
    out.flush();
    return ExitStatus.OK;
  }
}
