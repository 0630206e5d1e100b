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
 * one, and up to which revision the cluster's membership record was seen (COR-17). A directory
 * without it is a single master's, or new. One thread; the directory's lock is held.
 */
public final class MemberFile {
  private static final String TITLE = "tidemark-member 1";

  private final Path file;
  private UUID cluster;
  private long recordRevision;

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
      cluster = UUID.fromString(values.get("cluster"));
      recordRevision = Long.parseLong(values.get("record-revision"));
    } catch (RuntimeException e) {
      throw new LogFormatException(
          file + " lacks a value or has one that can't be read: " + e.getMessage(), e);
    }
  }

  /** The cluster that the directory belongs to; empty for none. */
  public Optional<UUID> cluster() {
    return Optional.ofNullable(cluster);
  }

  /** Highest revision of the membership record that was seen, 0 for none. */
  public long recordRevision() {
    return recordRevision;
  }

  /**
   * Writes both values; on the disk when this returns.
   *
   * @throws LogFailureException if the disk fails
   */
  public void write(UUID newCluster, long newRevision) {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("cluster", newCluster.toString());
    values.put("record-revision", Long.toString(newRevision));
    try {
      StateFile.write(file, TITLE, values);
    } catch (IOException e) {
      throw new LogFailureException("can't write " + file + ": " + e, e);
    }
    cluster = newCluster;
    recordRevision = newRevision;
  }
}
