package io.tidemark.snapshot;

import io.tidemark.api.event.UnknownEventException;
import io.tidemark.api.state.StateRecord;
import java.io.IOException;
import java.io.InputStream;
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

  /** A chunk ends with the record that takes it beyond its size; both have bounds far below. */
  private static final long MAX_CHUNK_FILE_BYTES = 1L << 30;

  private final Snapshot snapshot;
  private final Manifest manifest;
  private final Rests rests;
  private final List<String> faults = new ArrayList<>();
  private byte[] buffer = new byte[0];
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

  private SnapshotReader(Snapshot snapshot, boolean resting) {
    this.snapshot = snapshot;
    this.rests = new Rests(resting);
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
    SnapshotReader reader = new SnapshotReader(snapshot, false);
    reader.readAll(visitor);
    return reader.outcome();
  }

  /** Checks every byte without keeping anything; returns what is wrong, empty if nothing is. */
  public static List<String> verify(Snapshot snapshot) {
    return verify(snapshot, false);
  }

  /**
   * As {@link #verify(Snapshot)}.
   *
   * @param resting whether to leave most of the processor to others
   */
  static List<String> verify(Snapshot snapshot, boolean resting) {
    try {
      if (new SnapshotReader(snapshot, resting).isSound(true)) {
        return List.of();
      }
      SnapshotReader reader = new SnapshotReader(snapshot, resting);
      reader.readAll((record, place) -> {});
      return reader.outcome().faults();
    } catch (SnapshotException bad) {
      return List.of(bad.getMessage());
    }
  }

  /**
   * Whether every byte of a snapshot is still as it was written; does not look into the records,
   * and leaves most of the processor to others.
   */
  static boolean isAsWritten(Snapshot snapshot) {
    try {
      return new SnapshotReader(snapshot, true).isSound(false);
    } catch (SnapshotException bad) {
      return false;
    }
  }

  private boolean isSound(boolean intoRecords) {
    checkFiles();
    ChunkSkim skim = new ChunkSkim(rests, intoRecords);
    long index = manifest.position().index();
    int number = 0;
    for (Manifest.Chunk chunk : manifest.chunks()) {
      Path file = snapshot.folder().resolve(chunk.file());
      try {
        if (!skim.isSound(file, chunk, number++, index)) {
          return false;
        }
      } catch (IOException e) {
        throw new SnapshotException("chunk " + chunk.file() + " can't be read: " + e, e);
      }
      records += chunk.records();
      objects += skim.objects();
    }
    return !intoRecords || records == manifest.records() && objects == manifest.objects();
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
    checkFiles();
    int number = 0;
    for (Manifest.Chunk chunk : manifest.chunks()) {
      Path file = snapshot.folder().resolve(chunk.file());
      try {
        int length = load(file);
        ChunkReader reader = new ChunkReader(this, file, buffer, length, chunk);
        reader.read(number++, manifest.position().index(), visitor);
        rests.look();
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

  /** Reads a file into the buffer, which is used for all; returns how many bytes it has. */
  private int load(Path file) throws IOException {
    long size = Files.size(file);
    if (size > MAX_CHUNK_FILE_BYTES) {
      throw new IOException("it has " + size + " bytes");
    }
    if (buffer.length < size) {
      buffer = new byte[(int) size];
    }
    int length = 0;
    try (InputStream in = Files.newInputStream(file)) {
      int read;
      do {
        int slice = (int) Math.min(DiskOperations.SLICE_BYTES, size - length);
        read = in.readNBytes(buffer, length, slice);
        length += read;
        rests.look();
      } while (read > 0 && length < size);
    }
    return length;
  }

  /** A record was handed out. */
  void took(StateRecord record) {
    rests.step();
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
