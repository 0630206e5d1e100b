package io.tidemark.snapshot;

import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.state.StateRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads a snapshot and judges every byte of it. Holds one chunk in memory at a time. One thread.
 *
 * <p>Damage to a chunk costs the records that it hit: the others are handed out all the same, and
 * it is the caller's business whether that is enough. A missing or additional chunk, a chunk of
 * another snapshot, or a record that this release does not know ends the reading.
 */
public final class SnapshotReader {
  private static final int MAX_FAULTS = 100;

  private final Snapshot snapshot;
  private final Manifest manifest;
  private final List<String> faults = new ArrayList<>();
  private long objects;
  private long records;
  private long lostObjects;
  private boolean lostOthers;

  /** Receives what a snapshot holds. */
  public interface Visitor {

    /** The next intact record. */
    void record(StateRecord record, RecordPlace place);

    /** A place where a record is, or was, that can't be read. */
    default void unreadable(RecordPlace place, String why) {}
  }

  private SnapshotReader(Snapshot snapshot) {
    this.snapshot = snapshot;
    this.manifest = snapshot.manifest().orElseThrow(() -> new SnapshotException(snapshot.reason()));
  }

  /**
   * What a reading found.
   *
   * @param faults one sentence for each; empty for an intact snapshot
   * @param lostObjects objects that can't be read
   * @param lostOthers whether anything else can't be read: then the rest is of no use
   */
  public record Outcome(List<String> faults, long objects, long lostObjects, boolean lostOthers) {

    /** Whether every byte is as it was written. */
    public boolean intact() {
      return faults.isEmpty();
    }
  }

  /**
   * Reads all records in order.
   *
   * @throws SnapshotException if the snapshot can't be read as one; the message is a clause that
   *     says why
   */
  public static Outcome read(Snapshot snapshot, Visitor visitor) {
    SnapshotReader reader = new SnapshotReader(snapshot);
    reader.checkFiles();
    reader.readAll(visitor);
    return reader.outcome();
  }

  /** Checks every byte without keeping anything; returns what is wrong, empty if nothing is. */
  public static List<String> verify(Snapshot snapshot) {
    try {
      return read(snapshot, (record, place) -> {}).faults();
    } catch (SnapshotException bad) {
      return List.of(bad.getMessage());
    }
  }

  /** The chunks that the manifest names must be there, and no others. */
  private void checkFiles() {
    Set<String> named = new HashSet<>();
    for (Manifest.Chunk chunk : manifest.chunks()) {
      if (!named.add(chunk.file())) {
        throw new SnapshotException("its manifest names " + chunk.file() + " twice");
      }
      if (!Files.isRegularFile(snapshot.folder().resolve(chunk.file()))) {
        throw new SnapshotException("chunk " + chunk.file() + " is missing");
      }
    }
    Set<String> more = new TreeSet<>();
    try {
      for (Path file : Folders.entries(snapshot.folder())) {
        String name = file.getFileName().toString();
        if (name.endsWith(".chunk") && !named.contains(name)) {
          more.add(name);
        }
      }
    } catch (IOException e) {
      throw new SnapshotException("its folder can't be read: " + e, e);
    }
    if (!more.isEmpty()) {
      throw new SnapshotException(
          "it has chunks that its manifest does not name: " + String.join(", ", more));
    }
  }

  private void readAll(Visitor visitor) {
    int number = 0;
    for (Manifest.Chunk chunk : manifest.chunks()) {
      Path file = snapshot.folder().resolve(chunk.file());
      try {
        byte[] bytes = Files.readAllBytes(file);
        new ChunkReader(this, file, bytes, chunk)
            .read(number++, manifest.position().index(), visitor);
      } catch (IOException | OutOfMemoryError e) {
        throw new SnapshotException("chunk " + chunk.file() + " can't be read: " + e, e);
      } catch (UnknownEventException newer) {
        throw new SnapshotException(
            "it holds what this release does not know ("
                + newer.getMessage()
                + "); start the release that wrote it, or a newer one",
            newer);
      }
    }
  }

  /** A record was handed out. */
  void took(StateRecord record) {
    records++;
    objects += record instanceof StateRecord.StoredObject ? 1 : 0;
  }

  /** A chunk lacks records. */
  void lost(ChunkKind kind, long count) {
    if (kind == ChunkKind.OBJECTS) {
      lostObjects += count;
    } else {
      lostOthers |= count > 0;
    }
  }

  /** Something is not as it was written. */
  void fault(String sentence) {
    if (faults.size() < MAX_FAULTS) {
      faults.add(sentence);
    } else if (faults.size() == MAX_FAULTS) {
      faults.add("more of the same, not listed");
    }
  }

  private Outcome outcome() {
    if (faults.isEmpty() && (objects != manifest.objects() || records != manifest.records())) {
      fault(
          String.format(
              "its manifest says %d records with %d objects, there are %d with %d",
              manifest.records(), manifest.objects(), records, objects));
      lostOthers = true;
    }
    return new Outcome(List.copyOf(faults), objects, lostObjects, lostOthers);
  }
}
