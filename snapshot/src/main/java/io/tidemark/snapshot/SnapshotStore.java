package io.tidemark.snapshot;

import io.tidemark.api.log.LogPosition;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * A folder of snapshots. Its lock is the lock of the data directory: whoever writes here holds
 * that; whoever only lists and reads needs none.
 */
public final class SnapshotStore {
  private static final String PREFIX = "snapshot-";
  private static final String ASIDE = "set-aside-";
  private static final String TEMPORARY = ".unfinished-";
  private static final String ARRIVING = ".arriving-";
  private static final int DIGITS = 20;
  private static final int MIN_KEPT = 2;

  private final Path root;
  private final FileOperations files;

  /** A store in a folder, which is made when something is written. */
  public SnapshotStore(Path root) {
    this(root, new DiskOperations());
  }

  SnapshotStore(Path root, FileOperations files) {
    this.root = root;
    this.files = files;
  }

  /** The folder. */
  public Path root() {
    return root;
  }

  /**
   * Makes the folder and clears away what a crash left in it: whatever is not whole. So this is for
   * the start, or while surely none is being written and none arrives; else {@link #makeSure}.
   *
   * @return one sentence for each leftover
   * @throws SnapshotException if the folder can't be made or written
   */
  public List<String> open() {
    List<String> cleared = new ArrayList<>();
    try {
      makeRoot();
      for (Path folder : Folders.entries(root)) {
        boolean unfinished = folder.getFileName().toString().startsWith(TEMPORARY);
        boolean unpublished =
            isSnapshot(folder) && !Files.exists(folder.resolve(Snapshot.MANIFEST));
        if (unfinished || unpublished) {
          Folders.remove(files, folder);
          cleared.add(folder + ": a snapshot that was never finished, removed");
        }
      }
    } catch (IOException e) {
      throw cantWrite(root, e);
    }
    return cleared;
  }

  /**
   * Makes the folder if it is not there; for who is about to write a snapshot while another may be
   * arriving.
   *
   * @throws SnapshotException if the folder can't be made
   */
  public void makeSure() {
    try {
      makeRoot();
    } catch (IOException e) {
      throw cantWrite(root, e);
    }
  }

  private void makeRoot() throws IOException {
    if (!Files.isDirectory(root)) {
      Files.createDirectories(root);
      files.forceNames(root.toAbsolutePath().getParent());
    }
  }

  /** Snapshots, newest first; leftovers are not among them. */
  public List<Snapshot> list() {
    List<Snapshot> found = new ArrayList<>();
    try {
      for (Path folder : Folders.entries(root)) {
        if (isSnapshot(folder)) {
          found.add(0, look(folder));
        }
      }
    } catch (IOException e) {
      throw cantRead(root, e);
    }
    return found;
  }

  private Snapshot look(Path folder) throws IOException {
    Path file = folder.resolve(Snapshot.MANIFEST);
    if (!Files.exists(file)) {
      return unreadable(folder, "it has no manifest: it was never finished");
    }
    try {
      byte[] bytes =
          Files.size(file) > ManifestText.MAX_BYTES ? new byte[0] : Files.readAllBytes(file);
      Manifest manifest = ManifestText.read(bytes);
      if (manifest.position().index() != indexOf(folder)) {
        return unreadable(folder, "its manifest is that of index " + manifest.position().index());
      }
      if (Files.exists(folder.resolve(Snapshot.DAMAGED_MARK))) {
        String text = Files.readString(folder.resolve(Snapshot.DAMAGED_MARK)).trim();
        return new Snapshot(folder, Snapshot.State.DAMAGED, Optional.of(manifest), text);
      }
      boolean verified = markOf(folder).equals(Optional.of(ManifestText.checksumOf(bytes)));
      Snapshot.State state = verified ? Snapshot.State.VERIFIED : Snapshot.State.PUBLISHED;
      return new Snapshot(folder, state, Optional.of(manifest), "");
    } catch (SnapshotException bad) {
      return unreadable(folder, bad.getMessage());
    }
  }

