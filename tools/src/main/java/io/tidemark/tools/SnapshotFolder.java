package io.tidemark.tools;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.oplog.LogFormatException;
import io.tidemark.snapshot.Manifest;
import io.tidemark.snapshot.Snapshot;
import io.tidemark.snapshot.SnapshotStore;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** The snapshots in a data directory, and how they are shown. */
final class SnapshotFolder {
  private static final String NAME = "snapshots";

  private SnapshotFolder() {}

  /** The store in a data directory. */
  static SnapshotStore in(Path dataDirectory) {
    return new SnapshotStore(dataDirectory.resolve(NAME));
  }

  /**
   * Snapshots, newest first.
   *
   * @throws LogFormatException if there is none
   */
  static List<Snapshot> require(Path dataDirectory) {
    List<Snapshot> found = in(dataDirectory).list();
    if (found.isEmpty()) {
      throw new LogFormatException(
          in(dataDirectory).root().toAbsolutePath().normalize()
              + " holds no snapshot; name the master's data directory with --data_dir, or let its"
              + " master take one: tidemark snapshot take");
    }
    return found;
  }

  /** The state as a word. */
  static String word(Snapshot snapshot) {
    return snapshot.state().name().toLowerCase(Locale.ROOT);
  }

  /** One line. */
  static String columns(Snapshot snapshot) {
    String size =
        snapshot
            .manifest()
            .map(
                m ->
                    String.format(
                        "epoch %d  %s  %d bytes  %s",
                        m.position().epoch(),
                        EventText.plural(m.objects(), "object"),
                        m.bytes(),
                        Instant.ofEpochMilli(m.createdMs())))
            .orElse("-");
    String why = snapshot.reason().isEmpty() ? "" : "  " + snapshot.reason();
    return String.format("%-12d %-10s %s%s", snapshot.index(), word(snapshot), size, why);
  }

  /** The same for programs. */
  static ObjectNode json(Snapshot snapshot) {
    ObjectNode node = EventJson.object();
    node.put("index", snapshot.index());
    node.put("state", word(snapshot));
    node.put("folder", snapshot.folder().toString());
    node.put("reason", snapshot.reason());
    snapshot.manifest().ifPresent(manifest -> put(manifest, node));
    return node;
  }

  private static void put(Manifest manifest, ObjectNode node) {
    node.put("cluster", manifest.cluster().toString());
    node.put("node", manifest.node().toString());
    node.put("written_by", manifest.writtenBy());
    node.put("created", Instant.ofEpochMilli(manifest.createdMs()).toString());
    node.put("epoch", manifest.position().epoch());
    node.put("chain_hash", EventText.digest(manifest.position().chainHash()));
    node.put("digest", EventText.digest(manifest.digest()));
    node.put("objects", manifest.objects());
    node.put("records", manifest.records());
    node.put("bytes", manifest.bytes());
    node.put("chunks", manifest.chunks().size());
  }
}
