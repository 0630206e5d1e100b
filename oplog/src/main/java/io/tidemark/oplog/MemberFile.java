package io.tidemark.oplog;

import io.tidemark.api.log.LogFailureException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * {@code MEMBER} in a log directory: that it belongs to a member of a cluster of masters, to which
 * one, and what the member has to remember of the coordination store (COR-17). A directory without
 * it is a single master's, or new. One thread; the directory's lock is held.
 */
public final class MemberFile {
  private static final String TITLE = "tidemark-member 1";

  private final Path file;
  private MemberFacts facts = MemberFacts.NONE;

  /**
   * Reads the file of a log directory, if there is one.
   *
   * @throws LogFormatException if it is damaged
   * @throws LogFailureException if it can't be read
   */
  public MemberFile(Path directory) {
    file = directory.resolve("MEMBER");
    try {
      if (Files.exists(file)) {
        read();
      }
    } catch (IOException e) {
      throw new LogFailureException("can't read " + file + ": " + e, e);
    }
  }

  private void read() throws IOException {
    if (!StateFile.title(file).equals(TITLE)) {
      throw new LogFormatException(
          file + " is not a MEMBER file of this log; restore it from a copy of the directory");
    }
    Map<String, String> values = StateFile.read(file);
    try {
      facts =
          new MemberFacts(
              Optional.of(UUID.fromString(values.get("cluster"))),
              Long.parseLong(values.get("record-revision")),
              orZero(values, "forced-epoch"),
              orZero(values, "view-version"),
              orZero(values, "ordered-epoch"),
              Boolean.parseBoolean(values.get("ordered-keeps-memory")));
    } catch (RuntimeException e) {
      throw new LogFormatException(
          file + " lacks a value or has one that can't be read: " + e.getMessage(), e);
    }
  }

  /** Values that the first files of this version did not have. */
  private static long orZero(Map<String, String> values, String name) {
    return Long.parseLong(values.getOrDefault(name, "0"));
  }

  /** What the file says; {@link MemberFacts#NONE} if there is none. */
  public MemberFacts facts() {
    return facts;
  }

  /**
   * Writes the facts, which name a cluster; on the disk when this returns.
   *
   * @throws LogFailureException if the disk fails
   */
  public void write(MemberFacts newFacts) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("cluster", newFacts.cluster().orElseThrow().toString());
    values.put("record-revision", Long.toString(newFacts.recordRevision()));
    values.put("forced-epoch", Long.toString(newFacts.forcedEpoch()));
    values.put("view-version", Long.toString(newFacts.viewVersion()));
    values.put("ordered-epoch", Long.toString(newFacts.orderedEpoch()));
    values.put("ordered-keeps-memory", Boolean.toString(newFacts.keepsMemory()));
    try {
      StateFile.write(file, TITLE, values);
    } catch (IOException e) {
      throw new LogFailureException("can't write " + file + ": " + e, e);
    }
    facts = newFacts;
  }
}