  private static Snapshot unreadable(Path folder, String reason) {
    return new Snapshot(folder, Snapshot.State.UNREADABLE, Optional.empty(), reason);
  }

  private static Optional<String> markOf(Path folder) throws IOException {
    Path mark = folder.resolve(Snapshot.VERIFIED_MARK);
    return Files.exists(mark) ? Optional.of(Files.readString(mark).trim()) : Optional.empty();
  }

  /** A writer of one snapshot; {@code stop} is asked at every record and gives the capture up. */
  public SnapshotWriter writer(SnapshotOptions options, BooleanSupplier stop) {
    return new SnapshotWriter(this, files, options, stop);
  }

  /**
   * Begins to take a snapshot that another node sends; what is there of an earlier one goes.
   *
   * @param bytes its length as announced
   * @throws SnapshotException if the folder can't be written
   */
  public SnapshotImport importer(UUID cluster, LogPosition position, long bytes) {
    try {
      makeRoot();
      for (Path folder : Folders.entries(root)) {
        if (folder.getFileName().toString().startsWith(ARRIVING)) {
          Folders.remove(files, folder);
        }
      }
    } catch (IOException e) {
      throw cantWrite(root, e);
    }
    return new SnapshotImport(this, files, cluster, position, bytes);
  }

  /** The newest verified snapshot of a cluster at or above an index. */
  public Optional<Snapshot> newestVerified(UUID cluster, long fromIndex) {
    return list().stream()
        .filter(s -> s.isVerified() && s.index() >= fromIndex)
        .filter(s -> s.manifest().orElseThrow().cluster().equals(cluster))
        .findFirst();
  }

  /**
   * Reads every byte of a verified snapshot once more; marks it if it is damaged now. Takes far
   * less of the processor than {@link #verify}, since that has once shown that the records make
   * sense.
   *
   * @return what is wrong with it, empty if nothing is
   */
  public List<String> verifyAgain(Snapshot snapshot) {
    boolean known = snapshot.isVerified() && SnapshotReader.isAsWritten(snapshot);
    return known ? List.of() : verify(snapshot);
  }

  /**
   * Reads a snapshot back and marks it: verified, or damaged. Rests meanwhile, to leave most of the
   * processor to others.
   *
   * @return what is wrong with it, empty if nothing is
   */
  public List<String> verify(Snapshot snapshot) {
    List<String> faults = SnapshotReader.verify(snapshot, true);
    if (faults.isEmpty()) {
      mark(snapshot.folder());
    } else {
      setDamaged(snapshot, faults.get(0));
    }
    return faults;
  }

  private void mark(Path folder) {
    try {
      byte[] bytes = Files.readAllBytes(folder.resolve(Snapshot.MANIFEST));
      Path mark = folder.resolve(Snapshot.VERIFIED_MARK);
      SnapshotWriter.replaceText(files, mark, ManifestText.checksumOf(bytes) + "\n");
      files.delete(folder.resolve(Snapshot.DAMAGED_MARK));
    } catch (IOException e) {
      throw cantWrite(folder, e);
    }
  }

  /** Takes a snapshot's mark away, so that it does not count as one of the verified ones. */
  public void setDamaged(Snapshot snapshot, String reason) {
    try {
      SnapshotWriter.replaceText(
          files, snapshot.folder().resolve(Snapshot.DAMAGED_MARK), reason + "\n");
      files.delete(snapshot.folder().resolve(Snapshot.VERIFIED_MARK));
      files.forceNames(snapshot.folder());
    } catch (IOException e) {
      throw cantWrite(snapshot.folder(), e);
    }
  }

  /**
   * Gives a snapshot's folder a name that is no snapshot's: it stays for people, and is never
   * restored from.
   *
   * @return the new name
   */
  public Path setAside(Snapshot snapshot) {
    Path aside = root.resolve(ASIDE + snapshot.name());
    try {
      Folders.remove(files, aside);
      files.rename(snapshot.folder(), aside);
      files.forceNames(root);
      return aside;
    } catch (IOException e) {
      throw cantWrite(snapshot.folder(), e);
    }
  }

  /**
   * The log index up to which no restore from a kept snapshot needs the log: that of the {@code
   * keep}-th newest verified snapshot of the cluster, the second at least; nothing while there are
   * fewer.
   */
  public OptionalLong floor(int keep, UUID cluster) {
    List<Snapshot> verified =
        list().stream()
            .filter(s -> s.isVerified() && s.manifest().get().cluster().equals(cluster))
            .toList();
    int last = Math.max(MIN_KEPT, keep) - 1;
    return verified.size() > last
        ? OptionalLong.of(verified.get(last).index())
        : OptionalLong.empty();
  }

  /**
   * Removes snapshots of every state that are older than the {@code keep} newest verified ones;
   * oldest first, never fewer than two verified ones are left.
   *
   * @return the removed folders
   */
  public List<Path> retain(int keep, UUID cluster) {
    OptionalLong floor = floor(keep, cluster);
    List<Path> removed = new ArrayList<>();
    if (floor.isEmpty()) {
      return removed;
    }
    List<Snapshot> all = list();
    for (int i = all.size() - 1; i >= 0 && all.get(i).index() < floor.getAsLong(); i--) {
      Path folder = all.get(i).folder();
      try {
        Folders.remove(files, folder);
      } catch (IOException e) {
        throw cantWrite(folder, e);
      }
      removed.add(folder);
    }
    return removed;
  }

  /** Where a snapshot that another node sends is kept before it has its name. */
  Path arrivingFolder(LogPosition position) {
    return root.resolve(ARRIVING + digits(position.index()));
  }

  /** Where a snapshot of a position is written before it has its name. */
  Path temporaryFolder(LogPosition position) {
    return root.resolve(TEMPORARY + digits(position.index()));
  }

  /** The folder of the snapshot of a position. */
  Path folderOf(LogPosition position) {
    return root.resolve(PREFIX + digits(position.index()));
  }

  /** The folder of the snapshot of a position, which is free when this returns. */
  Path makeRoomFor(LogPosition position) throws IOException {
    Path folder = folderOf(position);
    if (Files.isDirectory(folder) && look(folder).isVerified()) {
      throw new SnapshotException(folder + " is there already and was verified");
    }
    Folders.remove(files, folder);
    return folder;
  }

  private static String digits(long index) {
    return String.format(Locale.ROOT, "%0" + DIGITS + "d", index);
  }

  private static boolean isSnapshot(Path folder) {
    return Files.isDirectory(folder)
        && folder.getFileName().toString().matches(PREFIX + "[0-9]{" + DIGITS + "}");
  }

  static long indexOf(Path folder) {
    return Long.parseLong(folder.getFileName().toString().substring(PREFIX.length()));
  }

  SnapshotException cantRead(Path path, IOException e) {
    return new SnapshotException(
        "can't read the snapshots in " + path + ": " + said(e) + "; check its rights and the disk",
        e);
  }

  SnapshotException cantWrite(Path path, IOException e) {
    String advice =
        e instanceof AccessDeniedException || said(e).contains("Read-only")
            ? "make it writable for this user"
            : said(e).contains("No space") ? "free some space" : "check the disk";
    return new SnapshotException(
        "can't write a snapshot to "
            + path
            + ": "
            + said(e)
            + "; "
            + advice
            + ". Nothing is lost: the log goes on, older snapshots stay",
        e);
  }

  private static String said(IOException e) {
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof FileAlreadyExistsException) {
      return "something that is no directory has this name";
    }
    if (e instanceof FileSystemException f && f.getReason() != null) {
      return f.getReason();
    }
    return e.getMessage() == null ? e.toString() : e.getMessage();
  }
}
